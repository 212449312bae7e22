import { expect, test } from 'vitest';
import { eventThing } from '../src/features/recording.ts';
import { answer, choiceOf, textChoice } from './answer.ts';
import { commandById } from './index.ts';
import { factsWith, recorder } from './tools.testing.ts';

const event = {
  event: 'session.end',
  code: 'T2004I',
  time: '2026-01-01T00:00:00Z',
  uid: 'u1',
  user: 'ann',
  sid: 's1',
  server_hostname: 'db-3',
};
const row = commandById('audit.related');

test('an event leads to the events of its session, its recording, its person and its server', async () => {
  const { tools, done } = recorder();
  const given = { event: choiceOf(eventThing(event)) };
  const places = (await row?.args?.[1]?.choices('', given, factsWith(), tools)) ?? [];
  for (const place of places) await row?.run({ ...given, place }, factsWith(), tools);
  expect(done).toEqual([
    'go audit {"clusterId":"main"} {"search":"s1"}',
    'go player {"clusterId":"main","sid":"s1"} {"recordingType":"ssh"}',
    'go users {} {"search":"ann"}',
    'go nodes {"clusterId":"main"} {"search":"db-3"}',
  ]);
  const nobody = { ...event, sid: '', user: '', server_hostname: '' };
  expect(row?.refuses?.(eventThing(event))).toBeUndefined();
  expect(row?.refuses?.(eventThing(nobody))).toBe('The event names no session, nobody and no server');
});

test('a person who does not see users and servers is not led to them', async () => {
  const { tools } = recorder();
  const given = { event: choiceOf(eventThing(event)) };
  const places = await row?.args?.[1]?.choices('', given, factsWith({ who: null }), tools);
  expect(places?.map(({ value }) => value)).toEqual(['session']);
  expect(answer(given, 'event').value).toBe('u1');
});

test.each([
  ['users.events', 'user', 'ann b', 'user:"ann b"'],
  ['servers.events', 'server', 'db-3', '"db-3"'],
  ['sessions.events', 'session', 's1', 's1'],
  ['recordings.events', 'recording', 's1', 's1'],
])('%s lists what the audit log says of one', async (id, kind, value, search) => {
  const { tools, done } = recorder();
  await commandById(id)?.run({ [kind]: textChoice(value) }, factsWith(), tools);
  expect(done).toEqual([`go audit {"clusterId":"main"} ${JSON.stringify({ search })}`]);
});
