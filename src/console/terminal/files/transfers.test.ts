import { expect, test } from 'vitest';
import type { MakeCall } from '../../../contract/call.ts';
import { ApiError } from '../../../contract/failure.ts';
import { listFiles, makeFolder, proveTransfers } from '../../../contract/files.ts';
import { bytesText, progressText } from './progress.ts';
import { createTransfers, type Transfer, type TransferWire } from './transfers.ts';

const place = { clusterId: 'here', serverId: 's1', login: 'root', title: 'root@db-3' };
const file = (name: string, bytes = 100): File => new File([new Uint8Array(bytes)], name);

interface Script {
  readonly wire?: Partial<TransferWire>;
  readonly required?: boolean;
  readonly received?: number;
  /** The session there asks its moderators first; `refused`: what they say. */
  readonly asks?: boolean;
  readonly refused?: string;
  /** What is in each folder there. */
  readonly listed?: Readonly<Record<string, object>>;
}
function rig({ wire = {}, required = false, received, asks = false, refused, listed = {} }: Script = {}) {
  const log: string[] = [];
  let time = 0;
  const call = (async (asked, given) => {
    log.push(`${asked.method} ${asked.path.split('/').at(-1)}`);
    if (asked.path.endsWith('required')) return { required };
    if (asked.path === proveTransfers.path) {
      const { transfers } = (given as unknown as { body: { transfers: { location: string }[] } }).body;
      log.push(`proven ${transfers.map(({ location }) => location)}`);
      return { set: 'one' };
    }
    if (asked.path === listFiles.path && asked.method === 'GET')
      return listed[(given as unknown as { query: { location: string } }).query.location];
    if (asked.path === makeFolder.path)
      log.push(`make ${(given as unknown as { body: { location: string } }).body.location}`);
    if (asked.path.endsWith('authenticatechallenge')) return { totp_challenge: false };
    if (asked.method === 'GET' && received !== undefined) return { received };
    if (asked.method === 'GET') throw new ApiError('not_found');
    return given;
  }) as MakeCall;
  const transfers = createTransfers({
    call,
    token: () => 'token',
    prove: async title => {
      log.push(`touch for ${title}`);
      return '{"id":"key"}';
    },
    async approval(_place, { location }) {
      if (refused !== undefined) throw new Error(refused);
      if (asks) log.push(`approved ${location}`);
      return asks ? { moderatedSessionId: 's', fileTransferRequestId: 'r' } : {};
    },
    save: (_file, name) => void log.push(`saved ${name}`),
    wire: {
      put: async (path, _file, from) =>
        void log.push(`put ${new URL(path, 'http://x').searchParams.get('location')} from ${from}`),
      get: async (_path, { got }) => {
        got(10, 10);
        return new Blob();
      },
      async copy(path, body, _token, { got }) {
        const { location, to } = JSON.parse(body);
        log.push(`copy ${path.split('/')[6]} ${location} to ${to.nodeId} ${to.location}`);
        got(5, 5);
      },
      ...wire,
    },
    now: () => (time += 1000),
    after: async ms => void log.push(`wait ${ms}`),
  });
  /** Resolves when nothing runs or waits any more. */
  const settled = async (): Promise<void> => {
    while (transfers.state.transfers.some(({ status }) => status === 'waiting' || status === 'running'))
      await new Promise(setImmediate);
  };
  return { transfers, log, settled, statuses: () => transfers.state.transfers.map(({ status }) => status) };
}

test('files go up and come down, each by its own request and name', async () => {
  const { transfers, log, settled, statuses } = rig();
  transfers.upload(place, [file('a'), file('b')], '~/');
  transfers.download(place, [{ location: '~/logs/syslog' }]);
  await settled();
  expect(statuses()).toEqual(['done', 'done', 'done']);
  const done = log.filter(line => !line.includes('required')).toSorted();
  expect(done).toEqual(['put ~/ from 0', 'put ~/ from 0', 'saved syslog']);
});

test('a folder comes as a tar, and how large it was shows at its end', async () => {
  const shown: string[] = [];
  const { transfers, log, settled } = rig({
    wire: {
      async get(path, { got }) {
        log.push(`get ${new URL(path, 'http://x').searchParams.get('archive')}`);
        got(5_000_000, 0);
        shown.push(progressText(transfers.state.transfers[0] as Transfer));
        return new Blob();
      },
    },
  });
  transfers.download(place, [{ location: '~/logs/', archive: 'tar' }]);
  await settled();
  expect(log.filter(line => !line.includes('required'))).toEqual(['get tar', 'saved logs.tar']);
  expect([shown[0], progressText(transfers.state.transfers[0] as Transfer)]).toEqual(['5.0 MB', '5.0 MB']);
});

