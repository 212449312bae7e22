// Files of a server over HTTP: real files of this machine, over a real port where bytes are streamed.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ListedSession } from '../contract/live-sessions.ts';
import type { Challenge } from '../contract/mfa.ts';
import { type Browser, CLUSTER, openRig, PASSWORD, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';
import { createSoftwareKey } from './software-key.testing.ts';

const login = userInfo().username;
let rig: Rig;
let ann: Browser;
let server: string;
let port: number;
let folder: string;

beforeAll(async () => {
  rig = await openRig({ factors: { secondFactor: 'optional' } });
  server = await rig.addServer('db-3');
  await rig.store.resources.create(
    roleResource(
      'kind: role\nversion: v7\nmetadata:\n  name: no-copies\nspec:\n  options:\n    ssh_file_copy: false\n  allow:\n    rules: []\n',
    ),
  );
  await rig.addUser('ann', ['access'], [login]);
  await rig.addUser('eve', ['access'], ['nobody-here']);
  await rig.addUser('kim', ['access', 'no-copies'], [login]);
  ann = await rig.signIn('ann');
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  port = (rig.app.server.address() as AddressInfo).port;
});
afterAll(() => rig.dispose());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-app-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const base = (as = login): string => `/v1/webapi/sites/${CLUSTER}/nodes/${server}/${as}`;
const query = (fields: Readonly<Record<string, string>>): string => `?${new URLSearchParams(fields)}`;
const scp = (location: string, more: Readonly<Record<string, string>> = {}): string =>
  `${base()}/scp${query({ location, ...more })}`;
const headersOf = (who: Browser) => ({ cookie: `__Host-session=${who.cookie}`, authorization: `Bearer ${who.bearer}` });

interface Got {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
function send(method: string, path: string, more: { headers?: object; who?: Browser } = {}): ClientRequest {
  const headers = { ...headersOf(more.who ?? ann), ...more.headers };
  return httpRequest({ host: '127.0.0.1', port, path, method, headers });
}
const answerOf = (asked: ClientRequest): Promise<IncomingMessage> =>
  new Promise((done, fail) => asked.once('response', done).once('error', fail));
async function make(
  method: string,
  path: string,
  more: { headers?: object; who?: Browser; body?: Uint8Array } = {},
): Promise<Got> {
  const asked = send(method, path, more);
  asked.end(more.body);
  const answer = await answerOf(asked);
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer.setEncoding('latin1')) };
}
const upload = (path: string, body: Uint8Array, more: { headers?: object; who?: Browser } = {}): Promise<Got> =>
  make('POST', path, { ...more, body, headers: { 'content-length': body.length, ...more.headers } });
const told = ({ status, body }: Got): string =>
  `${status} ${(JSON.parse(body) as { error?: { message: string } }).error?.message ?? 'ok'}`;
