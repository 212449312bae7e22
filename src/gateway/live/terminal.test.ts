// The terminal socket over a real connection: who may open it, what it says, and how it ends.
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { decodeFrame, encodeFrame, type FrameType, frameTypes } from '../../contract/envelope.ts';
import type { Challenge } from '../../contract/mfa.ts';
import { type Browser, CLUSTER, openRig, PASSWORD, type Rig, type ScriptedShell } from '../app.testing.ts';
import { ConnectError } from '../ports/reach.ts';
import { roleResource } from '../services/rights/source.ts';
import { createSoftwareKey } from '../software-key.testing.ts';

let rig: Rig;
let port: number;
let server: string;
let hidden: string;
/** Runs the presence check that is next. */
let presence = (): void => undefined;
let waits = 0;
let ann: Browser;
const opened: WebSocket[] = [];

beforeAll(async () => {
  rig = await openRig({
    config: { keepAliveMs: 200 },
    factors: { secondFactor: 'optional' },
    services: {
      after(_ms, run) {
        waits += 1;
        presence = run;
        return () => undefined;
      },
    },
  });
  await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root', 'ann']);
  await rig.addUser('bob', ['access'], ['bob']);
  server = await rig.addServer('db-3', { env: 'prod' });
  await rig.addServer('twin');
  await rig.addServer('twin');
  hidden = server;
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  port = (rig.app.server.address() as AddressInfo).port;
  ann = await rig.signIn('ann');
});
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close();
});
afterAll(() => rig.dispose());

interface Asking {
  readonly who?: Browser;
  readonly cookie?: string;
  readonly bearer?: string;
  readonly origin?: string;
  readonly cluster?: string;
  readonly params?: object | string;
}
const term = { h: 24, w: 80 };
const WEB_SESSION_OVER = 'Your session has ended: sign in again.';
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

function address(asking: Asking): { url: string; headers: Record<string, string> } {
  const who = asking.who ?? ann;
  const { params = { server_id: server, login: 'root', sid: '', mode: '', term } } = asking;
  const query = new URLSearchParams({
    access_token: asking.bearer ?? who.bearer,
    params: typeof params === 'string' ? params : JSON.stringify(params),
    traceparent: '',
  });
  return {
    url: `/v1/webapi/sites/${asking.cluster ?? CLUSTER}/connect?${query}`,
    headers: {
      cookie: `__Host-session=${asking.cookie ?? who.cookie}`,
      ...(asking.origin === undefined ? {} : { origin: asking.origin }),
    },
  };
}

/** The status an upgrade is answered with, and the sentence; 101 when it is granted (and then dropped). */
function answerTo(asking: Asking, upgrade = true): Promise<{ status: number; said: string }> {
  const { url, headers } = address(asking);
  const wants = upgrade ? UPGRADE : {};
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: url, headers: { ...headers, ...wants }, agent: false });
    asked.on('error', reject);
    asked.on('upgrade', (_answer, socket) => {
      socket.destroy();
      resolve({ status: 101, said: '' });
    });
    asked.on('response', answer => {
      let body = '';
      answer.on('data', chunk => {
        body += chunk;
      });
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          said: (JSON.parse(body) as { error?: { message: string } }).error?.message ?? '',
        }),
      );
    });
    asked.end();
  });
}

