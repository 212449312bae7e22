import { expect, test } from 'vitest';
import { lineOf, savedText } from './template.ts';

test('the line is read from what the gateway says', () => {
  expect(lineOf('line 7, column 5: unknown key "bogus"')).toBe(7);
  expect(lineOf('role.yaml:12:3: not a list')).toBe(12);
  expect(lineOf('role "x" is in use')).toBeUndefined();
});

test('what is kept and not enforced yet is said when a role has been saved', () => {
  expect(savedText({ name: 'ops' })).toBe('The role ops has been saved');
  expect(savedText({ name: 'ops', notes: ['role ops: spec.options.lock is kept, not enforced yet'] })).toBe(
    'The role ops has been saved. role ops: spec.options.lock is kept, not enforced yet',
  );
});
