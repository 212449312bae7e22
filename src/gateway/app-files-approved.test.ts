// Files over HTTP for people whose roles demand others in their sessions: what those approved, and nothing else.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Mode } from '../contract/live-sessions.ts';
import type { FileRequest } from '../contract/terminal.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';
import { createSubscriber } from './services/sessions/sessions.testing.ts';

const login = userInfo().username;
const size = { cols: 80, rows: 24 };
let rig: Rig;
let ann: Browser;
let server: string;
let origin: string;
let folder: string;

beforeAll(async () => {
  rig = await openRig();
  const watched = `require_session_join: [{ name: a lead, filter: 'contains(user.spec.roles, "lead")', kinds: [ssh], modes: [moderator], count: 1 }]`;
  const lead = 'join_sessions: [{ name: all, roles: [watched], kinds: [ssh], modes: [moderator] }]';
  for (const [name, allow] of Object.entries({ watched, lead }))
    await rig.store.resources.create(
      roleResource(`kind: role\nversion: v7\nmetadata: { name: ${name} }\nspec:\n  allow:\n    ${allow}\n`),
    );
  server = await rig.addServer('db-3');
  await rig.addUser('ann', ['access', 'watched'], [login]);
  await rig.addUser('lena', ['lead']);
  ann = await rig.signIn('ann');
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(rig.app.server.address() as AddressInfo).port}`;
});
afterAll(() => rig.dispose());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-files-approved-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const whoOf = (browser: Browser) =>
  rig.services.identity.sessions.authenticate({ ...browser, remoteAddr: '192.0.2.1:1' });

/** A session of ann with lena as its moderator, and what lena approves in it. */
async function moderated() {
  const { sessions, servers } = rig.services;
  const who = await whoOf(ann);
  const { sid } = await sessions.open({ who, target: await servers.target(who, server), login, size });
  const attach = (by: typeof who, mode: Mode) => {
    const subscriber = createSubscriber();
    return { subscriber, participant: sessions.attach(sid, { who: by, mode, size, subscriber }) };
  };
  const owner = attach(who, 'peer');
  const lead = attach(await whoOf(await rig.signIn('lena')), 'moderator');
  const lastOf = ({ subscriber }: typeof lead) =>
    subscriber.events.at(-1) as { readonly requestID?: unknown } | undefined;
  /** What the calls say of an approved request. */
  function approved(request: FileRequest): Record<string, string> {
    owner.participant.requestFile(request);
    const id = String(lastOf(lead)?.requestID);
    lead.participant.decideFile(id, true);
    expect(lastOf(owner)).toMatchObject({ event: 'file_transfer_request_approve', requestID: id });
    return { moderatedSessionId: sid, fileTransferRequestId: id };
  }
  return { sid, approved, lead, end: () => sessions.end(sid, 'over') };
}
type Query = Readonly<Record<string, string>>;
const headers = () => ({ cookie: `__Host-session=${ann.cookie}`, authorization: `Bearer ${ann.bearer}` });
const pathOf = (what: string, query: Query): string =>
  `${origin}/v1/webapi/sites/${CLUSTER}/nodes/${server}/${login}/${what}?${new URLSearchParams(query)}`;
const call = (
  method: string,
  what: string,
  query: Query,
  more: Record<string, string> = {},
  body?: string,
): Promise<Response> =>
  fetch(pathOf(what, query), {
    method,
    headers: { ...headers(), ...(body?.startsWith('{') && { 'content-type': 'application/json' }), ...more },
    ...(body !== undefined && { body }),
  });
/** Status, and the message of a refusal. */
async function told(asked: Promise<Response>): Promise<string> {
  const answer = await asked;
  const said = await answer.text();
  return answer.ok ? '200' : `${answer.status} ${(JSON.parse(said) as { error: { message: string } }).error.message}`;
}
const UNASKED = '403 Your roles ask for others in your sessions: they must approve this file transfer first.';

// Rule 7.3: an approved transfer names its request
test('an approved download is done once, goes on after a cut however early that was, and for nobody else', async () => {
  const { approved, end } = await moderated();
  const location = join(folder, 'f');
  await writeFile(location, Buffer.alloc(2_000_000, 'x'));
  expect(await told(call('GET', 'scp', { location }))).toBe(UNASKED);
  const query = { location, ...approved({ download: true, location, filename: '' }), transfer: randomUUID() };
  expect(await told(call('GET', 'scp', { ...query, location: `${location}2` }))).toBe(UNASKED);
  const first = await call('GET', 'scp', query);
  await first.body?.cancel();
  // Cut before its first byte, and at its last.
  expect(await told(call('GET', 'scp', query))).toBe('200');
  const rest = { range: 'bytes=1999990-', 'if-range': String(first.headers.get('etag')) };
  expect(await (await call('GET', 'scp', query, rest)).text()).toBe('x'.repeat(10));
  expect(await told(call('GET', 'scp', { ...query, transfer: randomUUID() }))).toBe(UNASKED);
  await writeFile(location, 'another');
  expect(await told(call('GET', 'scp', query))).toMatch(/^412 f was changed on db-3/);
  expect(await told(call('GET', 'scp', query))).toBe(UNASKED);
  end();
});

test('the t of a moderator ends the transfers that were approved in the session, with its reason', async () => {
  const { approved, lead } = await moderated();
  const location = join(folder, 'big');
  await writeFile(location, Buffer.alloc(80_000_000));
  const down = await call('GET', 'scp', {
    location,
    ...approved({ download: true, location, filename: '' }),
    transfer: randomUUID(),
  });
  const half = join(folder, 'half');
  const more = approved({ download: false, location: half, filename: '' });
  const up = request(pathOf('scp', { location: half, ...more }), {
    method: 'POST',
    headers: { ...headers(), 'content-length': 1000 },
  });
  const refused = once(up, 'response').then(
    ([answer]) => text(answer as IncomingMessage),
    () => 'closed',
  );
  up.write('half');
  while ((await readdir(folder)).length < 2) await new Promise(setImmediate);
  lead.participant.input(Buffer.from('t'));
  await expect(down.arrayBuffer()).rejects.toThrow();
  expect(await refused).toMatch(/The session was ended by lena, a moderator|closed/);
  while ((await readdir(folder)).length > 1) await new Promise(setImmediate);
  up.destroy();
});

test('one approval covers a folder with all that is in it, and nothing that links lead out to', async () => {
  const { approved, end } = await moderated();
  const [tree, out] = [join(folder, 'tree'), join(folder, 'out')];
  await mkdir(join(tree, 'sub'), { recursive: true });
  await mkdir(out);
  await writeFile(join(tree, 'sub/f'), 'f');
  await symlink(out, join(tree, 'sub/link'));
  const list = (location: string, leave: Query = {}) => told(call('GET', 'files', { location, ...leave }));
  expect(await list(tree)).toBe(UNASKED);
  const look = approved({ download: true, location: tree, filename: '', reach: 'look' });
  expect([await list(tree, look), await list(`${tree}/sub`, look), await list(`${tree}/sub/..`, look)]).toEqual(
    Array(3).fill('200'),
  );
  for (const outside of [out, `${tree}/../out`, `${tree}/sub/link`, `${tree}/..`, `${tree}2`])
    expect(await list(outside, look), outside).toMatch(/^403 .* is not in .*tree, which leave was given for/);
  expect(await told(call('GET', 'scp', { location: `${tree}/sub/f`, ...look }))).toBe(UNASKED);

  // A folder comes up file by file, each once.
  const base = join(folder, 'up');
  const up = approved({ download: false, location: base, filename: '', reach: 'folder' });
  const make = (location: string) => told(call('POST', 'files', {}, {}, JSON.stringify({ location, ...up })));
  expect([await make(base), await make(`${base}/in`), await make(`${base}/in`)]).toEqual([
    '200',
    '200',
    expect.stringMatching(/^409/),
  ]);
  expect(await make(out)).toMatch(/^403/);
  const put = (location: string) => told(call('POST', 'scp', { location, filename: 'x', ...up }, {}, 'text'));
  expect([await put(`${base}/in/x`), await put(`${base}/in/x`), await put(join(out, 'x'))]).toEqual([
    '200',
    UNASKED,
    expect.stringMatching(/^403 .* is not in/),
  ]);
  await symlink(out, join(base, 'link'));
  expect(await put(`${base}/link/y`)).toMatch(/^403 .* is not in/);
  expect(await list(base, up)).toBe(UNASKED);
  end();
});

test('what is moved or deleted is approved one by one, and leave to copy it is no leave for that', async () => {
  const { approved, end, lead } = await moderated();
  const [from, to, other] = [join(folder, 'from'), join(folder, 'to'), join(folder, 'other')];
  await writeFile(from, 'f');
  const move = (body: object) => told(call('PUT', 'files', {}, {}, JSON.stringify(body)));
  const remove = (query: Query) => told(call('DELETE', 'files', query));
  expect([await move({ location: from, to }), await remove({ location: from })]).toEqual([UNASKED, UNASKED]);
  const copy = approved({ download: true, location: folder, filename: '', reach: 'folder' });
  expect([await move({ location: from, to, ...copy }), await remove({ location: from, ...copy })]).toEqual([
    UNASKED,
    UNASKED,
  ]);
  const target = { nodeId: server, login, location: to };
  const moves = approved({ download: false, location: from, filename: '', act: 'move', to: target });
  expect(lead.subscriber.events.at(-1)).toMatchObject({ act: 'move', location: from, to: { location: to } });
  expect([
    await move({ location: from, to: other, ...moves }),
    await remove({ location: from, ...moves }),
    await move({ location: from, to, ...moves }),
    await move({ location: to, to: from, ...moves }),
    await move({ location: from, to, ...moves }),
  ]).toEqual([UNASKED, UNASKED, '200', UNASKED, UNASKED]);
  const removes = approved({ download: false, location: to, filename: '', act: 'remove' });
  expect(await remove({ location: folder, all: 'true', ...removes })).toBe(UNASKED);
  expect([await remove({ location: to, ...removes }), await remove({ location: to, ...removes })]).toEqual([
    '200',
    UNASKED,
  ]);
  expect(await readdir(folder)).toEqual([]);
  end();
});

test('a copy to another place is approved with both its ends', async () => {
  const { approved, end, lead } = await moderated();
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  await mkdir(from);
  await writeFile(join(from, 'f'), 'what is in it');
  const target = { nodeId: server, login, location: to };
  const leave = approved({ download: true, location: from, filename: '', reach: 'folder', to: target });
  expect(lead.subscriber.events.at(-1)).toMatchObject({ location: from, to: target, reach: 'folder' });
  const post = (what: string, body: object) => call('POST', what, {}, {}, JSON.stringify({ ...body, ...leave }));
  expect((await post('files', { location: to })).status).toBe(200);
  expect(await told(call('GET', 'files', { location: from, ...leave }))).toBe('200');
  const copy = (name: string, into = to) =>
    post('files/copy', { location: join(from, name), to: { ...target, location: join(into, name) } });
  expect((await (await copy('f')).text()).trim().split('\n').at(-1)).toContain('"done":true');
  expect(await readFile(join(to, 'f'), 'utf8')).toBe('what is in it');
  expect(await told(copy('f'))).toBe(UNASKED);
  await writeFile(join(from, 'g'), '');
  expect(await (await copy('g', folder)).text()).toContain('which leave was given for');
  expect(await readdir(folder)).not.toContain('g');
  end();
});