class Client {
  readonly socket: WebSocket;
  readonly heard: Array<{ type: string; text: string }> = [];
  closed: { code: number; reason: string } | null = null;
  #waiting: Array<() => void> = [];
  constructor(asking: Asking) {
    const { url, headers } = address(asking);
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${url}`, { headers } as unknown as string[]);
    this.socket.binaryType = 'arraybuffer';
    opened.push(this.socket);
    this.socket.addEventListener('message', ({ data }) => {
      const { type, payload } = decodeFrame(new Uint8Array(data as ArrayBuffer));
      this.heard.push({ type, text: new TextDecoder().decode(payload) });
      this.#wake();
    });
    this.socket.addEventListener('close', ({ code, reason }) => {
      this.closed = { code, reason };
      this.#wake();
    });
  }
  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
  async until<Result>(look: () => Result | null | undefined | false): Promise<Result> {
    for (;;) {
      const found = look();
      if (found) return found;
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    }
  }
  frame(type: FrameType): Promise<string> {
    return this.until(() => this.heard.find(frame => frame.type === type)).then(frame => frame.text);
  }
  printed(text: string): Promise<true> {
    return this.until(
      () =>
        this.heard
          .filter(({ type }) => type === frameTypes.raw)
          .map(frame => frame.text)
          .join('')
          .includes(text) || null,
    ).then(() => true);
  }
  async session(): Promise<{
    session: { id: string; login: string; server_hostname: string };
    output: { offset: number; fresh: boolean };
    recording: string;
  }> {
    return JSON.parse(await this.frame(frameTypes.session));
  }
  end(): Promise<{ code: number; reason: string }> {
    return this.until(() => this.closed);
  }
  send(type: FrameType, payload: string): void {
    this.socket.send(new Uint8Array(encodeFrame(type, Buffer.from(payload))));
  }
}
/** A running session, its client and its shell. */
async function start(asking: Asking = {}): Promise<{ client: Client; shell: ScriptedShell; sid: string }> {
  const client = new Client(asking);
  const { session } = await client.session();
  const shell = rig.shells.find(({ sid }) => sid === session.id);
  if (!shell) throw new Error('no shell was opened');
  return { client, shell, sid: session.id };
}
/** Waits for something that the gateway does, a turn of the loop at a time. */
async function eventually(look: () => boolean): Promise<void> {
  while (!look()) await new Promise(resolve => setImmediate(resolve));
}

test('typing is activity of the person, output is none', async () => {
  const { client, shell } = await start();
  const active = async () => {
    const sessions = await rig.store.webSessions.listOf((await rig.store.users.get('ann'))?.id ?? '', new Date(0));
    return Math.max(...sessions.map(({ lastActive }) => lastActive.getTime()));
  };
  rig.later(20_000);
  const before = await active();
  shell.print('nobody typed this');
  await client.printed('nobody typed this');
  expect(await active()).toBe(before);
  client.send(frameTypes.raw, 'ls');
  await expect.poll(active).toBeGreaterThan(before);
});

describe('where roles ask for a hardware key for each session', () => {
  const key = createSoftwareKey('https://console.example.com');
  let grace: Browser;
  const publicKey = { challenge: 'AAAA', timeout: 1, rpId: 'console.example.com' };
  const other: Challenge = { webauthn_challenge: { publicKey }, totp_challenge: false };
  const asked = async (client: Client): Promise<Challenge> =>
    JSON.parse(await client.frame(frameTypes.webauthn)) as Challenge;
  const answer = (client: Client, given: unknown) => client.send(frameTypes.webauthn, JSON.stringify(given));
  const events = async (code: string) =>
    (
      await rig.store.events.search({ from: new Date(0), to: new Date(8e15), limit: 500, types: [], descending: true })
    ).events.filter(event => event.code === code && event.user === 'grace');

  beforeAll(async () => {
    const { credentials, devices } = rig.services.identity;
    const options = 'spec: {options: {require_session_mfa: true}}';
    await rig.store.resources.create(roleResource(`kind: role\nversion: v7\nmetadata: {name: keyed}\n${options}`));
    await rig.addUser('grace', ['access', 'keyed'], ['root']);
    const { tokenId: token } = await credentials.createToken('grace', 'invite', { user: 'test', rights: null });
    const creation = key.create(await devices.registerWebauthn(token, 'mfa'));
    const password = Buffer.from(PASSWORD).toString('base64');
    const from = { remoteAddr: '192.0.2.1:1', userAgent: 'test' };
    const { signedIn } = await credentials.complete({ token, password, deviceName: 'key', creation }, from);
    if (!signedIn) throw new Error('grace was not signed in');
    grace = { ...ann, user: 'grace', cookie: signedIn.cookie, bearer: signedIn.reply.token };
  });

  test('a session begins after the touch, its audit event names the device, and coming back to it asks nothing', async () => {
    const client = new Client({ who: grace });
    const challenge = await asked(client);
    const shells = rig.shells.length;
    client.send(frameTypes.raw, 'typed too early');
    answer(client, key.get(challenge));
    const { session } = await client.session();
    expect(client.heard.filter(({ type }) => type === frameTypes.webauthn)).toHaveLength(1);
    const shell = rig.shells[shells];
    expect([rig.shells.length, shell?.typed()]).toEqual([shells + 1, '']);
    client.send(frameTypes.raw, 'ls');
    await eventually(() => shell?.typed() === 'ls');
    expect((await events('T2000I'))[0]?.raw.with_mfa).toMatch(/^[0-9a-f-]{36}$/);

    const params = { server_id: '', login: '', sid: session.id, mode: '', term };
    const again = new Client({ who: grace, params });
    expect((await again.session()).session.id).toBe(session.id);
    expect(again.heard.map(({ type }) => type)).not.toContain(frameTypes.webauthn);
  });

  test('a moderator is asked again while they are there, and shown out once they do not answer', async () => {
    const owner = new Client({ who: grace });
    answer(owner, key.get(await asked(owner)));
    const { session } = await owner.session();
    const params = { server_id: '', login: '', sid: session.id, mode: 'moderator', term };
    const client = new Client({ who: grace, params });
    const questions = () => client.heard.filter(({ type }) => type === frameTypes.webauthn);
    await client.session();
    expect(questions()).toEqual([]);
    for (const count of [1, 2]) {
      const before = waits;
      presence();
      await client.until(() => questions().length === count);
      answer(client, count === 1 ? key.get(JSON.parse(questions()[0]?.text ?? '') as Challenge) : 'nobody');
      if (count === 1) await eventually(() => waits > before);
    }
    expect(await client.end()).toEqual({
      code: 1008,
      reason: 'You were shown out: The hardware key was not accepted.',
    });
    expect(owner.closed).toBeNull();
  });

  test.each([
    ['a forged answer', (challenge: Challenge) => key.get(challenge, { isForged: true })],
    ['the answer to another challenge', () => key.get(other)],
    ['no answer at all', () => 'no'],
  ])('%s opens nothing', async (_what, given) => {
    const client = new Client({ who: grace });
    const challenge = await asked(client);
    const shells = rig.shells.length;
    answer(client, given(challenge));
    expect(await client.frame(frameTypes.error)).toBe('The hardware key was not accepted.');
    await client.end();
    expect(rig.shells).toHaveLength(shells);
  });

  test('who has no key hears so, whoever opens one past the socket is refused, and mfa/required tells beforehand', async () => {
    await rig.addUser('heidi', ['access', 'keyed'], ['root']);
    const heidi = await rig.signIn('heidi');
    expect(await new Client({ who: heidi }).frame(frameTypes.error)).toMatch(/you have none registered/);
    const { identity, servers, sessions } = rig.services;
    const who = await identity.sessions.authenticate({ ...heidi, remoteAddr: '192.0.2.1:1' });
    const target = await servers.target(who, server);
    const size = { cols: 80, rows: 24 };
    await expect(sessions.open({ who, target, login: 'root', size })).rejects.toMatchObject({
      code: 'denied',
      message: 'Your roles ask for a second factor for each session.',
    });
    const ask = (by: Browser, body: object) => by.call('POST', `/v1/webapi/sites/${CLUSTER}/mfa/required`, body);
    const node = { node_name: 'db-3', login: 'root' };
    expect([(await ask(heidi, { node })).json, (await ask(ann, { node })).json]).toEqual([
      { required: true },
      { required: false },
    ]);
    expect((await ask(heidi, {})).status).toBe(400);
  });
});

test.each([
  ['its own', () => 'https://console.example.com', 101],
  ['its own loopback name', () => `http://localhost:${port}`, 101],
  ['its own loopback address', () => `http://127.0.0.1:${port}`, 101],
  ['none', () => undefined, 101],
  ['null', () => 'null', 403],
  ['another port', () => 'https://console.example.com:8443', 403],
  ['another loopback port', () => `http://localhost:${port + 1}`, 403],
  ['http instead of https', () => 'http://console.example.com', 403],
  ['a sub-domain', () => 'https://evil.console.example.com', 403],
  ['a longer host', () => 'https://console.example.com.evil.test', 403],
  ['a host that ends alike', () => 'https://evilconsole.example.com', 403],
  ['upper case', () => 'https://CONSOLE.example.com', 403],
  ['a trailing dot', () => 'https://console.example.com.', 403],
  ['a user before the host', () => 'https://console.example.com@evil.test', 403],
  ['punycode', () => 'https://xn--console-9ib.example.com', 403],
])('a page whose origin is %s gets its due', async (_name, origin, status) => {
  const value = origin();
  expect((await answerTo(value === undefined ? {} : { origin: value })).status).toBe(status);
});

