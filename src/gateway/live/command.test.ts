// The socket of one command on many servers over a real connection: who may open it, what each server says, and how it ends.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { RUN_OUTPUT_MOST_BYTES, type RunOutput } from '../../contract/command-run.ts';
import { decodeFrame, encodeFrame, frameTypes } from '../../contract/envelope.ts';
import type { Challenge } from '../../contract/mfa.ts';
import { RAW_MOST_BYTES } from '../../contract/terminal.ts';
import { type Browser, CLUSTER, openRig, PASSWORD, type Rig, type ScriptedShell } from '../app.testing.ts';
import { ConnectError } from '../ports/reach.ts';
import { roleResource } from '../services/rights/source.ts';
import { createSoftwareKey } from '../software-key.testing.ts';

let rig: Rig;
let port: number;
let ann: Browser;
let servers: Record<'db-1' | 'db-2' | 'web-1', string>;
const opened: WebSocket[] = [];

beforeAll(async () => {
  rig = await openRig({ factors: { secondFactor: 'optional' } });
  const role = (name: string, spec: string) =>
    rig.store.resources.create(roleResource(`kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: ${spec}`));
  await role(
    'web-only',
    '{allow: {logins: [app], node_labels: {tier: web}, rules: [{resources: [node], verbs: [list]}]}}',
  );
  await role('one', '{options: {max_sessions: 1}}');
  const demand = '{name: four eyes, filter: user.name == "bob", kinds: [ssh], modes: [moderator], count: 1}';
  await role('watched', `{allow: {require_session_join: [${demand}]}}`);
  await role('keyed', '{options: {require_session_mfa: true}}');
  await rig.addUser('ann', ['access', 'auditor'], ['root']);
  await rig.addUser('bob', ['web-only'], []);
  await rig.addUser('one', ['access', 'one'], ['root']);
  await rig.addUser('grace', ['access', 'keyed'], ['root']);
  servers = {
    'db-1': await rig.addServer('db-1', { tier: 'db' }),
    'db-2': await rig.addServer('db-2', { tier: 'db' }),
    'web-1': await rig.addServer('web-1', { tier: 'web' }),
  };
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  port = (rig.app.server.address() as AddressInfo).port;
  ann = await rig.signIn('ann');
});
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.close();
  await expect.poll(() => rig.services.sessions.list()).toEqual([]);
  rig.shells.length = 0;
});
afterAll(() => rig.dispose());

const ALL = 'name == "db-1" || name == "db-2" || name == "web-1"';
const asking = { command: 'uname', login: 'root', query: ALL, conversation_id: '', execution_id: randomUUID() };

interface Asking {
  readonly who?: Partial<Browser>;
  readonly params?: object | string | undefined;
  readonly origin?: string;
  readonly cluster?: string;
}
function address({ who = ann, params = asking, origin, cluster = CLUSTER }: Asking) {
  const query = new URLSearchParams({
    access_token: who.bearer ?? '',
    params: typeof params === 'string' ? params : JSON.stringify(params),
  });
  return {
    path: `/v1/webapi/command/${cluster}/execute?${query}`,
    headers: { cookie: `__Host-session=${who.cookie ?? ''}`, ...(origin !== undefined && { origin }) },
  };
}
/** What an upgrade is answered with. */
function answerTo(given: Asking): Promise<string> {
  const { path, headers } = address(given);
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, headers: { ...headers, ...upgrade }, agent: false });
    asked.on('error', reject);
    asked.on('upgrade', (_answer, socket) => {
      socket.destroy();
      resolve('101');
    });
    asked.on('response', async answer => {
      const body = Buffer.concat(await answer.toArray()).toString();
      resolve(`${answer.statusCode} ${(JSON.parse(body) as { error: { message: string } }).error.message}`);
    });
    asked.end();
  });
}

