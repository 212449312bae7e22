import { expect, test } from 'vitest';
import { getPreferences } from '../src/contract/preferences.ts';
import { commandById } from './index.ts';
import { factsWith, recorder } from './tools.testing.ts';

const row = commandById('views.delete');
const kept = {
  console: { views: { nodes: [{ title: 'Production', search: '' }], users: [{ title: 'New', search: '' }] } },
};

test('the views of the list on screen are offered for deletion, and no others', async () => {
  const { tools } = recorder(({ call }) => (call === getPreferences ? kept : undefined));
  const choices = await row?.args?.[0]?.choices('', {}, factsWith({ feature: 'users' }), tools);
  expect(choices?.map(({ title }) => title)).toEqual(['New']);
});

test('a view is deleted from the list on screen once that was confirmed', async () => {
  const given = { view: { value: 'Production', title: 'Production' } };
  const { tools, done } = recorder();
  await row?.run(given, factsWith(), tools);
  expect(done).toContain('deleteView nodes Production');
  const refusing = recorder(undefined, false);
  await expect(row?.run(given, factsWith(), refusing.tools)).rejects.toThrow();
  expect(refusing.done.filter(line => line.startsWith('deleteView'))).toEqual([]);
});