test('a folder of this computer is made there and filled, and what cannot come is said when the rest is there', async () => {
  const wire: Partial<TransferWire> = {
    async put(path, _file, _from, _token, { sent }) {
      const location = new URL(path, 'http://x').searchParams.get('location') ?? '';
      if (location.endsWith('bad')) throw new ApiError('denied', 'db-3 does not allow root to do this.');
      log.push(`put ${location}`);
      sent(100);
    },
  };
  const { transfers, log, settled } = rig({ wire });
  const parts = [
    { path: 'sub', file: null },
    { path: 'sub/bad', file: file('bad') },
    { path: 'sub/a', file: file('a') },
  ];
  await transfers.uploadFolder(place, 'box', parts, '/srv/box');
  await settled();
  expect(log.filter(line => /^(make|put) /.test(line))).toEqual([
    'make /srv/box',
    'make /srv/box/sub',
    'put /srv/box/sub/a',
  ]);
  expect(transfers.state.transfers[0]).toMatchObject({
    name: 'box/',
    loaded: 100,
    total: 200,
    status: 'failed',
    problem: '1 of 4 were left out. sub/bad: db-3 does not allow root to do this.',
  });
});

test('a folder of another server comes file by file, with names of any bytes; links are left out and named', async () => {
  const entry = (name: string, kind: string) => ({ name, kind, size: 5, mode: 0o644, modified: '' });
  const listed = {
    '/etc/nginx': { path: '/etc/nginx', whole: true, entries: [entry('x\udcff', 'folder'), entry('link', 'link')] },
    '/etc/nginx/x\udcff': { path: '/etc/nginx/x\udcff', whole: true, entries: [entry('a', 'file')] },
  };
  const { transfers, log, settled } = rig({ listed });
  const to = { ...place, serverId: 's2', title: 'root@web-1' };
  await transfers.copy(place, to, [{ location: '/etc/nginx', to: '/srv/nginx', isFolder: true }]);
  await settled();
  expect(log.filter(line => /^(make|copy) /.test(line))).toEqual([
    'make /srv/nginx',
    'make /srv/nginx/x\udcff',
    'copy s1 /etc/nginx/x\udcff/a to s2 /srv/nginx/x\udcff/a',
  ]);
  expect(transfers.state.transfers[0]).toMatchObject({
    kind: 'copy',
    title: 'root@web-1',
    loaded: 5,
    problem: '1 of 4 were left out. link: it is no file or folder',
  });
});

test('three run at once, and the next begins when one has ended', async () => {
  const ends: (() => void)[] = [];
  const { transfers, settled, statuses } = rig({ wire: { put: () => new Promise(done => ends.push(done)) } });
  transfers.upload(place, [file('a'), file('b'), file('c'), file('d')], '~/');
  expect(statuses()).toEqual(['running', 'running', 'running', 'waiting']);
  while (ends.length < 3) await new Promise(setImmediate);
  ends[0]?.();
  while (ends.length < 4) await new Promise(setImmediate);
  expect(statuses()).toEqual(['done', 'running', 'running', 'running']);
  for (const end of ends) end();
  await settled();
});

test('an upload that is cut goes on where the gateway has it, and is not proven again', async () => {
  const froms: number[] = [];
  const { transfers, log, settled, statuses } = rig({
    required: true,
    received: 60,
    wire: {
      put: async (_path, _file, from) => {
        froms.push(from);
        if (from === 0) throw new ApiError('network');
      },
    },
  });
  transfers.upload(place, [file('a')], '~/');
  await settled();
  expect(statuses()).toEqual(['done']);
  expect(froms).toEqual([0, 60]);
  expect(log.filter(line => line.startsWith('touch'))).toEqual(['touch for root@db-3']);
  expect(log).toContain('wait 500');
});

