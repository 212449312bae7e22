import { expect, test } from 'vitest';
import {
  chosenColumns,
  columnsAtFirst,
  commonLabels,
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
const label = (name: string) => ({ name, value: 'x' });
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

const labelColumn = (name: string) => ({ key: `label:${name}`, title: name, draw: () => '' });

test('the first column and the actions cannot be hidden, and labels become columns before the rest of them and the actions', () => {
  expect(keysOf(chosenColumns(columns, columnsAtFirst(columns, []), labelColumn))).toEqual(keysOf(columns));
  expect(keysOf(chosenColumns(columns, [], labelColumn))).toEqual(['name', 'actions']);
  expect(keysOf(chosenColumns(columns, ['labels', 'label:env'], labelColumn))).toEqual([
    'name',
    'label:env',
    'labels',
    'actions',
  ]);
});

test('a label that most rows carry is worth a column, the most common first', () => {
  const rows = [
    { labels: [label('env'), label('team')] },
    { labels: [label('env'), label('team'), label('arch')] },
    { labels: [label('env'), label('env')] },
    { labels: [] },
  ];
  expect(commonLabels(rows, labelsOf)).toEqual(['env']);
  expect(commonLabels(rows.slice(0, 3), labelsOf)).toEqual(['env', 'team']);
  expect(commonLabels([], labelsOf)).toEqual([]);
});

test('the first choice of columns starts from what was shown', () => {
  const shown = columnsAtFirst(columns, ['env']);
  expect(toggledColumn(shown, 'addr')).toEqual(['labels', 'label:env']);
  expect(toggledColumn(shown, 'label:env')).toEqual(['addr', 'labels']);
  expect(toggledColumn(['labels'], 'labels')).toEqual([]);
});

test('a view keeps the question, not the place in the list, and always in the same order', () => {
  expect(viewSearch({ sort: 'a:asc', row: '16', live: 'yes', search: 'x y', query: '' })).toBe(
    'search=x+y&sort=a%3Aasc',
  );
  expect(viewSearch({ search: 'x y', sort: 'a:asc' })).toBe('search=x+y&sort=a%3Aasc');
});

test('choosing a view replaces the whole question', () => {
  expect(viewChange({ search: 'old', row: '16' }, 'query=name+%3D%3D+%22a%22')).toEqual({
    search: undefined,
    row: undefined,
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
