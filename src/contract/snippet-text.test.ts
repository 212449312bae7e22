import { expect, test } from 'vitest';
import { filled, variablesOf, withDefaults } from './snippet-text.ts';

test('blanks are found in their order, each once, with defaults and choices', () => {
  const text = 'ssh {{user=root}}@{{ host }} -p {{port=22|2222}} # {{host=db-3}} {{user}} {{1bad}} {{}} {not}';
  expect(variablesOf(text)).toEqual([
    { name: 'user', value: 'root', choices: [] },
    { name: 'host', value: 'db-3', choices: [] },
    { name: 'port', value: '22', choices: ['22', '2222'] },
  ]);
  expect(filled(text, { user: 'ann', host: '$& {{user}}', port: '22' })).toBe(
    'ssh ann@$& {{user}} -p 22 # $& {{user}} ann {{1bad}} {{}} {not}',
  );
});

test('blanks without a default are left to be written over', () =>
  expect(withDefaults('df {{path=/|/var}} {{more}}')).toBe('df / {{more}}'));

test('a text without blanks stays, and no more is asked than a person answers', () => {
  expect([variablesOf('awk "{print}"'), filled('awk "{print}"', {})]).toEqual([[], 'awk "{print}"']);
  const many = Array.from({ length: 50 }, (_, index) => `{{a${index}}}`).join('');
  expect(variablesOf(many).length).toBe(20);
  expect(filled('{{constructor}}', {})).toBe('{{constructor}}');
});