test('several files, and a folder with all that is in it, are proven by one touch; what is tried again by its own', async () => {
  const sets: (string | null)[] = [];
  let refusals = 1;
  const wire: Partial<TransferWire> = {
    async put(path) {
      const query = new URL(path, 'http://x').searchParams;
      sets.push(query.get('set') ?? query.get('webauthn'));
      if (query.get('filename') === 'b' && refusals-- > 0) throw new ApiError('denied', 'no');
    },
  };
  const { transfers, log, settled, statuses } = rig({ required: true, wire });
  const proofs = (): string[] => log.splice(0).filter(line => /^(touch|proven)/.test(line));
  await transfers.upload(place, [file('a'), file('b'), file('c')], '~/');
  expect([sets.splice(0), proofs()]).toEqual([Array(3).fill('one'), ['touch for root@db-3', 'proven ~/,~/,~/']]);
  transfers.again(transfers.state.transfers[1]?.id ?? '');
  await settled();
  expect([statuses(), sets.splice(0)]).toEqual([Array(3).fill('done'), ['{"webauthnAssertionResponse":{"id":"key"}}']]);
  expect(proofs()).toEqual(['touch for root@db-3']);
  await transfers.uploadFolder(place, 'box', [{ path: 'a', file: file('a') }], '/srv/box');
  expect([sets, proofs()]).toEqual([['one'], ['touch for root@db-3', 'proven /srv/box']]);
});

test('what the gateway refuses fails with its words, and can be tried again', async () => {
  let refusals = 1;
  const { transfers, settled, statuses } = rig({
    wire: {
      put: async () => {
        if (refusals-- > 0) throw new ApiError('denied', 'db-3 does not allow root to do this.');
      },
    },
  });
  transfers.upload(place, [file('a')], '~/');
  await settled();
  expect(transfers.state.transfers[0]).toMatchObject({
    status: 'failed',
    problem: 'db-3 does not allow root to do this.',
  });
  transfers.again(transfers.state.transfers[0]?.id ?? '');
  await settled();
  expect(statuses()).toEqual(['done']);
  transfers.clear();
  expect(statuses()).toEqual([]);
});

test('cancelling stops the request and takes away what was written, and sends nothing when nothing was sent', async () => {
  const sent = Promise.withResolvers<void>();
  const { transfers, log, settled, statuses } = rig({
    wire: {
      put: (_path, _file, _from, _token, { signal }) =>
        new Promise((_done, fail) => {
          sent.resolve();
          signal.addEventListener('abort', () => fail(new ApiError('network')));
        }),
    },
  });
  const going = transfers.upload(place, [file('a')], '~/');
  await sent.promise;
  transfers.cancel(transfers.state.transfers[0]?.id ?? '');
  await going;
  await settled();
  expect(statuses()).toEqual(['cancelled']);
  expect(log.at(-1)).toBe('DELETE :transfer');

  void transfers.copy(place, place, [{ location: '/a', to: '/b', isFolder: false }]);
  transfers.cancel(transfers.state.transfers[1]?.id ?? '');
  await settled();
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  expect(log.filter(line => line.startsWith('copy'))).toEqual([]);
});

test('progress says how far, how fast and how long', () => {
  const transfer = { id: '', kind: 'upload', name: 'a', title: '', status: 'running', problem: '' } as const;
  expect(progressText({ ...transfer, loaded: 2_500_000, total: 10_000_000, rate: 500_000 })).toBe(
    '2.5 MB of 10.0 MB · 500 kB/s · 15 s left',
  );
  expect(progressText({ ...transfer, loaded: 0, total: 0, rate: 0 })).toBe('Begins…');
  expect([0, 999, 1000, 123_456_789, 4.3e9].map(bytesText)).toEqual(['0 B', '999 B', '1.0 kB', '123 MB', '4.3 GB']);
});

test('where a session asks its moderators, a transfer waits for them and names their approval', async () => {
  const paths: string[] = [];
  const wire: Partial<TransferWire> = { put: async path => void paths.push(path) };
  const { transfers, log, settled, statuses } = rig({ asks: true, wire });
  transfers.upload(place, [file('a')], '~/');
  await settled();
  expect([statuses(), log[0]]).toEqual([['done'], 'approved ~/']);
  const query = new URL(paths[0] ?? '', 'http://x').searchParams;
  expect([query.get('moderatedSessionId'), query.get('fileTransferRequestId')]).toEqual(['s', 'r']);
});

test('what moderators deny is said, and nothing is sent', async () => {
  const { transfers, log, settled } = rig({ refused: 'The file transfer was denied by a moderator' });
  transfers.download(place, [{ location: '/etc/shadow' }]);
  await settled();
  expect(transfers.state.transfers[0]).toMatchObject({
    status: 'failed',
    problem: 'The file transfer was denied by a moderator',
  });
  expect(log).toEqual([]);
});
