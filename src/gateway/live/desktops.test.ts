// Sessions on a real VNC desktop, through the gateway's sockets.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openVncDesktop, type VncDesktop } from '../../../e2e/rigs/vnc-desktop.ts';
import type { DesktopMessage } from '../../contract/desktop-sessions.ts';
import { type Browser, CLUSTER, openRig, type Rig } from '../app.testing.ts';

let rig: Rig;
let vnc: VncDesktop;
let port: number;
let ann: Browser;
let bob: Browser;
let ed: Browser;

const role = (name: string, options: string, logins: string): string =>
  `kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec:\n  options: {reach_loopback: true, ${options}}\n  allow:\n    windows_desktop_labels: {env: office}\n    windows_desktop_logins: [${logins}]\n`;
const DESKTOPS = `/v1/webapi/sites/${CLUSTER}/desktops`;

beforeAll(async () => {
  [rig, vnc] = await Promise.all([openRig(), openVncDesktop()]);
  const files = [
    role('office', 'desktop_clipboard: true', 'alice'),
    role('closed', 'desktop_clipboard: false, record_session: {desktop: false}', 'alice'),
  ];
  await rig.declared.apply(
    files.map((content, index) => ({ name: `${index}.yaml`, content })),
    { by: 'test' },
  );
  await rig.addUser('ann', ['access', 'office']);
  await rig.addUser('bob', ['access', 'closed']);
  await rig.addUser('mia', ['closed']);
  await rig.addUser('ed', ['editor', 'auditor', 'office']);
  await rig.addUser('eve', ['auditor']);
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  port = (rig.app.server.address() as AddressInfo).port;
  [ann, bob, ed] = [await rig.signIn('ann'), await rig.signIn('bob'), await rig.signIn('ed')];
  const labels = [{ name: 'env', value: 'office' }];
  await ed.call('POST', DESKTOPS, { name: 'lab', addr: `127.0.0.1:${vnc.port}`, protocol: 'vnc', labels });
}, 60_000);
afterAll(async () => {
  await rig?.dispose();
  await vnc?.dispose();
});

function socketTo(who: Browser, path: string, query: Record<string, string> = {}): WebSocket {
  const all = new URLSearchParams({ access_token: who.bearer, ...query });
  const socket = new WebSocket(`ws://127.0.0.1:${port}${DESKTOPS}/${path}?${all}`, {
    headers: { cookie: `__Host-session=${who.cookie}` },
  } as unknown as string[]);
  socket.binaryType = 'arraybuffer';
  return socket;
}
/** The socket of a session: what it says, in order. */
function begin(who: Browser, params: object = {}) {
  const socket = socketTo(who, 'lab/session', {
    params: JSON.stringify({ login: 'alice', width: 800, height: 600, ...params }),
  });
  const said: DesktopMessage[] = [];
  let wake = (): void => undefined;
  let isClosed = false;
  socket.addEventListener('message', ({ data }) => {
    said.push(JSON.parse(String(data)) as DesktopMessage);
    wake();
  });
  socket.addEventListener('close', () => {
    isClosed = true;
    wake();
  });
  return {
    socket,
    /** Undefined when it has been closed. */
    async next(): Promise<DesktopMessage | undefined> {
      while (said.length === 0 && !isClosed)
        await new Promise<void>(go => {
          wake = go;
        });
      return said.shift();
    },
    answer: (password: string) => socket.send(JSON.stringify({ password })),
  };
}
async function ready(who: Browser): Promise<{ sid: string; end: () => void; next: ReturnType<typeof begin>['next'] }> {
  const session = begin(who);
  const first = await session.next();
  expect(first).toHaveProperty('ready');
  return { sid: first?.ready?.sid ?? '', end: () => session.socket.close(), next: session.next };
}
/** A VNC client that is let in without a password, with the bytes of what it is shown. */
async function client(who: Browser, sid: string) {
  const socket = socketTo(who, `lab/stream/${sid}`);
  let bytes = Buffer.alloc(0);
  let at = 0;
  const closed = new Promise<void>(done => socket.addEventListener('close', () => done()));
  socket.addEventListener('message', ({ data }) => {
    bytes = Buffer.concat([bytes, Buffer.from(data as ArrayBuffer)]);
  });
  await once(socket, 'open');
  const take = async (count: number): Promise<Buffer> => {
    await vi.waitFor(() => expect(bytes.length).toBeGreaterThanOrEqual(at + count), 10_000);
    at += count;
    return bytes.subarray(at - count, at);
  };
  const send = (...parts: (Buffer | number[])[]) => socket.send(Buffer.concat(parts.map(part => Buffer.from(part))));
  expect(String(await take(12))).toBe('RFB 003.008\n');
  send(Buffer.from('RFB 003.008\n'));
  expect([...(await take(2))]).toEqual([1, 1]);
  send([1]);
  expect([...(await take(4))]).toEqual([0, 0, 0, 0]);
  send([1]);
  const start = await take(24);
  await take(start.readUInt32BE(20));
  return {
    size: `${start.readUInt16BE(0)}x${start.readUInt16BE(2)}`,
    seen: () => bytes.subarray(at),
    send,
    closed,
    socket,
    /** Types on the desktop as a keyboard does. */
    type(text: string) {
      for (const key of text)
        for (const down of [1, 0]) {
          const message = Buffer.from([4, down, 0, 0, 0, 0, 0, 0]);
          message.writeUInt32BE(key === '\n' ? 0xff0d : key.charCodeAt(0), 4);
          send(message);
        }
    },
  };
}
const PIXELS = [0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0];
/** Raw, Tight, and one (ZRLE) that is not relayed. */
const ENCODINGS = [2, 0, 0, 3, 0, 0, 0, 7, 0, 0, 0, 16, 0, 0, 0, 0];
const ALL = [3, 0, 0, 0, 0, 0, 4, 0, 3, 0];
const cutText = (text: string): Buffer => {
  const message = Buffer.from(`\x06\0\0\0\0\0\0\0${text}`, 'latin1');
  message.writeInt32BE(text.length, 4);
  return message;
};
async function events(...codes: string[]): Promise<Record<string, unknown>[]> {
  const { json } = await ed.call('GET', `/v1/webapi/sites/${CLUSTER}/events/search?limit=200`);
  return (json as { events: Record<string, unknown>[] }).events.filter(({ code }) => codes.includes(String(code)));
}

