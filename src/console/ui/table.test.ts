import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextSort, sortedBy } from './table-column.ts';
import { HELD_MOST_ROWS, scrollNote, windowAt } from './table-window.ts';

test('a header sorts upwards first, then downwards', () => {
  expect(sortedBy('a', undefined)).toEqual({ key: 'a', down: false });
  expect(sortedBy('a', { key: 'a', down: false })).toEqual({ key: 'a', down: true });
  expect(sortedBy('a', { key: 'b', down: false })).toEqual({ key: 'a', down: false });
});

test('the key for sorting goes through the columns that sort, around the end', () => {
  const columns = [{ key: 'a', sorts: true }, { key: 'b' }, { key: 'c', sorts: true }];
  expect(nextSort(columns, { key: 'a', down: true })?.key).toBe('c');
  expect(nextSort(columns, { key: 'c', down: false })?.key).toBe('a');
  expect(nextSort([{ key: 'b' }], undefined)).toBeUndefined();
});

test('wherever a long list is scrolled to, all rows in view are drawn and few others', () => {
  fc.assert(
    fc.property(
      fc.nat(4_000_000),
      fc.integer({ min: 1, max: 3000 }),
      fc.integer({ min: 16, max: 64 }),
      fc.nat(100_000),
      (above, seen, height, rows) => {
        const { first, end } = windowAt(above, seen, height, rows);
        const top = Math.min(rows, Math.floor(above / height));
        const bottom = Math.min(rows, Math.ceil((above + seen) / height));
        expect(first <= top && end >= bottom && first >= 0 && end <= rows && first <= end).toBe(true);
        expect(end - first).toBeLessThanOrEqual(Math.ceil(seen / height) + 72);
      },
    ),
    { numRuns: 500 },
  );
});

test('a list that is longer than a page can be says where scrolling ends', () => {
  expect(scrollNote(HELD_MOST_ROWS, 0)).toBe('/ searches all of them');
  expect(scrollNote(100, 0)).toBeUndefined();
  expect(scrollNote(HELD_MOST_ROWS + 1, 0)).toBe('Scrolling ends at row 160000; / narrows the list');
  expect(scrollNote(HELD_MOST_ROWS, 2)).toContain('row 159998;');
});
