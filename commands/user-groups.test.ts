import { expect, test } from 'vitest';
import { textChoice } from './answer.ts';
import { commandById } from './index.ts';
import { factsWith, recorder } from './tools.testing.ts';

const group = {
  name: 'g1',
  friendlyName: 'Engineering',
  description: 'builds',
  applications: [] as { name: string }[],
};
const row = commandById('userGroups.applications');

test('a user group leads to the list of its applications', async () => {
  const { tools, done } = recorder(() => ({
    items: [{ ...group, applications: [{ name: 'grafana' }, { name: 'wiki' }] }],
  }));
  await row?.run({ group: textChoice('g1') }, factsWith(), tools);
  expect(done).toEqual([
    `go apps {} ${JSON.stringify({ query: 'resource.metadata.name == "grafana" || resource.metadata.name == "wiki"' })}`,
  ]);
});

test('a user group whose applications the person does not see says so, and goes nowhere', async () => {
  const { tools, done } = recorder(() => ({ items: [group] }));
  await row?.run({ group: textChoice('g1') }, factsWith(), tools);
  expect(done).toEqual(['notify g1 names no application that your roles select']);
});

test('however many applications a group names, the filter is one that the gateway reads', async () => {
  const applications = Array.from({ length: 100 }, (_, at) => ({ name: `${'a'.repeat(60)}-${at}` }));
  const { tools, done } = recorder(() => ({ items: [{ ...group, applications }] }));
  await row?.run({ group: textChoice('g1') }, factsWith(), tools);
  const { query } = JSON.parse(done[0]?.replace('go apps {} ', '') ?? '') as { query: string };
  expect([query.length <= 4096, query.endsWith('"')]).toEqual([true, true]);
});

test('user groups are offered by their friendly names, with what they are', async () => {
  const { tools, made } = recorder(() => ({ items: [group], startKey: '' }));
  const choices = await row?.args?.[0]?.choices('eng', {}, factsWith(), tools);
  expect(choices).toMatchObject([{ value: 'g1', title: 'Engineering', detail: 'builds' }]);
  expect(made[0]?.query).toMatchObject({ search: 'eng' });
});