interface Heard {
  readonly type: string;
  readonly json: Record<string, unknown>;
  readonly bytes: number;
}
class Client {
  readonly socket: WebSocket;
  readonly heard: Heard[] = [];
  closed: { code: number; reason: string } | null = null;
  constructor(given: Asking = {}) {
    const { path, headers } = address(given);
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers } as unknown as string[]);
    this.socket.binaryType = 'arraybuffer';
    opened.push(this.socket);
    this.socket.addEventListener('message', ({ data }) => {
      const { type, payload } = decodeFrame(new Uint8Array(data as ArrayBuffer));
      const text = new TextDecoder().decode(payload);
      this.heard.push({ type, json: type === 'e' ? { text } : JSON.parse(text), bytes: payload.length });
    });
    this.socket.addEventListener('close', ({ code, reason }) => {
      this.closed = { code, reason };
    });
  }
  of(type: string): Record<string, unknown>[] {
    return this.heard.filter(frame => frame.type === type).map(({ json }) => json);
  }
  said(node: string, type: RunOutput['type']): string {
    return this.of('r')
      .filter(({ node_id, type: given }) => node_id === node && given === type)
      .map(({ payload }) => Buffer.from(String(payload), 'base64').toString())
      .join('');
  }
  async ended(): Promise<{ code: number; reason: string } | null> {
    await expect.poll(() => this.closed).not.toBeNull();
    return this.closed;
  }
}
/** The shells of a run once there are so many, by server. */
async function shellsOf(client: Client, count: number): Promise<ReadonlyMap<string, ScriptedShell>> {
  await expect.poll(() => client.of('s').length).toBe(count);
  return new Map(
    client.of('s').map(({ session }) => {
      const { id, server_id } = session as { id: string; server_id: string };
      return [server_id, rig.shells.find(({ sid }) => sid === id) as ScriptedShell];
    }),
  );
}
const eventsOf = async (user: string) =>
  (
    await rig.store.events.search({ from: new Date(0), to: new Date(8e15), limit: 500, types: [], descending: false })
  ).events
    .filter(event => event.user === user)
    .map(({ raw }) => raw);

// Rule 7.3: command/execute
test('each server is a session of its own: its output, its status, its recording and its events', async () => {
  const client = new Client();
  const shells = await shellsOf(client, 3);
  const nodes = [servers['db-1'], servers['db-2'], servers['web-1']];
  expect(client.of('a')).toEqual([
    {
      event: 'run.hosts',
      total: 3,
      parallel: 25,
      hosts: ['db-1', 'db-2', 'web-1'].map((hostname, index) => ({ node_id: nodes[index], hostname, login: 'root' })),
    },
  ]);
  expect([...shells.values()].map(({ command }) => command)).toEqual(['uname', 'uname', 'uname']);
  expect(rig.services.sessions.list().map(({ session }) => session.command)).toEqual(['uname', 'uname', 'uname']);
  shells.get(servers['db-1'])?.print('Linux\n');
  shells.get(servers['db-1'])?.print('warning\n', 'stderr');
  shells.get(servers['db-1'])?.exit(0);
  shells.get(servers['db-2'])?.exit(3);
  shells.get(servers['web-1'])?.exit(0);
  expect(await client.ended()).toEqual({ code: 1000, reason: '' });
  expect(client.said(servers['db-1'], 'stdout')).toBe('Linux\n');
  expect(client.said(servers['db-1'], 'stderr')).toBe('warning\n');
  const ends = client.of('c').toSorted((a, b) => nodes.indexOf(String(a.node_id)) - nodes.indexOf(String(b.node_id)));
  expect(ends).toEqual([0, 3, 0].map((code, index) => ({ node_id: nodes[index], code, signal: null, error: '' })));

  const sid = shells.get(servers['db-2'])?.sid;
  const events = (await eventsOf('ann')).filter(event => event.sid === sid);
  expect(events.map(({ code }) => code)).toEqual(['T2000I', 'T3002E', 'T2006I', 'T2004I']);
  expect(events[0]).toMatchObject({ initial_command: ['uname'], session_recording: 'node' });
  expect(events[1]).toMatchObject({
    command: 'uname',
    exitCode: '3',
    exitError: 'The program ended with 3.',
    execution_id: asking.execution_id,
  });
  expect(events[3]).toMatchObject({ interactive: false, initial_command: ['uname'] });
  const kept = await ann.call('GET', `/v1/webapi/sites/${CLUSTER}/sessions/${shells.get(servers['db-1'])?.sid}/stream`);
  expect(kept.body).toBe('Linux\r\nwarning\r\n');
});

test('what one server refuses is its own: the others go on', async () => {
  rig.refuseNext(new ConnectError('unreachable', 'Cannot reach db-1.'));
  const bob = await rig.signIn('bob');
  // Of the three bob sees one; on it he has no such login.
  const refused = new Client({ who: bob });
  expect(await refused.ended()).toMatchObject({ code: 1000 });
  expect(refused.of('s')).toEqual([]);
  expect(refused.of('c')).toMatchObject([
    { node_id: servers['web-1'], code: null, error: 'You may not log in to web-1 as root.' },
  ]);
  expect(refused.said(servers['web-1'], 'postern-error')).toBe('You may not log in to web-1 as root.');
  expect((await eventsOf('bob')).map(({ code }) => code)).toContain('T3007W');

  const allowed = new Client({ params: { ...asking, parallel: 1, logins: { [servers['web-1']]: 'nobody' } } });
  const shells = await shellsOf(allowed, 1);
  shells.get(servers['db-2'])?.exit(0);
  await allowed.ended();
  expect(allowed.of('c').map(({ error, code }) => error || code)).toEqual([
    'Cannot reach db-1.',
    0,
    'You may not log in to web-1 as nobody.',
  ]);
});

