import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../contract/failure.ts';
import type { Page } from '../../contract/shapes.ts';
import { createPager } from './pager.ts';

/** A list of numbers that the "gateway" pages; the search is the smallest number wanted. */
function numbers(total: number) {
  return async ({
    search,
    limit,
    startKey,
  }: {
    search?: string;
    limit: number;
    startKey?: string;
  }): Promise<Page<number>> => {
    const all = Array.from({ length: total }, (_, index) => index).filter(number => number >= Number(search ?? 0));
    const at = Number(startKey ?? 0);
    const items = all.slice(at, at + limit);
    return { items, startKey: at + limit < all.length ? String(at + limit) : '', totalCount: all.length };
  };
}

test('pages go on and back, and say which rows they show', async () => {
  const { state, load, next, previous } = createPager(numbers(40), 15);
  await load({});
  const seen = () => [state.from, state.rows.length, state.total, state.hasPrevious, state.nextKey !== ''];
  expect(seen()).toEqual([1, 15, 40, false, true]);
  await next();
  await next();
  expect(seen()).toEqual([31, 10, 40, true, false]);
  await next();
  expect(seen()).toEqual([31, 10, 40, true, false]);
  await previous();
  expect([...seen(), state.rows[0]]).toEqual([16, 15, 40, true, true, 15]);
  await previous();
  await previous();
  expect(seen()).toEqual([1, 15, 40, false, true]);
});

test('a new question starts at its first page', async () => {
  const { state, load, next } = createPager(numbers(40), 15);
  await load({});
  await next();
  await load({ search: '30' });
  expect([state.from, state.rows[0], state.hasPrevious]).toEqual([1, 30, false]);
});

test('an empty list shows rows 0 to 0', async () => {
  const { state, load } = createPager(numbers(0), 15);
  await load({});
  expect([state.status, state.from, state.rows]).toEqual(['success', 0, []]);
});

test('when a page fails, the old rows stay', async () => {
  let fails = false;
  const pager = createPager<number>(
    asked => (fails ? Promise.reject(new ApiError('internal', 'broken')) : numbers(40)(asked)),
    15,
  );
  await pager.load({});
  fails = true;
  await pager.next();
  expect([pager.state.status, pager.state.error?.message, pager.state.rows.length, pager.state.from]).toEqual([
    'failed',
    'broken',
    15,
    1,
  ]);
  fails = false;
  await pager.next();
  expect([pager.state.status, pager.state.error, pager.state.from]).toEqual(['success', null, 16]);
});

test('whatever order the answers come in, the last question wins', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.nat(39), { minLength: 1, maxLength: 12 }),
      async (scheduler, searches) => {
        const fetchPage = numbers(40);
        const { state, load } = createPager<number>(asked => scheduler.schedule(fetchPage(asked)), 15);
        const asked = searches.map(search => load({ search: String(search) }));
        await scheduler.waitAll();
        await Promise.all(asked);
        expect(state.rows[0]).toBe(searches.at(-1));
      },
    ),
    { numRuns: 200 },
  );
});

test('a link to a later page shows it, and leads back to the first', async () => {
  const { state, load, previous, place } = createPager(numbers(40), 15);
  await load({}, { at: { key: '15', from: 16 } });
  expect([state.from, state.rows[0], state.hasPrevious]).toEqual([16, 15, true]);
  await previous();
  expect([state.from, state.rows[0], place().key]).toEqual([1, 0, '']);
});
