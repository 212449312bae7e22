import { expect, test } from 'vitest';
import { recordings } from './recordings.ts';
import { factsWith, recorder } from './tools.testing.ts';

const holdAll = recordings.find(({ id }) => id === 'recording.holdAll');
const [on] = holdAll?.args ?? [];

test.each([
  ['user:alice', { user: 'alice' }, 'user alice'],
  ['host:db-3', { host: 'db-3' }, 'host db-3'],
  ['label:env=prod=eu', { label: 'env=prod=eu' }, 'label env=prod=eu'],
])('all recordings of %s are held, now and to come', async (value, held, words) => {
  expect(on?.free?.(value)).toBeUndefined();
  const { tools, done, made } = recorder(({ body }) => body);
  const given = { on: { value, title: value }, reason: { value: 'case 7', title: 'case 7' } };
  await holdAll?.run(given, factsWith(), tools);
  expect(made.map(({ body }) => body)).toEqual([{ on: held, why: 'case 7' }]);
  expect(done).toEqual([`notify All recordings of ${words} are held, now and to come`]);
});

test('what names nobody is not held', () => {
  for (const typed of ['', 'alice', 'user:', 'sid:1', 'label:env'])
    expect(on?.free?.(typed)).toBe('user:NAME, host:NAME or label:NAME=VALUE');
});