test('cookie and token count only together, and only from one session', async () => {
  const bob = await rig.signIn('bob');
  for (const asking of [{ bearer: '' }, { cookie: '' }, { bearer: bob.bearer }, { cookie: bob.cookie }]) {
    expect((await answerTo(asking)).status).toBe(403);
  }
});

test.each([
  ['no JSON', '{', 400, 'params'],
  ['no size', { server_id: 'x', login: 'root' }, 400, 'params.term'],
  ['a size of 0', { server_id: 'x', login: 'root', term: { h: 0, w: 80 } }, 400, 'params.term.h'],
  ['a size of 4096', { server_id: 'x', login: 'root', term: { h: 24, w: 4096 } }, 400, 'params.term.w'],
  ['half a cell', { server_id: 'x', login: 'root', term: { h: 24, w: 80.5 } }, 400, 'params.term.w'],
  ['no server', { login: 'root', term }, 400, 'server_id'],
  ['no login', { server_id: 'db-3', term }, 400, 'login'],
  ['an unknown mode', { sid: 'x', mode: 'king', term }, 400, 'params.mode'],
  ['an unknown server', { server_id: 'nowhere', login: 'root', term }, 404, 'not found'],
  ['a name of several servers', { server_id: 'twin', login: 'root', term }, 400, 'several'],
  ['a login that no role gives', { server_id: 'db-3', login: 'oracle', term }, 403, 'oracle'],
  ['an unknown session', { sid: '00000000-0000-4000-8000-000000000000', term }, 404, 'session not found'],
])('%s is refused before the upgrade', async (_name, params, status, words) => {
  const answer = await answerTo({ params });
  expect(answer.status).toBe(status);
  expect(answer.said).toContain(words);
});

