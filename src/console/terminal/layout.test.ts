import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bordersOf,
  boxesOf,
  indexed,
  keysIn,
  type Layout,
  neighbour,
  readLayout,
  resized,
  SPLITS_MOST,
  splitAt,
  swapped,
  without,
  withShare,
} from './layout.ts';

/** a | b above c, as two splits make it. */
const three = splitAt(splitAt('a', 'a', 'b', 'right'), 'b', 'c', 'down');

/** Layouts as a person makes them: each split halves some terminal. */
const layouts = fc
  .array(fc.tuple(fc.nat(), fc.constantFrom('right' as const, 'down' as const)), { maxLength: SPLITS_MOST - 1 })
  .map(splits =>
    splits.reduce<Layout>((layout, [at, direction], index) => {
      const keys = keysIn(layout);
      return splitAt(layout, keys[at % keys.length] ?? '', `k${index}`, direction);
    }, 'first'),
  );

test('the terminals of a tab fill it, and none lies over another', () =>
  fc.assert(
    fc.property(layouts, layout => {
      const boxes = [...boxesOf(layout).values()];
      expect(boxes.reduce((sum, { width, height }) => sum + width * height, 0)).toBeCloseTo(1);
      expect(bordersOf(layout)).toHaveLength(boxes.length - 1);
    }),
  ));

test('whoever is to the right has one on its left, and so for every side', () =>
  fc.assert(
    fc.property(layouts, layout => {
      for (const key of keysIn(layout))
        for (const [to, back] of [
          ['right', 'left'],
          ['down', 'up'],
        ] as const) {
          const other = neighbour(layout, key, to);
          if (other !== undefined) expect(neighbour(layout, other, back)).toBeDefined();
        }
    }),
  ));

test('a split is gone with its terminal, and the other half has its room', () => {
  expect(without(three, 'c')).toEqual(splitAt('a', 'a', 'b', 'right'));
  expect(without(without(three, 'a') ?? '', 'b')).toBe('c');
  expect(without('a', 'a')).toBeNull();
});

test('neighbours are found by where they are', () => {
  expect([neighbour(three, 'a', 'right'), neighbour(three, 'c', 'up'), neighbour(three, 'c', 'left')]).toEqual([
    'b',
    'b',
    'a',
  ]);
  expect([neighbour(three, 'a', 'left'), neighbour(three, 'c', 'down')]).toEqual([undefined, undefined]);
});

test('a border moves by key as far as both halves keep some room', () => {
  expect(boxesOf(resized(three, 'a', 'right', 0.2)).get('a')?.width).toBeCloseTo(0.7);
  expect(boxesOf(resized(three, 'c', 'left', 5)).get('a')?.width).toBeCloseTo(0.1);
  expect(boxesOf(resized(three, 'c', 'up', 0.1)).get('c')?.height).toBeCloseTo(0.6);
  expect(resized('a', 'a', 'up', 0.1)).toBe('a');
});

test('two terminals swap their places', () => expect(keysIn(swapped(three, 'a', 'c'))).toEqual(['c', 'b', 'a']));

test('a layout comes back as it was saved, and without what is not there any more', () =>
  fc.assert(
    fc.property(layouts, fc.nat(), (layout, gone) => {
      const keys = keysIn(layout);
      const saved = JSON.parse(JSON.stringify(indexed(layout, key => keys.indexOf(key))));
      expect(readLayout(saved, index => keys[index as number])).toEqual(layout);
      const lost = keys[gone % keys.length] ?? '';
      const left = readLayout(saved, index => (keys[index as number] === lost ? undefined : keys[index as number]));
      expect(left ?? null).toEqual(without(layout, lost));
    }),
  ));

test.each([
  [null],
  [7],
  ['x'],
  [{ direction: 'up', share: 0.5, first: 0, second: 1 }],
  [{ direction: 'right', share: '1', first: 0, second: 1 }],
])('what is no layout is none: %j', value => expect(readLayout(value, () => undefined)).toBeUndefined());

test('one terminal stands in one place only, and shares stay within bounds', () => {
  const twice = {
    direction: 'right',
    share: 99,
    first: 0,
    second: { direction: 'down', share: 0, first: 0, second: 1 },
  };
  expect(readLayout(twice, index => `k${String(index)}`)).toEqual({
    direction: 'right',
    share: 0.9,
    first: 'k0',
    second: 'k1',
  });
  expect(withShare(three, '2', 7)).toMatchObject({ second: { share: 0.9 } });
});
