import { expect, test } from 'vitest';
import type { FileEntry } from '../../../contract/files.ts';
import { createActs } from './acts.ts';
import { createPane } from './pane.ts';

const entry = (name: string, kind: FileEntry['kind'] = 'file'): FileEntry => ({
  name,
  kind,
  size: 1,
  mode: 0o644,
  modified: '2026-01-01T00:00:00Z',
});
const db3 = { clusterId: 'here', serverId: 's1', login: 'root', title: 'root@db-3' };
const web1 = { ...db3, serverId: 's2', title: 'root@web-1' };

/** Two panes over scripted folders; `yes`: what is answered to each question. */
async function rig(yes: boolean, folders: Readonly<Record<string, readonly FileEntry[]>>) {
  const log: string[] = [];
  const looks = {
    list: async ({ serverId }: { serverId: string }, path: string) => ({
      path,
      entries: folders[`${serverId}:${path}`] ?? [],
      whole: true,
    }),
    async remove(_place: object, location: string) {
      if (location.endsWith('stuck')) throw new Error('db-3 does not allow root to do this.');
      log.push(`remove ${location}`);
    },
  };
  const acts = createActs({
    looks,
    transfers: {
      async copy(_from, { title }, files) {
        for (const { location, to, isFolder } of files)
          log.push(`copy ${location} to ${title} ${to}${isFolder ? ' whole' : ''}`);
      },
      async download(_place, files) {
        for (const { location, archive } of files) log.push(`download ${location} ${archive ?? ''}`.trim());
      },
      upload: async (_place, files, location) =>
        void log.push(`upload ${files.map(({ name }) => name)} to ${location}`),
      uploadFolder: async (_place, name, parts, base) => void log.push(`upload ${name} of ${parts.length} to ${base}`),
    },
    confirm: async ({ title }) => {
      log.push(title);
      return yes;
    },
    notify: text => void log.push(text),
  });
  const left = createPane(looks, () => undefined);
  const right = createPane(looks, () => undefined);
  await left.show(db3, '/etc');
  return { log, acts, left, right };
}

test('a copy goes under the same name into the folder of the other pane, folders whole', async () => {
  const { log, acts, left, right } = await rig(true, {});
  await right.show(web1, '/');
  await acts.copy(left, right, [entry('hosts'), entry('nginx', 'folder')], () => undefined);
  expect(log).toEqual(['copy /etc/hosts to root@web-1 /hosts', 'copy /etc/nginx to root@web-1 /nginx whole']);
});

test('onto this computer it is a download', async () => {
  const { log, acts, left, right } = await rig(true, {});
  await acts.copy(left, right, [entry('hosts'), entry('nginx', 'folder')], () => undefined);
  expect(log).toEqual(['download /etc/hosts', 'download /etc/nginx tar']);
});

test('what is there is replaced only after a yes', async () => {
  const { log, acts, left, right } = await rig(false, { 's2:/etc': [entry('hosts')] });
  await right.show(web1, '/etc');
  await acts.copy(left, right, [entry('hosts'), entry('new')], () => undefined);
  await acts.upload(right, { files: [new File([], 'hosts')], folders: [] });
  expect(log).toEqual(['Replace hosts?', 'Replace hosts?']);
});

test('nothing is copied onto itself, or into itself', async () => {
  const { log, acts, left, right } = await rig(true, {});
  await right.show(db3, '/etc');
  await acts.copy(left, right, [entry('hosts')], () => undefined);
  await right.show(db3, '/etc/nginx/sites');
  await acts.copy(left, right, [entry('nginx', 'folder')], () => undefined);
  expect(log).toEqual(['Both panes show the same folder', 'nginx cannot be copied into itself']);
});

test('what is uploaded goes into the folder of the pane; without one it is said', async () => {
  const { log, acts, left, right } = await rig(true, {});
  const what = { files: [new File([], 'a')], folders: [{ name: 'box', parts: [{ path: 'b', file: null }] }] };
  await acts.upload(left, what);
  await acts.upload(right, what);
  expect(log).toEqual([
    'upload a to /etc/',
    'upload box of 1 to /etc/box',
    'Show a folder of a server first: files go there',
  ]);
});

test('deleting asks, stops at what the host refuses, and says why', async () => {
  const { log, acts, left } = await rig(true, {});
  await acts.remove(left, [entry('a'), entry('stuck'), entry('b')]);
  expect(log).toEqual(['Delete 3 things?', 'remove /etc/a', 'db-3 does not allow root to do this.']);
});
