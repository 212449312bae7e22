import { expect, test } from 'vitest';
import { snippets } from './snippets.ts';
import { factsWith, recorder } from './tools.testing.ts';

const known = [
  { name: 'disk', text: 'df {{path=/}}', description: 'Disks', enters: true, roles: [], isOwn: true, mayChange: true },
  { name: 'disk', text: 'df -h', description: '', enters: false, roles: ['access'], isOwn: false, mayChange: false },
];
const [insert] = snippets;

test('the own one of two with the same name comes first, and each can be had', async () => {
  const { tools, done } = recorder(() => ({ snippets: known }));
  const choices = await insert?.args?.[0]?.choices('df', {}, factsWith(), tools);
  expect(choices?.map(({ value, detail }) => [value, detail])).toEqual([
    ['own/disk', 'Disks'],
    ['shared/disk', 'df -h'],
  ]);
  const run = async (value: string) => insert?.run({ snippet: { value, title: value } }, factsWith(), tools);
  await run('shared/disk');
  await run('disk');
  expect(done.map(line => JSON.parse(line.slice('insert '.length)).text)).toEqual(['df -h', 'df {{path=/}}']);
  await expect(run('none')).rejects.toThrow('There is no snippet "none"');
});
