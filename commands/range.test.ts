import { expect, test } from 'vitest';
import { textChoice } from './answer.ts';
import { commandById } from './index.ts';
import { wrongDay } from './range.ts';
import { factsWith, recorder } from './tools.testing.ts';

test('a range stands in the address, and is seen from its first row', async () => {
  const { tools, done } = recorder();
  const facts = factsWith({ feature: 'audit' });
  await commandById('range.today')?.run({}, facts, tools);
  await commandById('range.week')?.run({}, facts, tools);
  const days = { first: textChoice('2026-01-30'), last: textChoice('2026-01-31 ') };
  await commandById('range.days')?.run(days, facts, tools);
  expect(done).toEqual(['query {"range":"today"}', 'query {}', 'query {"from":"2026-01-30","to":"2026-01-31"}']);
});

test('days in the wrong order are refused', () => {
  const { tools, done } = recorder();
  const days = { first: textChoice('2026-01-31'), last: textChoice('2026-01-30') };
  expect(() => commandById('range.days')?.run(days, factsWith(), tools)).toThrow('not before the first');
  expect(done).toEqual([]);
});

test.each(['2026-02-30', '2026-1-1', 'yesterday', ''])('%j is no day', text =>
  expect(wrongDay(text)).toContain('2026-01-31'),
);
test('a day is one', () => expect(wrongDay('2024-02-29')).toBeUndefined());

test.each([
  ['audit', true],
  ['recordings', true],
  ['nodes', false],
] as const)('on %s there is a range: %s', (feature, there) =>
  expect(commandById('range.today')?.when?.(factsWith({ feature }))).toBe(there),
);
