import { expect, test } from 'vitest';
import { searchedNouns } from '../contract/search.ts';
import { itemsOf } from './items.ts';
import { iconOf, nounIds, nouns } from './nouns.ts';
import { features } from './table.ts';

test('everything that is searched is a noun', () =>
  expect(nounIds).toEqual(expect.arrayContaining([...searchedNouns])));

test.each(nounIds)('%s has an icon, a page that lists, and columns of different names', id => {
  const { page, one, many, listing } = nouns[id];
  const { columns } = itemsOf(id);
  expect(iconOf(id)).toBeDefined();
  expect(page === undefined || features[page].asks === undefined).toBe(true);
  expect(new Set(columns.map(({ key }) => key)).size).toBe(columns.length);
  expect([one, many, listing].every(text => text.length > 0)).toBe(true);
});

test('no two nouns are called the same, listed the same or shown on the same page', () => {
  for (const of of [
    (id: (typeof nounIds)[number]) => nouns[id].many,
    (id: (typeof nounIds)[number]) => nouns[id].listing,
    (id: (typeof nounIds)[number]) => nouns[id].page ?? id,
  ])
    expect(new Set(nounIds.map(of)).size).toBe(nounIds.length);
});