test('a server that is not there and a login that no role gives are noted, once each', async () => {
  await answerTo({ params: { server_id: 'missing-1', login: 'root', term } });
  await answerTo({ params: { server_id: 'missing-1', login: 'root', term } }, false);
  await answerTo({ params: { server_id: 'db-3', login: 'postgres', term } });
  const { json } = await ann.call('GET', `/v1/webapi/sites/${CLUSTER}/events/search?include=auth&limit=1000`);
  const events = (json as { events: { login?: string; server_id?: string }[] }).events;
  const about = events.filter(({ login, server_id }) => login === 'postgres' || server_id === 'missing-1');
  expect(about).toMatchObject([
    { code: 'T3007W', user: 'ann', login: 'postgres', success: false, error: expect.stringContaining('postgres') },
    { code: 'T3007W', user: 'ann', server_id: 'missing-1', success: false, error: 'server not found: "missing-1"' },
  ]);
});

test('another cluster is not found, and without an upgrade the same checks are answered in plain HTTP', async () => {
  expect((await answerTo({ cluster: 'elsewhere' })).status).toBe(404);
  expect(await answerTo({ params: { server_id: 'nowhere', login: 'root', term } }, false)).toMatchObject({
    status: 404,
  });
  expect((await answerTo({}, false)).status).toBe(426);
});

test('a server may be named by id, host, or host and port', async () => {
  for (const server_id of [hidden, 'db-3', 'db-3:22'])
    expect((await answerTo({ params: { server_id, login: 'root', term } })).status).toBe(101);
  expect((await answerTo({ params: { server_id: 'db-3:23', login: 'root', term } })).status).toBe(404);
});

// Rule 7.3: terminals
test('the session comes first, then output; typing, sizes and the end go through', async () => {
  const { client, shell } = await start();
  const first = await client.session();
  expect(client.heard[0]?.type).toBe('s');
  expect(first).toMatchObject({
    session: { login: 'root', server_hostname: 'db-3', owner: 'ann' },
    output: { offset: 0, fresh: true },
    recording: 'strict',
  });
  shell.print('hello\r\n');
  await client.printed('hello');
  client.send(frameTypes.raw, 'ls\r');
  await eventually(() => shell.typed() === 'ls\r');
  client.send(frameTypes.resize, JSON.stringify({ event: 'resize', width: 100, height: 30, size: '100:30' }));
  await eventually(() => shell.sizes.includes('100:30'));
  shell.exit(0);
  await client.frame(frameTypes.close);
  expect((await client.end()).code).toBe(1000);
});