test('a password that the gateway does not keep is asked for, and asked for again when the desktop refuses it', async () => {
  const session = begin(ann);
  expect(await session.next()).toEqual({ asks: 'lab asks for a password.' });
  session.answer('wrong');
  expect((await session.next())?.asks).toContain('lab refused the password');
  session.answer(vnc.password);
  expect((await session.next())?.ready).toMatchObject({ protocol: 'vnc', clipboard: true, recorded: true });
  session.socket.close();
});

test('with the password kept, keys reach the desktop, its picture comes back, and the session is listed, recorded and in the audit log', async () => {
  expect((await ann.call('PUT', `${DESKTOPS}/lab/passwords/alice`, { password: 'x' })).status).toBe(403);
  expect((await ed.call('PUT', `${DESKTOPS}/lab/passwords/alice`, { password: vnc.password })).status).toBe(200);
  const [kept] = await events('TJ014I');
  expect(kept).toMatchObject({
    event: 'desktop.password.keep',
    user: 'ed',
    desktop_name: 'lab',
    windows_user: 'alice',
  });
  expect(JSON.stringify(kept)).not.toContain(vnc.password);
  const { sid, end, next } = await ready(ann);
  const screen = await client(ann, sid);
  expect(screen.size).toBe('1024x768');
  screen.send(PIXELS, ENCODINGS, ALL);
  await vi.waitFor(() => expect(screen.seen().length).toBeGreaterThan(1000), 10_000);
  screen.send([5, 0, 0, 100, 0, 100]);
  screen.type('echo typed-$((6*7)) > proof\n');
  await vi.waitFor(() => expect(vnc.read('proof')).toBe('typed-42\n'), 10_000);
  const { sessions } = (await ann.call('GET', `/v1/webapi/sites/${CLUSTER}/sessions`)).json as {
    sessions: Record<string, unknown>[];
  };
  expect(sessions).toMatchObject([
    { kind: 'desktop', id: sid, desktop_name: 'lab', login: 'alice', owner: 'ann', participantModes: ['observer'] },
  ]);
  expect((await ann.call('GET', `${DESKTOPS}/lab/active`)).json).toEqual({ active: true });
  end();
  await screen.closed;
  while ((await next()) !== undefined);
  await vi.waitFor(async () => expect(await events('TDP01I')).toHaveLength(2), 10_000);
  expect((await events('TDP00I'))[0]).toMatchObject({
    ...{ event: 'windows.desktop.session.start', user: 'ann', windows_user: 'alice', desktop_name: 'lab' },
    ...{ desktop_addr: `127.0.0.1:${vnc.port}`, desktop_labels: { env: 'office' }, session_recording: 'node', sid },
  });
  expect((await events('TDP01I'))[0]).toMatchObject({ sid, recorded: true, participants: ['ann'] });
  const { json } = await ed.call('GET', `/v1/webapi/sites/${CLUSTER}/recordings/${sid}`);
  expect(json).toMatchObject({ hostname: 'lab', integrity: { ok: true }, state: 'sealed' });
  expect((json as { bytes: number }).bytes).toBeGreaterThan(1000);
});

