import { expect, test } from 'vitest';
import { factsWith } from '../../../commands/tools.testing.ts';
import { shareFacts } from './drawn-facts.ts';

test('all that is drawn in one turn reads the facts once, hears of them by one, and reads them anew when they have changed', async () => {
  let [reads, heard] = [0, 0];
  const sources = new Set<() => void>();
  const { facts, on } = shareFacts({
    facts: () => factsWith({ terminalCount: ++reads }),
    onFacts: listener => {
      sources.add(listener);
      return () => sources.delete(listener);
    },
  });
  const stops = Array.from({ length: 60 }, () =>
    on(() => {
      heard += facts().terminalCount;
    }),
  );
  expect(sources.size).toBe(1);
  expect([facts(), facts()].map(({ terminalCount }) => terminalCount)).toEqual([1, 1]);
  for (const changed of sources) changed();
  expect([reads, heard]).toEqual([2, 120]);
  await Promise.resolve();
  expect(facts().terminalCount).toBe(3);
  for (const stop of [...stops, ...stops]) stop();
  expect(sources.size).toBe(0);
  on(() => {});
  expect(sources.size).toBe(1);
});
