import { expect, test } from 'vitest';
import {
  chosenColumns,
  idsOf,
  pinned,
  thingKey,
  toggledColumn,
  viewChange,
  viewSearch,
  withView,
} from './list-choices.ts';

const columns = [
  { key: 'name', title: 'Name', draw: () => '' },
  { key: 'addr', title: 'Address', draw: () => '' },
  { key: 'labels', title: 'Labels', draw: () => '' },
  { key: 'actions', title: 'Actions', quiet: true, draw: () => '' },
];
const labelsOf = (row: { labels: { name: string; value: string }[] }) => row.labels;
const keysOf = (list: readonly { readonly key: string }[]) => list.map(column => column.key);

test('pins come first when they are new, and pinning all pinned rows unpins them', () => {
  expect(pinned(['server a'], ['server b', 'server a'])).toEqual(['server b', 'server a']);
  expect(pinned(['server b', 'server a'], ['server a'])).toEqual(['server b']);
  expect(
    pinned(
      Array.from({ length: 500 }, (_, at) => `server ${at}`),
      ['server new'],
    ),
  ).toHaveLength(500);
});

test('ids are taken of one kind only, in their order', () => {
  expect(idsOf(['server b', 'user server', 'answer shell.open server', 'server a b'], 'server')).toEqual(['b', 'a b']);
  expect(thingKey({ kind: 'server', id: 'x'.repeat(300) })).toHaveLength(255);
});

test('the first column and the actions cannot be hidden, and labels become columns before the actions', () => {
  expect(keysOf(chosenColumns(columns, undefined, labelsOf))).toEqual(['name', 'addr', 'labels', 'actions']);
  expect(keysOf(chosenColumns(columns, [], labelsOf))).toEqual(['name', 'actions']);
  const shown = chosenColumns(columns, ['labels', 'label:env'], labelsOf);
  expect(keysOf(shown)).toEqual(['name', 'labels', 'label:env', 'actions']);
  expect(shown[2]?.draw({ labels: [{ name: 'env', value: 'prod' }] })).toBe('prod');
  expect(shown[2]?.draw({ labels: [] })).toBe('');
});

test('the first choice of columns starts from what was shown', () => {
  expect(toggledColumn(columns, undefined, 'addr')).toEqual(['labels']);
  expect(toggledColumn(columns, undefined, 'label:env')).toEqual(['addr', 'labels', 'label:env']);
  expect(toggledColumn(columns, ['labels'], 'labels')).toEqual([]);
});

test('a view keeps the question, not the place in the list, and always in the same order', () => {
  expect(viewSearch({ sort: 'a:asc', after: 'k', from: '16', page: '2', search: 'x y', query: '' })).toBe(
    'search=x+y&sort=a%3Aasc',
  );
  expect(viewSearch({ search: 'x y', sort: 'a:asc' })).toBe('search=x+y&sort=a%3Aasc');
});

test('choosing a view replaces the whole question', () => {
  expect(viewChange({ search: 'old', after: 'k' }, 'query=name+%3D%3D+%22a%22')).toEqual({
    search: undefined,
    after: undefined,
    query: 'name == "a"',
  });
});

test('a view of the same name is replaced, and what cannot be kept is refused with the reason', () => {
  const one = withView([], ' Mine ', 'search=a');
  expect(withView(one, 'Mine', 'search=b')).toEqual([{ title: 'Mine', search: 'search=b' }]);
  expect(() => withView([], '  ', '')).toThrow('A view has a name');
  expect(() => withView([], 'x', 'y'.repeat(5000))).toThrow('too long');
  const full = Array.from({ length: 50 }, (_, at) => ({ title: `v${at}`, search: '' }));
  expect(() => withView(full, 'one more', '')).toThrow('at most 50 views');
  expect(withView(full, 'v3', 'a=b')).toHaveLength(50);
});
