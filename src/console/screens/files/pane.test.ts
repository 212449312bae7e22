import { expect, test } from 'vitest';
import { ApiError } from '../../../contract/failure.ts';
import type { Listed, Looks } from '../../terminal/files/looks.ts';
import { createPane } from './pane.ts';

const place = { clusterId: 'here', serverId: 's1', login: 'root', title: 'root@db-3' };
const other = { ...place, serverId: 's2', title: 'root@web-1' };
const file = (name: string) => ({ name, kind: 'file' as const, size: 1, mode: 0o644, modified: '' });
const listed = (path: string, names: readonly string[], whole = true): Listed => ({
  path,
  entries: names.map(file),
  whole,
});
function pane(list: Looks['list']) {
  const paths: string[] = [];
  const store = createPane({ list }, (_place, path) => paths.push(path));
  return { store, paths, names: () => store.state.entries.map(({ name }) => name) };
}

test('a late answer of a folder that was left is dropped', async () => {
  const late = Promise.withResolvers<Listed>();
  const { store, paths, names } = pane(async ({ serverId }) =>
    serverId === 's1' ? late.promise : listed('/home', ['theirs']),
  );
  const first = store.show(place);
  await store.show(other);
  late.resolve(listed('/root', ['ours']));
  await first;
  expect([names(), paths, store.state.busy]).toEqual([['theirs'], ['/home'], false]);
});

test('a folder that cannot be entered says why and keeps its path; what may be a file answers that it is none', async () => {
  const { store } = pane(async (_place, path) => {
    if (path === '/root') return listed('/root', ['a']);
    if (path === '/root/a') throw new ApiError('bad_request', '/root/a on db-3 is not a folder.');
    throw new ApiError('denied', 'db-3 does not allow root to do this.');
  });
  await store.show(place, '/root');
  expect(await store.enter('/root/a', { mayBeFile: true })).toBe(false);
  expect(store.state).toMatchObject({ path: '/root', error: null });
  expect(await store.enter('/secret')).toBe(true);
  expect(store.state).toMatchObject({ path: '/root', error: { message: 'db-3 does not allow root to do this.' } });
});

test('where not all entries came the filter asks the host, and asks again when it is emptied', async () => {
  const asked: string[] = [];
  const { store, names } = pane(async (_place, path, search = '') => {
    asked.push(search);
    return search === '' ? listed(path, ['a', 'b'], false) : listed(path, ['zz']);
  });
  await store.show(place, '/big');
  await store.find('z');
  expect([names(), store.state.whole]).toEqual([['zz'], true]);
  await store.find('');
  expect([asked, names()]).toEqual([
    ['', 'z', ''],
    ['a', 'b'],
  ]);
});