const digest = (bytes: Uint8Array | string): string =>
  createHash('sha256')
    .update(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    .digest('hex');
/** Events of one kind of code, newest first. */
async function events(...codes: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { events: found } = await rig.services.auditAccess.events(
    { rights: { may: () => true, participants: () => null } } as never,
    { from: new Date(0), to: new Date(Date.now() + 60_000), limit: 100, types: [], descending: true },
  );
  return (found as readonly Record<string, unknown>[]).filter(({ code }) => codes.includes(String(code)));
}
/** Resolves once the log has an event of a code about a path: the end of a copy is told after its last byte. */
async function eventOf(code: string, path: string): Promise<Record<string, unknown>> {
  for (;;) {
    const found = (await events(code)).find(event => event.path === path);
    if (found) return found;
    await new Promise(setImmediate);
  }
}

// Rule 7.3: files go up and come down by scp
test('what is uploaded is there as it was sent, with mode 644, and comes back as it is', async () => {
  const bytes = randomBytes(3_000_000);
  expect(told(await upload(scp(`${folder}/`, { filename: 'a b.bin' }), bytes))).toBe('200 ok');
  expect(digest(await readFile(`${folder}/a b.bin`))).toBe(digest(bytes));
  expect((await stat(`${folder}/a b.bin`)).mode & 0o777).toBe(0o644);
  expect(await readdir(folder)).toEqual(['a b.bin']);

  const got = await make('GET', scp(`${folder}/a b.bin`));
  expect(digest(got.body)).toBe(digest(bytes));
  expect(got.headers).toMatchObject({
    'content-length': '3000000',
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="a%20b.bin"; filename*=UTF-8''a%20b.bin`,
    'accept-ranges': 'bytes',
  });
  expect(await eventOf('T3004I', `${folder}/a b.bin`)).toMatchObject({
    user: 'ann',
    login,
    path: `${folder}/a b.bin`,
    action: 'download',
    server_hostname: 'db-3',
  });
  expect((await events('T3005I'))[0]).toMatchObject({
    path: `${folder}/a b.bin`,
    attributes: { file_size: 3_000_000 },
  });
});

test('a path names the file itself, a folder takes it by its name, and whatever type the browser gives it', async () => {
  await upload(scp(`${folder}/named`), Buffer.from('1'), { headers: { 'content-type': 'application/json' } });
  await upload(scp(folder, { filename: 'within' }), Buffer.alloc(0));
  expect((await readdir(folder)).sort()).toEqual(['named', 'within']);
});

test('a file that is replaced keeps its permissions, and one that fails leaves what was there', async () => {
  await writeFile(`${folder}/run.sh`, 'old', { mode: 0o750 });
  await upload(scp(`${folder}/run.sh`), Buffer.from('new'));
  expect((await stat(`${folder}/run.sh`)).mode & 0o777).toBe(0o750);
  expect(String(await readFile(`${folder}/run.sh`))).toBe('new');
  // Through a link the file is written, and the link stays.
  await symlink('run.sh', `${folder}/link`);
  await upload(scp(`${folder}/link`), Buffer.from('again'));
  expect(String(await readFile(`${folder}/run.sh`))).toBe('again');

  const asked = send('POST', scp(`${folder}/run.sh`), { headers: { 'content-length': 1000 } });
  asked.on('error', () => undefined);
  await new Promise<void>(done => asked.write('half', () => done()));
  asked.destroy();
  expect((await eventOf('T3005E', `${folder}/run.sh`)).exitError).toContain('of 1000 bytes');
  expect(String(await readFile(`${folder}/run.sh`))).toBe('again');
  expect((await readdir(folder)).sort()).toEqual(['link', 'run.sh']);
});

test('a download goes on where it was cut, unless the file has changed', async () => {
  const bytes = randomBytes(100_000);
  await writeFile(`${folder}/f`, bytes);
  const whole = await make('GET', scp(`${folder}/f`));
  const rest = await make('GET', scp(`${folder}/f`), {
    headers: { range: 'bytes=99990-', 'if-range': String(whole.headers.etag) },
  });
  expect(rest.status).toBe(206);
  expect(rest.headers['content-range']).toBe('bytes 99990-99999/100000');
  expect(digest(rest.body)).toBe(digest(bytes.subarray(99_990)));
  const other = await make('GET', scp(`${folder}/f`), { headers: { range: 'bytes=99990-', 'if-range': '"older"' } });
  expect(other.status).toBe(200);
  expect(told(await make('GET', scp(`${folder}/f`), { headers: { range: 'bytes=5-2' } }))).toContain('400 range');
  expect(told(await make('GET', scp(`${folder}/f`), { headers: { range: 'bytes=100001-' } }))).toContain('400');
});

test('an upload goes on where it was cut, and cancelling it leaves nothing', async () => {
  const bytes = randomBytes(500_000);
  const transfer = '11111111-2222-3333-4444-555555555555';
  const path = scp(`${folder}/big`, { transfer });
  const cut = async (): Promise<number> => {
    const asked = send('POST', path, { headers: { 'content-length': bytes.length } });
    asked.on('error', () => undefined);
    asked.write(bytes.subarray(0, 300_000));
    const state = async (): Promise<number> => {
      const got = await make('GET', `${base()}/scp/${transfer}`);
      return got.status === 200 ? (JSON.parse(got.body) as { received: number }).received : -1;
    };
    while ((await state()) < 300_000) await new Promise(setImmediate);
    asked.destroy();
    // It is free to go on once the gateway has noticed the cut.
    return state();
  };
  const received = await cut();
  const rest = bytes.subarray(received);
  const range = { 'content-range': `bytes ${received}-${bytes.length - 1}/${bytes.length}` };
  let went = await upload(path, rest, { headers: range });
  while (told(went).startsWith('409')) went = await upload(path, rest, { headers: range });
  expect(told(went)).toBe('200 ok');
  expect(digest(await readFile(`${folder}/big`))).toBe(digest(bytes));

  await cut();
  expect(told(await make('DELETE', `${base()}/scp/${transfer}`))).toBe('200 ok');
  expect(await readdir(folder)).toEqual(['big']);
  expect(told(await upload(path, rest, { headers: range }))).toContain('404');
});

test('what cannot be a file or a path is refused in words', async () => {
  await mkdir(`${folder}/sub`);
  await writeFile(`${folder}/f`, 'x');
  await symlink('ring', `${folder}/ring`);
  const get = async (location: string): Promise<string> => told(await make('GET', scp(location)));
  expect(await get(folder)).toMatch(/^400 .* is a folder/);
  expect(await get(`${folder}/none`)).toBe(`404 There is no ${folder}/none on db-3.`);
  expect(await get(`${folder}/f/below`)).toMatch(/^(400|404)/);
  expect(await get(`${folder}/ring`)).toMatch(/^400 .*lead in a ring/);
  expect(await get('/dev/zero')).toMatch(/^400 zero is no file/);
  expect(await get('a\0b')).toBe('400 location: a path holds no NUL byte');
  expect(await get('x'.repeat(5000))).toMatch(/^400/);
  expect(await get(`${folder}/${'x'.repeat(300)}`)).toMatch(/^400 The name is longer/);
  expect(await get(`${folder}/sub/../../${'../'.repeat(30)}etc/hostname-that-is-not`)).toBe(
    '404 There is no /etc/hostname-that-is-not on db-3.',
  );
  const put = async (location: string, filename: string): Promise<string> =>
    told(await upload(scp(location, { filename }), Buffer.from('x')));
  for (const name of ['..', '.', 'a/b', 'a\0b']) expect(await put(folder, name)).toMatch(/^400 filename/);
  expect(await put(`${folder}/none/`, 'f')).toMatch(/^404/);
  expect(await put(`${folder}/none/f`, '')).toMatch(/^404/);
  expect(await put(folder, 'sub')).toMatch(/^400 .* is a folder/);
  expect(await put('/dev/null', '')).toMatch(/^400 .* is no file/);
  expect(told(await make('POST', scp(`${folder}/f`), { headers: { 'transfer-encoding': 'chunked' } }))).toMatch(
    /^400 content-length/,
  );
  expect(told(await make('GET', scp(`${folder}/f`, { moderatedSessionId: 's' })))).toMatch(/^400/);
});

test('names with line breaks, quotes and bytes that are no text travel both ways', async () => {
  const name = Buffer.from([0x22, 0x0a, 0xff, 0x27]);
  const path = Buffer.concat([Buffer.from(`${folder}/`), name]);
  const encoded = `${encodeURIComponent(folder)}/%22%0A%FF%27`;
  expect(told(await upload(`${base()}/scp?location=${encoded}`, Buffer.from('odd')))).toBe('200 ok');
  expect(String(await readFile(path))).toBe('odd');
  const got = await make('GET', `${base()}/scp?location=${encoded}`);
  expect(got.body).toBe('odd');
  expect(got.headers['content-disposition']).toBe(
    `attachment; filename="%22%0A%EF%BF%BD%27"; filename*=UTF-8''%22%0A%EF%BF%BD%27`,
  );
  await eventOf('T3004I', `${folder}/"\\x0a\\xff'`);
  const listed = JSON.parse((await make('GET', `${base()}/files${query({ location: folder })}`)).body);
  expect(listed).toMatchObject({
    path: folder,
    whole: true,
    entries: [{ name: '"\n\udcff\'', kind: 'file', size: 3 }],
  });
});

test('folders are made, things moved and removed, and nothing is replaced', async () => {
  const act = (method: string, body: object): Promise<Got> =>
    make(method, `${base()}/files`, {
      body: Buffer.from(JSON.stringify(body)),
      headers: { 'content-type': 'application/json' },
    });
  expect(told(await act('POST', { location: `${folder}/new` }))).toBe('200 ok');
  expect(told(await act('POST', { location: `${folder}/new` }))).toMatch(/^409/);
  await writeFile(`${folder}/f`, '1');
  await writeFile(`${folder}/new/f`, '2');
  expect(told(await act('PUT', { location: `${folder}/f`, to: `${folder}/new/f` }))).toMatch(/^409/);
  expect(told(await act('PUT', { location: `${folder}/f`, to: `${folder}/new/g` }))).toBe('200 ok');
  const remove = async (location: string): Promise<string> =>
    told(await make('DELETE', `${base()}/files${query({ location })}`));
  expect(await remove(`${folder}/new`)).toMatch(/^400 .*not empty/);
  // A link goes, and what it leads to stays.
  await symlink('new', `${folder}/link`);
  expect(await remove(`${folder}/link/`)).toBe('200 ok');
  for (const path of ['new/f', 'new/g', 'new']) expect(await remove(`${folder}/${path}`)).toBe('200 ok');
  expect(await readdir(folder)).toEqual([]);
  expect(await remove(`${folder}/..`)).toMatch(/^400/);
  expect((await events('TS012I', 'TS016I', 'TS011I', 'TS013I')).map(({ code }) => code)).toEqual([
    'TS013I',
    'TS011I',
    'TS011I',
    'TS011I',
    'TS016I',
    'TS012I',
  ]);
});

test.runIf(process.env.POSTERN_TEST_FULL !== undefined)(
  'more than 4 GiB come whole, and little of it is in memory at once',
  async () => {
    const size = 4 * 2 ** 30 + 1;
    await writeFile(`${folder}/huge`, '');
    await truncate(`${folder}/huge`, size);
    const before = process.memoryUsage.rss();
    const down = send('GET', scp(`${folder}/huge`));
    down.end();
    let [got, most] = [0, 0];
    for await (const bytes of await answerOf(down)) {
      got += (bytes as Buffer).length;
      most = Math.max(most, process.memoryUsage.rss());
    }
    expect(got).toBe(size);
    // Of this process, which is the gateway and the browser both.
    expect(most - before).toBeLessThan(200e6);
  },
  600_000,
);

test('a folder comes as a tar: names of any bytes, links as links, what is no file left out and named', async () => {
  const inner = `${folder}/box`;
  const long = 'ü'.repeat(100);
  await mkdir(`${inner}/${long}/empty`, { recursive: true });
  await writeFile(`${inner}/${long}/run`, randomBytes(70_000), { mode: 0o750 });
  await writeFile(Buffer.concat([Buffer.from(`${inner}/`), Buffer.from([0xff, 0x0a])]), 'odd');
  await symlink('/nowhere', `${inner}/link`);
  const socket = createServer().listen(`${inner}/socket`);
  await once(socket, 'listening');
  const got = await make('GET', scp(inner, { archive: 'tar' }));
  expect(got.headers['content-disposition']).toMatch(/filename="box.tar"/);
  await writeFile(`${folder}/box.tar`, Buffer.from(got.body, 'latin1'));
  await mkdir(`${folder}/out`);
  expect(execFileSync('tar', ['-xf', `${folder}/box.tar`, '-C', `${folder}/out`], { stdio: 'pipe' }).toString()).toBe(
    '',
  );
  expect(await readFile(`${folder}/out/box.left-out.txt`, 'utf8')).toBe('box/socket: it is no file, folder or link\n');
  await new Promise(done => socket.close(done));
  const names = async (path: string): Promise<readonly string[]> =>
    (await readdir(path, { recursive: true, encoding: 'latin1' })).sort();
  expect(await names(`${folder}/out/box`)).toEqual(await names(inner));
  expect(await readlink(`${folder}/out/box/link`)).toBe('/nowhere');
  const run = `${long}/run`;
  expect(digest(await readFile(`${folder}/out/box/${run}`))).toBe(digest(await readFile(`${inner}/${run}`)));
  expect((await stat(`${folder}/out/box/${long}/run`)).mode & 0o777).toBe(0o750);
  expect(await eventOf('T3004I', inner)).toMatchObject({ attributes: { file_size: got.body.length } });
  expect(await eventOf('TS001I', `${inner}/${long}/run`)).toMatchObject({ user: 'ann' });
  expect(told(await make('GET', scp(`${folder}/box.tar`, { archive: 'tar' })))).toMatch(/^400 box.tar is no folder/);
});

test('a file is saved only while it is what was read', async () => {
  await writeFile(`${folder}/conf`, 'one');
  const read = await make('GET', scp(`${folder}/conf`));
  const save = (): Promise<Got> =>
    upload(scp(`${folder}/conf`), Buffer.from('mine, and longer'), {
      headers: { 'if-match': String(read.headers.etag) },
    });
  const { atime, mtime } = await stat(`${folder}/conf`);
  // As long as it was, and at the same time.
  await writeFile(`${folder}/conf`, 'two');
  await utimes(`${folder}/conf`, atime, mtime);
  expect(told(await save())).toMatch(/^412 conf was changed on db-3/);
  expect(String(await readFile(`${folder}/conf`))).toBe('two');
  await writeFile(`${folder}/conf`, 'one');
  expect(told(await save())).toBe('200 ok');
});

test('a download that was proven goes on after a cut without another touch, with the same file only', async () => {
  const key = createSoftwareKey('https://console.example.com');
  await rig.store.resources.create(
    roleResource('kind: role\nversion: v7\nmetadata: {name: keyed}\nspec: {options: {require_session_mfa: true}}'),
  );
  await rig.addUser('grace', ['access', 'keyed'], [login]);
  const { credentials, devices } = rig.services.identity;
  const { tokenId: token } = await credentials.createToken('grace', 'invite', { user: 'test', rights: null });
  const { signedIn } = await credentials.complete(
    {
      token,
      password: Buffer.from(PASSWORD).toString('base64'),
      deviceName: 'key',
      creation: key.create(await devices.registerWebauthn(token, 'mfa')),
    },
    { remoteAddr: '192.0.2.1:1', userAgent: 'test' },
  );
  if (!signedIn) throw new Error('grace was not signed in');
  const grace = { ...ann, user: 'grace', cookie: signedIn.cookie, bearer: signedIn.reply.token };
  const path = `${folder}/big`;
  await writeFile(path, Buffer.alloc(50_000_000, 'x'));
  expect(told(await make('GET', scp(path), { who: grace }))).toBe('403 MFA required for file transfer');
  const asked = await make('POST', '/v1/webapi/mfa/authenticatechallenge', { who: grace });
  const webauthn = JSON.stringify({ webauthnAssertionResponse: key.get(JSON.parse(asked.body) as Challenge) });
  const transfer = '11111111-2222-3333-4444-777777777777';
  const down = send('GET', scp(path, { webauthn, transfer }), { who: grace });
  down.end();
  const begun = await answerOf(down);
  expect(begun.statusCode).toBe(200);
  down.destroy();
  const rest = (more: Readonly<Record<string, string>> = { transfer }): Promise<Got> =>
    make('GET', scp(path, { webauthn, ...more }), {
      who: grace,
      headers: { range: 'bytes=49999990-', 'if-range': String(begun.headers.etag) },
    });
  expect(told(await rest({}))).toBe('403 The hardware key was not accepted.');
  const got = await rest();
  expect([got.status, got.body]).toEqual([206, 'x'.repeat(10)]);
  await writeFile(path, 'another');
  expect(told(await rest())).toMatch(/^412 big was changed on db-3/);
  expect(told(await make('GET', scp(path, { webauthn, transfer }), { who: grace }))).toMatch(/^403/);
});

test('connections for files are among the running sessions, and whoever has one ends it there', async () => {
  await writeFile(`${folder}/big`, Buffer.alloc(50_000_000));
  const again = await rig.signIn('ann');
  const down = send('GET', scp(`${folder}/big`), { who: again });
  down.end();
  const answer = await answerOf(down);
  const sessions = `/v1/webapi/sites/${CLUSTER}/sessions`;
  const list = async (who: Browser) =>
    (JSON.parse((await make('GET', sessions, { who })).body) as { sessions: ListedSession[] }).sessions;
  const [running] = (await list(again)).filter(({ kind }) => kind === 'file').slice(-1);
  expect(running).toMatchObject({
    owner: 'ann',
    login,
    server_hostname: 'db-3',
    participantModes: [],
    state: 'running',
  });
  expect(await list(await rig.signIn('eve'))).toEqual([]);
  const broken = new Promise<string>(done => answer.once('error', ({ message }) => done(message)));
  expect(told(await make('DELETE', `${sessions}/${running?.id}`, { who: again }))).toBe('200 ok');
  answer.resume();
  expect(await broken).toBe('aborted');
  expect((await list(again)).some(({ id }) => id === running?.id)).toBe(false);
  const failed = await eventOf('T3004E', `${folder}/big`);
  expect(failed).toMatchObject({ exitError: 'The session was ended by ann.' });
});

test('roles decide: the login, copying at all, and whose browser it is', async () => {
  await writeFile(`${folder}/f`, 'x');
  const as = (who: Browser, path = scp(`${folder}/f`)): Promise<Got> => make('GET', path, { who });
  expect(told(await as(await rig.signIn('eve')))).toBe(`403 You may not log in to db-3 as ${login}.`);
  expect((await events('T3007W'))[0]).toMatchObject({ user: 'eve', server_hostname: 'db-3' });
  expect(told(await as(await rig.signIn('kim')))).toMatch(/^403 Your roles do not let you copy files/);
  expect((await events('T3010E'))[0]).toMatchObject({ user: 'kim' });
  const kim = await rig.signIn('kim');
  expect(told(await as({ ...ann, bearer: kim.bearer }))).toMatch(/^403 access denied/);
  // An upload is its own web session's, also for the same person.
  const again = await rig.signIn('ann');
  const transfer = '11111111-2222-3333-4444-666666666666';
  const asked = send('POST', scp(`${folder}/g`, { transfer }), { headers: { 'content-length': 10 } });
  asked.on('error', () => undefined);
  asked.write('12345');
  const state = `${base()}/scp/${transfer}`;
  while ((await make('GET', state)).status !== 200) await new Promise(setImmediate);
  expect((await make('DELETE', state, { who: again })).status).toBe(404);
  expect((await make('DELETE', state)).status).toBe(200);
  asked.destroy();
});

test('a lock in the middle breaks off what runs, both ways, and leaves no half file', async () => {
  await rig.addUser('lou', ['access'], [login]);
  const lou = await rig.signIn('lou');
  await writeFile(`${folder}/big`, Buffer.alloc(50_000_000));
  const down = send('GET', scp(`${folder}/big`), { who: lou });
  down.end();
  const answer = await answerOf(down);
  const up = send('POST', scp(`${folder}/half`), { who: lou, headers: { 'content-length': 1000 } });
  up.on('error', () => undefined);
  const refusal = answerOf(up).then(
    got => text(got),
    () => 'closed',
  );
  up.write('half');
  while ((await readdir(folder)).length < 2) await new Promise(setImmediate);
  const broken = new Promise<string>(done => answer.once('error', ({ message }) => done(message)));
  await rig.services.locks.add(
    { targets: { user: 'lou' }, message: 'gone', ttl: '' },
    { user: 'system', rights: null },
  );
  answer.resume();
  expect(await broken).toBe('aborted');
  expect(await refusal).toMatch(/locked|gone|closed/i);
  const failed = await eventOf('T3004E', `${folder}/big`);
  expect(failed.exitError).toMatch(/gone|locked/i);
  while ((await readdir(folder)).length > 1) await new Promise(setImmediate);
});
