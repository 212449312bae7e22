import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../contract/failure.ts';
import type { Page } from '../../contract/shapes.ts';
import { createPagedList, type FetchPage } from './paged-list.ts';

interface PageRequest {
  readonly search?: string;
  readonly limit: number;
  readonly startKey?: string;
  readonly offset?: number;
}

/** A list of numbers that the "gateway" pages; what it was asked is written down. */
function numbers(total: number, log: PageRequest[] = []): FetchPage<number> {
  return async (asked): Promise<Page<number>> => {
    log.push(asked);
    const least = Number(asked.search ?? 0);
    const count = Math.max(0, total - least);
    const at = Number(asked.startKey ?? 0) + (asked.offset ?? 0);
    const items = Array.from({ length: Math.max(0, Math.min(asked.limit, count - at)) }, (_, row) => least + at + row);
    return { items, startKey: at + asked.limit < count ? String(at + asked.limit) : '', totalCount: count };
  };
}
/** Until nothing more is asked. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};
const placesOf = (log: readonly PageRequest[]) =>
  log.map(({ startKey, offset }) => startKey ?? (offset ? `+${offset}` : '0'));

test('rows around the view are in memory, each at its place', async () => {
  const { state, load, see } = createPagedList(numbers(100_000));
  await load({});
  for (const first of [0, 90, 3000, 99_980, 54_321, 20]) {
    see(first, first + 25);
    await settled();
    const at = first - state.start;
    expect(state.rows.slice(at, at + 20)).toEqual(Array.from({ length: 20 }, (_, index) => first + index));
    expect(state.rows[0]).toBe(state.start);
  }
});

test('scrolling on asks by keys, and a jump by its place', async () => {
  const log: PageRequest[] = [];
  const { load, see } = createPagedList(numbers(100_000, log));
  await load({});
  see(120, 145);
  await settled();
  expect(placesOf(log)).toEqual(['0', '100', '200']);
  log.length = 0;
  see(50_000, 50_025);
  await settled();
  expect(placesOf(log)).toEqual(['+50000', '50100', '+49900']);
});

test('a jump asks for nothing on its way', async () => {
  const log: PageRequest[] = [];
  const { load, see } = createPagedList(numbers(100_000, log));
  await load({});
  log.length = 0;
  for (let first = 1000; first <= 90_000; first += 1000) see(first, first + 25);
  await settled();
  // The page that was on its way, those of the last view, and nothing of what lay between.
  expect(log.length).toBeLessThanOrEqual(5);
});

test('however far someone scrolls, memory and one answer stay small', async () => {
  const log: PageRequest[] = [];
  const { state, load, see } = createPagedList(numbers(100_000, log));
  await load({});
  for (let first = 0; first < 100_000; first += 100) {
    see(first, first + 25);
    await settled();
    expect(state.rows.length).toBeLessThanOrEqual(600);
  }
  expect(Math.max(...log.map(({ limit }) => limit))).toBe(100);
  log.length = 0;
  see(0, 25);
  await settled();
  expect(placesOf(log)).toEqual(['0', '100']);
});

test('asked again, it stays where it is; when the list became shorter, it shows the last rows', async () => {
  let total = 5000;
  const log: PageRequest[] = [];
  const { state, load, see, reload } = createPagedList<number>(asked => numbers(total, log)(asked, false));
  await load({});
  see(4000, 4025);
  await settled();
  const before = state.asked;
  log.length = 0;
  await reload();
  expect(placesOf(log)[0]).toBe('+4000');
  expect([state.asked > before, state.rows.includes(4010)]).toEqual([true, true]);
  total = 150;
  await reload();
  expect([state.total, state.rows.includes(149)]).toEqual([150, true]);
  total = 0;
  await reload();
  expect([state.total, state.rows]).toEqual([0, []]);
});

test('when a page fails, the old rows stay, and the next scroll asks for it again', async () => {
  let fails = false;
  const { state, load, see } = createPagedList<number>(asked =>
    fails ? Promise.reject(new ApiError('network')) : numbers(1000)(asked, false),
  );
  await load({});
  fails = true;
  see(500, 525);
  await settled();
  expect([state.status, state.error?.code, state.rows[0]]).toEqual(['failed', 'network', 0]);
  fails = false;
  see(501, 526);
  await settled();
  expect([state.status, state.error, state.rows.includes(510)]).toEqual(['success', null, true]);
});

test('whatever order the answers come in, the last question and the last view win', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.tuple(fc.nat(900), fc.nat(999)), { minLength: 1, maxLength: 8 }),
      async (scheduler, turns) => {
        const fetchPage = numbers(2000);
        const { state, load, see } = createPagedList<number>(asked => scheduler.schedule(fetchPage(asked, false)));
        const asked = turns.map(([search, first]) => {
          const loading = load({ search: String(search) });
          see(first, first + 20);
          return loading;
        });
        await scheduler.waitFor(Promise.all(asked));
        const [search = 0, first = 0] = turns.at(-1) ?? [];
        expect(state.rows[first - state.start]).toBe(search + first);
      },
    ),
    { numRuns: 200 },
  );
});

test('what failed comes by asking once more: a page, or the whole question', async () => {
  let fails = false;
  const { state, load, see, retry } = createPagedList<number>(asked =>
    fails ? Promise.reject(new ApiError('network')) : numbers(1000)(asked, false),
  );
  await load({});
  fails = true;
  see(500, 525);
  await settled();
  fails = false;
  const before = state.asked;
  await retry();
  expect([state.error, state.rows.includes(510), state.asked]).toEqual([null, true, before]);
  fails = true;
  await load({ search: '7' });
  expect([state.status, state.rows.includes(510)]).toEqual(['failed', true]);
  fails = false;
  await retry();
  expect([state.error, state.rows[0]]).toEqual([null, 7]);
});
