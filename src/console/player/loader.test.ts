import { expect, test } from 'vitest';
import type { RecordingSegment } from '../../contract/recordings.ts';
import { createLoader } from './loader.ts';
import { countUntil, readSegment } from './segment.ts';

const keyframes = Array.from({ length: 10 }, (_, index) => ({
  ms: index * 1000,
  offset: 0,
  cols: 80,
  rows: 24,
  index,
}));
const answer = (index: number): RecordingSegment => ({
  screen: '',
  ms: index * 1000,
  offset: 0,
  cols: 80,
  rows: 24,
  bytes: '',
  prints: [],
});

function started(keep = 3) {
  const asked: number[] = [];
  const broken = new Set<number>();
  const loader = createLoader(
    { keyframes },
    async index => {
      asked.push(index);
      if (broken.has(index)) throw new Error('The gateway is busy');
      return answer(index);
    },
    keep,
  );
  return { loader, asked, broken };
}

test('a part is asked for once, also when two want it at the same time', async () => {
  const { loader, asked } = started();
  await Promise.all([loader.load(1), loader.load(1)]);
  await loader.load(1);
  expect(asked).toEqual([1]);
});

test('the part that was used longest ago makes room', async () => {
  const { loader, asked } = started(3);
  for (const index of [0, 1, 2]) await loader.load(index);
  loader.ready(0);
  await loader.load(3);
  expect([0, 1, 2, 3].map(index => loader.ready(index) !== undefined)).toEqual([true, false, true, true]);
  expect(asked).toEqual([0, 1, 2, 3]);
});

test('a failure is told, and the next try asks again', async () => {
  const { loader, asked, broken } = started();
  broken.add(2);
  await expect(loader.load(2)).rejects.toThrow('The gateway is busy');
  broken.clear();
  expect((await loader.load(2)).ms).toBe(2000);
  expect(asked).toEqual([2, 2]);
});

test('a part that does not exist is refused without asking', async () => {
  const { loader, asked } = started();
  await expect(loader.load(10)).rejects.toThrow(RangeError);
  expect(asked).toEqual([]);
});

test.each([
  [-5, 0],
  [0, 0],
  [999, 0],
  [1000, 1],
  [9500, 9],
  [1e9, 9],
])('the moment %i ms lies in part %i', (ms, index) => expect(started().loader.indexAt(ms)).toBe(index));

test('prints cut the bytes in order, and those that reach past a damaged end are cut', () => {
  const segment = readSegment(0, {
    ...answer(0),
    bytes: btoa('abcdef'),
    prints: [
      [0, 2],
      [5, 90, 30],
      [10, 3],
      [20, 99],
    ],
  });
  expect(segment.events).toEqual([
    { ms: 0, kind: 'print', from: 0, to: 2 },
    { ms: 5, kind: 'resize', cols: 90, rows: 30 },
    { ms: 10, kind: 'print', from: 2, to: 5 },
    { ms: 20, kind: 'print', from: 5, to: 6 },
  ]);
  expect([-1, 0, 9, 10, 99].map(ms => countUntil(segment.events, ms))).toEqual([0, 1, 2, 3, 4]);
});