test('no more servers at once than are asked for, or than the sessions that roles allow', async () => {
  const one = await rig.signIn('one');
  const client = new Client({ who: one });
  await shellsOf(client, 1);
  expect(client.of('a')[0]).toMatchObject({ parallel: 1 });
  for (let done = 1; done <= 3; done += 1) {
    await shellsOf(client, done);
    expect(rig.services.sessions.list()).toHaveLength(1);
    rig.shells[done - 1]?.exit(0);
  }
  await client.ended();
  expect(client.of('c').map(({ code }) => code)).toEqual([0, 0, 0]);
});

test('whoever closes stops the run: what runs is ended, what waits is never begun', async () => {
  const client = new Client({ params: { ...asking, parallel: 1 } });
  const shells = await shellsOf(client, 1);
  client.socket.close();
  await expect.poll(() => rig.services.sessions.list()).toEqual([]);
  const sid = [...shells.values()][0]?.sid;
  await expect
    .poll(async () => (await eventsOf('ann')).filter(event => event.sid === sid).map(({ code }) => code))
    .toEqual(['T2000I', 'T3002E', 'T2006I', 'T2004I']);
  expect((await eventsOf('ann')).findLast(({ code }) => code === 'T3002E')).toMatchObject({
    exitError: 'ann stopped the run.',
  });
  expect(rig.shells).toHaveLength(1);
});

test('a role that is taken away holds back the servers that wait', async () => {
  await rig.addUser('dan', ['access'], ['root']);
  const dan = await rig.signIn('dan');
  const client = new Client({ who: dan, params: { ...asking, parallel: 1 } });
  await shellsOf(client, 1);
  await rig.addUser('kim', ['access', 'editor'], []);
  const kim = await rig.signIn('kim');
  await kim.call('PUT', '/v1/webapi/users', { name: 'dan', roles: ['web-only'] });
  await client.ended();
  expect(client.of('s')).toHaveLength(1);
  expect(client.of('c').map(({ error }) => error)).toEqual([
    'The session was ended: dan may no longer log in to db-1 as root.',
    'You may not log in to db-2 as root.',
    'You may not log in to web-1 as root.',
  ]);
});

test('much output comes in frames that every client reads, up to the limit, and is recorded whole', async () => {
  const client = new Client({ params: { ...asking, query: 'name == "db-1"' } });
  const shell = [...(await shellsOf(client, 1)).values()][0];
  shell?.print('y'.repeat(RUN_OUTPUT_MOST_BYTES + 5));
  shell?.exit(0);
  await client.ended();
  expect(Math.max(...client.heard.map(({ bytes }) => bytes))).toBeLessThanOrEqual(RAW_MOST_BYTES);
  expect(client.said(servers['db-1'], 'stdout')).toBe('y'.repeat(RUN_OUTPUT_MOST_BYTES));
  expect(client.said(servers['db-1'], 'postern-error')).toBe('More than 1 MiB: the rest is in the recording.');
  expect((await eventsOf('ann')).findLast(({ code }) => code === 'T2006I')).toMatchObject({
    tx: RUN_OUTPUT_MOST_BYTES + 5,
  });
});

test('a session of a command cannot be joined, and offers no way to: it shows no terminal', async () => {
  const client = new Client({ params: { ...asking, query: 'name == "db-1"' } });
  const [shell] = (await shellsOf(client, 1)).values();
  const { json } = await ann.call('GET', `/v1/webapi/sites/${CLUSTER}/sessions`);
  expect(json).toMatchObject({ sessions: [{ id: shell?.sid, command: 'uname', participantModes: [] }] });
  const params = { sid: shell?.sid, server_id: '', login: '', mode: '', term: { h: 24, w: 80 } };
  const { path } = address({ params });
  const joining = new WebSocket(
    `ws://127.0.0.1:${port}${path.replace(/command\/(\w+)\/execute/, 'sites/$1/connect')}`,
    { headers: address({}).headers } as unknown as string[],
  );
  opened.push(joining);
  const closed = new Promise<CloseEvent>(done => joining.addEventListener('close', done));
  expect((await closed).reason).toContain('cannot be joined');
  shell?.exit(0);
  await client.ended();
});

