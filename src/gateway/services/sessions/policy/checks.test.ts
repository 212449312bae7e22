import { expect, test } from 'vitest';
import { inSlices } from './checks.ts';

/** Keeps the thread for so long, ms. */
function think(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('what waits for its turn has it between two of many things that are judged, and each is judged once, in order', async () => {
  const judged: number[] = [];
  let isOver = false;
  const passed: number[] = [];
  const wait = (): void =>
    void setImmediate(() => {
      passed.push(judged.length);
      if (!isOver) wait();
    });
  wait();
  await inSlices(
    Array.from({ length: 20 }, (_, index) => index),
    async thing => {
      think(1);
      judged.push(thing);
    },
  );
  isOver = true;
  expect(judged).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(passed.filter(count => count > 0 && count < 20).length).toBeGreaterThan(1);
});

test('what cannot be judged ends the check', async () => {
  const judged: number[] = [];
  const judging = inSlices([1, 2, 3], async thing => {
    if (thing === 2) throw new Error('no store');
    judged.push(thing);
  });
  await expect(judging).rejects.toThrow('no store');
  expect(judged).toEqual([1]);
});