test.each([0, 4096, -1, 1.5, '80', null])('a width of %s is refused in words and changes nothing', async width => {
  const { client, shell } = await start();
  client.send(frameTypes.resize, JSON.stringify({ event: 'resize', width, height: 24 }));
  expect(await client.frame(frameTypes.error)).toContain('1 to 4095');
  expect(shell.sizes).toEqual([]);
});

test('frames that are no envelope close the socket with a reason', async () => {
  const noise = [
    new Uint8Array([0xff, 0xff]),
    new Uint8Array(),
    encodeFrame('r', Buffer.from('x'))
      .subarray(0, 9)
      .map((byte, at) => (at === 2 ? 0x32 : byte)),
    'text',
  ];
  for (const message of noise) {
    const { client } = await start();
    client.socket.send(message as never);
    const end = await client.end();
    expect(end.code).toBe(1003);
    expect(end.reason).not.toBe('');
  }
});

test('a frame of more than a mebibyte closes the socket', async () => {
  const { client } = await start();
  client.socket.send(new Uint8Array(encodeFrame('r', new Uint8Array(1024 * 1024))));
  expect((await client.end()).code).toBe(1009);
});

test('a server that cannot be reached says so in the terminal, then the socket closes', async () => {
  rig.refuseNext(new ConnectError('unreachable', 'db-3:22 cannot be reached: connection refused'));
  const client = new Client({});
  expect(await client.frame(frameTypes.error)).toContain('connection refused');
  expect(await client.end()).toMatchObject({ code: 1011, reason: expect.stringContaining('cannot be reached') });
});

test('an internal fault tells nothing of itself', async () => {
  rig.refuseNext(new Error('secret plumbing'));
  const client = new Client({});
  expect(await client.frame(frameTypes.error)).not.toContain('plumbing');
  expect((await client.end()).reason).not.toContain('plumbing');
});

test('a lost connection keeps the session, and who comes back gets what is missing', async () => {
  const { client, shell, sid } = await start();
  shell.print('before ');
  await client.printed('before');
  client.socket.close(3000);
  await client.end();
  shell.print('meanwhile');
  const back = new Client({ params: { sid, term, have: 'before '.length } });
  expect((await back.session()).output).toEqual({ offset: 7, fresh: false });
  await back.printed('meanwhile');
  expect(back.heard.map(({ text }) => text).join('')).not.toContain('before');
});

test('no envelope of output is larger than two length bytes say, as it comes and as it is replayed', async () => {
  const { client, shell, sid } = await start();
  const text = `${'0123456789'.repeat(20_000)}end`;
  shell.print(text);
  await client.printed('end');
  const late = new Client({ params: { sid, term } });
  await late.printed('end');
  for (const { heard } of [client, late]) {
    const pieces = heard.filter(({ type }) => type === frameTypes.raw).map(frame => frame.text);
    expect(pieces.join('')).toBe(text);
    expect(Math.max(...pieces.map(piece => piece.length))).toBe(16_383);
  }
});

test('closing with 1000 ends the session when nobody else is there', async () => {
  const { client, sid } = await start();
  client.socket.close(1000);
  await client.end();
  await eventually(() => rig.services.sessions.get(sid) === null);
  expect((await answerTo({ params: { sid, term } })).status).toBe(404);
});

test('someone without the right neither joins nor learns more than that', async () => {
  const { sid } = await start();
  const bob = await rig.signIn('bob');
  const { status, said } = await answerTo({ who: bob, params: { sid, term } });
  expect([status, said]).toEqual([403, 'access denied: no role lets you join this session']);
});

test('signing out closes the sockets of that session with a reason, and only those', async () => {
  const leaving = await rig.signIn('ann');
  const here = await start({ who: leaving });
  const there = await start();
  await leaving.call('DELETE', '/v1/webapi/sessions/web');
  expect(await here.client.end()).toEqual({ code: 1008, reason: WEB_SESSION_OVER });
  there.shell.print('still here');
  await there.client.printed('still here');
});

test('renewing the token leaves the socket alone', async () => {
  const renewing = await rig.signIn('ann');
  const { client, shell } = await start({ who: renewing });
  const old = renewing.bearer;
  const renewed = await renewing.call('POST', '/v1/webapi/sessions/web/renew', {});
  expect((renewed.json as { token: string }).token).not.toBe(old);
  shell.print('still here');
  await client.printed('still here');
});

