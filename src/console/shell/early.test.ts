import { expect, test } from 'vitest';
import { pathOf } from '../../contract/call.ts';
import { getPreferences } from '../../contract/preferences.ts';
import { getUserContext } from '../../contract/session.ts';
import { createEarlyFetch, earlyPaths } from './early.ts';

test('the early paths are those of the contract', () => {
  expect([...earlyPaths]).toEqual([pathOf(getUserContext, { clusterId: '-current-' }), pathOf(getPreferences, {})]);
});

test('an early answer is handed out once, to a reader only', async () => {
  const asked: string[] = [];
  const early = createEarlyFetch(
    async (url, init) => {
      asked.push(`${init?.method ?? 'early'} ${String(url)}`);
      return new Response('{}');
    },
    () => ({ Authorization: 'Bearer b' }),
  );
  early.begin();
  const [context, preferences] = earlyPaths;
  await early.fetch(preferences, { method: 'PUT' });
  await early.fetch(context, { method: 'GET' });
  await early.fetch(context, { method: 'GET' });
  expect(asked).toEqual([`early ${context}`, `early ${preferences}`, `PUT ${preferences}`, `GET ${context}`]);
});

test('an early answer that fails says so to whoever takes it, and to nobody else', async () => {
  const early = createEarlyFetch(
    () => Promise.reject(new TypeError('lost')),
    () => ({}),
  );
  early.begin();
  await expect(early.fetch(earlyPaths[0], { method: 'GET' })).rejects.toThrow('lost');
});