test('text of the clipboard goes to the desktop and is counted in the audit log, unless a role forbids it', async () => {
  const { sid, end } = await ready(ann);
  const screen = await client(ann, sid);
  screen.send(PIXELS, ENCODINGS, ALL, cutText('from the browser'));
  await vi.waitFor(async () => expect(await events('TDP02I')).toHaveLength(1), 10_000);
  expect((await events('TDP02I'))[0]).toMatchObject({ event: 'desktop.clipboard.send', user: 'ann', length: 16, sid });
  // What was copied there comes back to whoever comes next, and to no recording.
  end();
  const second = await ready(bob);
  const closed = await client(bob, second.sid);
  closed.send(PIXELS, ENCODINGS, ALL, cutText('forbidden'), ALL);
  await vi.waitFor(() => expect(closed.seen().length).toBeGreaterThan(1000), 10_000);
  expect(await events('TDP02I')).toHaveLength(1);
  second.end();
});

test('a desktop is recorded where any role says so, and no other', async () => {
  for (const [who, recorded] of [
    [bob, true],
    [await rig.signIn('mia'), false],
  ] as const) {
    const { socket, next } = begin(who);
    expect((await next())?.ready).toMatchObject({ recorded });
    socket.close();
  }
});

test('a stream is opened once, by whoever began its session, on its own desktop', async () => {
  const { sid, end } = await ready(ann);
  const refused = async (who: Browser, path: string): Promise<void> => {
    const socket = socketTo(who, path);
    await once(socket, 'error');
  };
  const other = await rig.signIn('ann');
  await refused(bob, `lab/stream/${sid}`);
  await refused(other, `lab/stream/${sid}`);
  await refused(ann, `elsewhere/stream/${sid}`);
  const screen = await client(ann, sid);
  await refused(ann, `lab/stream/${sid}`);
  end();
  await screen.closed;
});

test('who may not log in there is told so, whoever is not led there finds nothing, and sizes that no screen has are refused', async () => {
  const refused = begin(ann, { login: 'root' });
  expect(await refused.next()).toEqual({ over: 'You may not log in to the desktop lab as root.' });
  expect((await events('TDP00W'))[0]).toMatchObject({ user: 'ann', windows_user: 'root', success: false });
  const answer = async (who: Browser, params: object) => {
    const query = new URLSearchParams({
      access_token: who.bearer,
      params: JSON.stringify({ login: 'alice', width: 800, height: 600, ...params }),
    });
    return (await who.call('GET', `${DESKTOPS}/lab/session?${query}`)).status;
  };
  const eve = await rig.signIn('eve');
  expect(await answer(eve, {})).toBe(404);
  expect(await answer(ann, {})).toBe(426);
  for (const params of [{ width: 0 }, { height: 100_000 }, { width: 1.5 }, { login: '' }])
    expect(await answer(ann, params)).toBe(400);
});

test('a lock on the desktop ends a session in its middle with the reason, and lets nobody in', async () => {
  const { sid, next } = await ready(ann);
  const screen = await client(ann, sid);
  const { json } = await ed.call('PUT', `/v1/webapi/sites/${CLUSTER}/locks`, {
    targets: { windows_desktop: 'lab' },
    message: 'under repair',
    ttl: '',
  });
  expect((await next())?.over).toContain('under repair');
  await screen.closed;
  const refused = begin(ann);
  expect((await refused.next())?.over).toContain('This desktop is locked');
  await ed.call('DELETE', `/v1/webapi/sites/${CLUSTER}/locks/${(json as { name: string }).name}`);
});

test('what is no VNC ends the session with a reason, and the gateway lives on', async () => {
  const { sid, next } = await ready(ann);
  const screen = await client(ann, sid);
  screen.send([99, 1, 2, 3]);
  expect(await next()).toEqual({
    over: 'The session was ended: the client sent a message of an unknown kind, 99.',
  });
  await screen.closed;
  (await ready(ann)).end();
});