test('deleting a user ends what they had open', async () => {
  await rig.addUser('carol', ['access'], ['carol']);
  const carol = await rig.signIn('carol');
  const { client, sid } = await start({ who: carol, params: { server_id: 'db-3', login: 'carol', term } });
  await ann.call('DELETE', '/v1/webapi/users/carol');
  const { code, reason } = await client.end();
  // Their web session and their shell end at once: either is the first to say why, and both close with the same code.
  expect([code, ['The session was ended: user carol was deleted.', WEB_SESSION_OVER].includes(reason)]).toEqual([
    1008,
    true,
  ]);
  await eventually(() => rig.services.sessions.get(sid) === null);
});

test('who may no longer use a login is closed as one who may not, with the reason, while their web session goes on', async () => {
  await rig.addUser('erin', ['access'], ['erin', 'app']);
  const erin = await rig.signIn('erin');
  const { client } = await start({ who: erin, params: { server_id: 'db-3', login: 'app', term } });
  await ann.call('PUT', '/v1/webapi/users', { name: 'erin', roles: ['access'], allTraits: { logins: ['erin'] } });
  const why = 'The session was ended: erin may no longer log in to db-3 as app.';
  expect(await client.frame(frameTypes.close)).toBe(why);
  expect(await client.end()).toEqual({ code: 1008, reason: why });
});

test('deleting a user also ends what nobody is connected to, and the audit log says why', async () => {
  await rig.addUser('dora', ['access'], ['dora']);
  const dora = await rig.signIn('dora');
  const { client, sid } = await start({ who: dora, params: { server_id: 'db-3', login: 'dora', term } });
  client.socket.close(3000);
  await client.end();
  await eventually(() => rig.services.sessions.get(sid)?.session.parties.length === 0);
  await ann.call('DELETE', '/v1/webapi/users/dora');
  await eventually(() => rig.services.sessions.get(sid) === null);
  expect(rig.services.sessions.ended(sid)?.text).toBe('The session was ended: user dora was deleted.');
  let end = await rig.store.events.endOf(sid);
  while (!end) end = await rig.store.events.endOf(sid);
  expect(end.raw).toMatchObject({ code: 'T2004I', message: 'The session was ended: user dora was deleted.' });
});

test('latency is told in milliseconds, both halves', async () => {
  const { client } = await start();
  expect(JSON.parse(await client.frame(frameTypes.latency))).toEqual({ ws: expect.any(Number), ssh: 3 });
});

test('a client that says how far it has shown is not sent more than the window beyond it', async () => {
  const { client, shell } = await start();
  client.send(frameTypes.latency, JSON.stringify({ seen: 'all' }));
  expect(await client.frame(frameTypes.error)).toContain('whole number');
  client.send(frameTypes.latency, JSON.stringify({ seen: 0 }));
  shell.print('go on');
  await client.printed('go on');
});

test.each([
  ['GET', '/%zz'],
  ['GET', `/v1/webapi/users/${'x'.repeat(2000)}`],
  ['GET', '/nothing'],
  ['POST', '/v1/webapi/nothing'],
  ['GET', '/v1/webapi/ping'],
])('an upgrade of %s %.30s is refused and its connection ended, so that nobody collects them', async (method, url) => {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  socket.on('data', bytes => {
    said += String(bytes);
  });
  const head = Object.entries({ host: 'localhost', ...UPGRADE }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${url} HTTP/1.1\r\n${head.join('')}\r\n`);
  await once(socket, 'close');
  expect(said).toMatch(/^HTTP\/1\.1 40[04] /);
});

test('no token of a socket is in the log, also where there is no socket', async () => {
  await start();
  const { headers, url } = address({});
  for (const place of ['/sites/x/nowhere', `/sites/${CLUSTER}/nodes`, '/ping', '/motd']) {
    await new Promise<void>((resolve, reject) => {
      const path = `/v1/webapi${place}?${url.split('?')[1]}`;
      const asked = request({ port, host: '127.0.0.1', path, headers: { ...headers, ...UPGRADE }, agent: false });
      asked.on('response', answer => answer.resume().on('end', resolve));
      asked.on('upgrade', (_answer, socket) => {
        socket.destroy();
        reject(new Error(`${place} took the upgrade`));
      });
      asked.on('error', reject);
      asked.end();
    });
  }
  const log = rig.log.join('\n');
  expect(log).not.toContain(ann.bearer);
  expect(log).not.toContain('access_token');
});
