import { expect, test } from 'vitest';
import { createFrameMemory } from './frame-memory.ts';

test('memory is used again only after it was given back', () => {
  const frames = createFrameMemory();
  const first = frames.take(16_000);
  const second = frames.take(16_000);
  expect(first).not.toBe(second);
  frames.giveBack(first);
  expect(frames.take(5000)).toBe(first);
  expect(frames.take(5000)).not.toBe(first);
});

test('small frames, and those larger than any output, have memory of their own', () => {
  const frames = createFrameMemory();
  expect([frames.take(100), frames.take(1_000_000)]).toEqual([undefined, undefined]);
  frames.giveBack(undefined);
  expect(frames.take(16_383 + 12)?.length).toBeGreaterThanOrEqual(16_383 + 12);
});

test('what a slow time needed is not kept for ever', () => {
  const frames = createFrameMemory();
  const all = Array.from({ length: 100 }, () => frames.take(16_000));
  for (const memory of all) frames.giveBack(memory);
  const again = Array.from({ length: 100 }, () => frames.take(16_000));
  expect(again.filter(memory => all.includes(memory)).length).toBeLessThan(20);
});