test('whose sessions begin with others only cannot run what nobody can join', async () => {
  await rig.addUser('eve', ['access', 'watched'], ['root']);
  const client = new Client({ who: await rig.signIn('eve'), params: { ...asking, query: 'name == "db-1"' } });
  await client.ended();
  expect(client.of('c')).toMatchObject([
    { error: 'Your sessions on db-1 begin when others have joined, and nobody can join a command.' },
  ]);
  expect((await eventsOf('eve')).map(({ code }) => code)).toContain('T3007W');
  expect(rig.shells).toHaveLength(0);
});

test('one touch of a key answers for the whole run', async () => {
  const key = createSoftwareKey('https://console.example.com');
  const { credentials, devices } = rig.services.identity;
  const { tokenId: token } = await credentials.createToken('grace', 'invite', { user: 'test', rights: null });
  const creation = key.create(await devices.registerWebauthn(token, 'mfa'));
  const password = Buffer.from(PASSWORD).toString('base64');
  const from = { remoteAddr: '192.0.2.1:1', userAgent: 'test' };
  const { signedIn } = await credentials.complete({ token, password, deviceName: 'key', creation }, from);
  const who = { cookie: signedIn?.cookie ?? '', bearer: signedIn?.reply.token ?? '' };
  const touch = async (isForged: boolean): Promise<Client> => {
    const client = new Client({ who });
    await expect.poll(() => client.of('n').length).toBe(1);
    const answer = key.get(client.of('n')[0] as unknown as Challenge, { isForged });
    client.socket.send(new Uint8Array(encodeFrame(frameTypes.webauthn, Buffer.from(JSON.stringify(answer)))));
    return client;
  };
  const refused = await touch(true);
  expect(await refused.ended()).toMatchObject({ code: 1008 });
  expect(refused.of('e')).toEqual([{ text: 'The hardware key was not accepted.' }]);
  expect(rig.shells).toHaveLength(0);
  const client = await touch(false);
  for (const shell of (await shellsOf(client, 3)).values()) shell.exit(0);
  await client.ended();
  expect(client.of('n')).toHaveLength(1);
  const started = (await eventsOf('grace')).filter(({ code }) => code === 'T2000I');
  expect(started.map(({ with_mfa }) => typeof with_mfa)).toEqual(['string', 'string', 'string']);
});

describe('refused before the upgrade', () => {
  test.each([
    ['no parameters', 'nothing', '400 params: must be URL-encoded JSON'],
    ['a list', [], '400 params: '],
    ['no command', { ...asking, command: ' ' }, '400 params.command: give the command'],
    ['a NUL', { ...asking, command: 'a\0b' }, '400 params.command: no NUL'],
    ['a novel', { ...asking, command: 'x'.repeat(4097) }, '400 params.command: at most 4096 characters'],
    ['no servers', { ...asking, query: '' }, '400 params.query: say which servers'],
    ['a broken query', { ...asking, query: 'name ==' }, '400 '],
    ['nobody', { ...asking, query: 'name == "nowhere"' }, '404 no server that you may see'],
    ['no login', { ...asking, login: '' }, '400 params.login: give the login'],
    ['far too many at once', { ...asking, parallel: 1e9 }, '400 params.parallel'],
    ['an id that is none', { ...asking, execution_id: '<script>' }, '400 params.execution_id'],
    ['a login that is none', { ...asking, logins: { a: 1 } }, '400 params.logins'],
  ])('%s', async (_name, params, wanted) => {
    expect((await answerTo({ params })).slice(0, wanted.length)).toBe(wanted);
  });

  test('a prototype is no login, and a longer URL is no run', async () => {
    const hostile = JSON.stringify({ ...asking, login: '' }).replace('{', '{"logins":{"__proto__":{"x":"root"}},');
    expect(await answerTo({ params: hostile })).toMatch(/^400 params\./);
    expect(await answerTo({ params: `{"command":"${'x'.repeat(12_000)}"}` })).toMatch(/^(400|431) /);
  });

  test('whoever shows no live pair, comes from another page, or asks another cluster', async () => {
    const bob = await rig.signIn('bob');
    const outsiders: Record<string, Asking> = {
      'no token': { who: {} },
      'a cookie only': { who: { cookie: ann.cookie } },
      'a bearer only': { who: { bearer: ann.bearer } },
      "another person's bearer": { who: { cookie: ann.cookie, bearer: bob.bearer } },
      'a page of another origin': { origin: 'https://evil.example.com' },
    };
    for (const [name, given] of Object.entries(outsiders))
      expect({ name, said: (await answerTo(given)).slice(0, 3) }).toEqual({ name, said: '403' });
    expect(await answerTo({ cluster: 'elsewhere' })).toMatch(/^404 /);
    await rig.addUser('nobody', ['one']);
    expect(await answerTo({ who: await rig.signIn('nobody') })).toMatch(/^404 no server/);
  });
});
