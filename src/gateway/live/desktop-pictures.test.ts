// Desktops as pictures, over the sockets of clients that speak TDP: a real VNC desktop, and its recording.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openVncDesktop, type VncDesktop } from '../../../e2e/rigs/vnc-desktop.ts';
import { type Browser, CLUSTER, openRig, type Rig } from '../app.testing.ts';

let rig: Rig;
let vnc: VncDesktop;
let port: number;
let ann: Browser;
let ed: Browser;
const SITE = `/v1/webapi/sites/${CLUSTER}`;
const role = `kind: role\nversion: v7\nmetadata: {name: office}\nspec:\n  options: {reach_loopback: true}\n  allow:\n    windows_desktop_labels: {env: office}\n    windows_desktop_logins: [alice, bob]\n`;

beforeAll(async () => {
  [rig, vnc] = await Promise.all([openRig(), openVncDesktop()]);
  await rig.declared.apply([{ name: 'role.yaml', content: role }], { by: 'test' });
  await rig.addUser('ann', ['access', 'office']);
  await rig.addUser('ed', ['editor', 'auditor', 'office']);
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  port = (rig.app.server.address() as AddressInfo).port;
  [ann, ed] = [await rig.signIn('ann'), await rig.signIn('ed')];
  const labels = [{ name: 'env', value: 'office' }];
  await ed.call('POST', `${SITE}/desktops`, { name: 'lab', addr: `127.0.0.1:${vnc.port}`, protocol: 'vnc', labels });
  await ed.call('PUT', `${SITE}/desktops/lab/passwords/alice`, { password: vnc.password });
}, 60_000);
afterAll(async () => {
  await rig?.dispose();
  await vnc?.dispose();
});

async function open(who: Browser, path: string, query: Record<string, string> = {}) {
  const all = new URLSearchParams({ access_token: who.bearer, ...query });
  const socket = new WebSocket(`ws://127.0.0.1:${port}${SITE}/${path}?${all}`, {
    headers: { cookie: `__Host-session=${who.cookie}` },
  } as unknown as string[]);
  socket.binaryType = 'arraybuffer';
  const heard: Buffer[] = [];
  const closed = new Promise<void>(done => socket.addEventListener('close', () => done()));
  socket.addEventListener('message', ({ data }) => heard.push(Buffer.from(data as ArrayBuffer)));
  await once(socket, 'open');
  return { socket, heard, closed, send: (...bytes: number[]) => socket.send(Uint8Array.from(bytes)) };
}
const connect = (query: Record<string, string>) => open(ann, 'desktops/lab/connect', query);
/** The words of what ends a session, severity 2. */
const noticeOf = (heard: readonly Buffer[]): string => {
  const last = heard.at(-1);
  return last?.[0] === 28 && last.at(-1) === 2 ? last.toString('utf8', 5, last.length - 1) : '';
};
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

// Rule 7.3: desktops are connected to and played back over sockets
test('a client that speaks TDP is shown pictures, types by the places of keys, and its session is recorded and played back as pictures', async () => {
  const { heard, send, socket, closed } = await connect({ username: 'alice', width: '1024', height: '768' });
  // Before there is a screen nothing is done on it.
  for (let at = 0; at < 20; at += 1) send(3, 0, 0, 0, at, 0, 0, 0, at);
  const pictures = () => heard.filter(([id]) => id === 27);
  await vi.waitFor(() => expect(pictures().length).toBeGreaterThan(0), 20_000);
  const [first] = pictures();
  expect(first?.readUInt32BE(1)).toBe((first?.length ?? 0) - 21);
  expect(first?.subarray(21, 25)).toEqual(PNG);
  expect([5, 9, 13, 17].map(at => first?.readUInt32BE(at))).toEqual([0, 0, 1024, 768]);
  send(3, 0, 0, 0, 100, 0, 0, 0, 100);
  // id>p: what writes the file p.
  const keys = [[0x17], [0x20], [0x2a, 0x34], [0x19], [0x1c]];
  for (const held of keys) {
    for (const key of held) send(5, 0, 0, 0, key, 1);
    for (const key of held.toReversed()) send(5, 0, 0, 0, key, 0);
  }
  await vi.waitFor(() => expect(vnc.read('p')).toContain('uid='), 20_000);
  // A directory is not taken, and a key that no keyboard has does nothing.
  send(11, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 97);
  await vi.waitFor(() => expect(heard.some(bytes => bytes.equals(Buffer.of(12, 0, 0, 0, 1, 0, 0, 0, 2)))).toBe(true));
  socket.close();
  await closed;
  const ends = async () => {
    const { json } = await ed.call('GET', `${SITE}/events/search?limit=200`);
    return (json as { events: { code: string; sid: string }[] }).events.filter(({ code }) => code === 'TDP01I');
  };
  await vi.waitFor(async () => expect(await ends()).toHaveLength(1), 10_000);
  const [end] = await ends();
  const played = await open(ed, `desktopplayback/${end?.sid}`);
  played.socket.send(JSON.stringify({ action: 'speed', speed: 99 }));
  await played.closed;
  const told = played.heard.map(bytes => JSON.parse(bytes.toString()) as { message: string; ms: number });
  expect(told.at(-1)).toEqual({ message: 'end' });
  expect([...Buffer.from(told[0]?.message ?? '', 'base64')]).toEqual([1, 0, 0, 4, 0, 0, 0, 3, 0]);
  expect(Buffer.from(told[1]?.message ?? '', 'base64').subarray(21, 25)).toEqual(PNG);
}, 90_000);

test('what is wrong is said in words within the socket: sizes, logins without a kept password, messages that are none', async () => {
  for (const query of [
    {},
    { username: 'alice', width: '0', height: '600' },
    { username: 'alice', width: '100000', height: '600' },
  ]) {
    const { heard, closed } = await connect(query);
    await closed;
    expect(noticeOf(heard)).toContain('sides of 1 to 8192 pixels');
  }
  const unkept = await connect({ username: 'bob', width: '800', height: '600' });
  await unkept.closed;
  expect(noticeOf(unkept.heard)).toContain('have the gateway keep it for bob');
  const wild = await connect({ username: 'alice', width: '800', height: '600' });
  await vi.waitFor(() => expect(wild.heard.length).toBeGreaterThan(0), 20_000);
  wild.send(99, 1, 2, 3);
  await wild.closed;
  expect(noticeOf(wild.heard)).toContain('no message of a desktop');
}, 60_000);

test('a recording that there is not, or that somebody may not play, is not found; another action ends the playing', async () => {
  const none = await open(ed, `desktopplayback/${crypto.randomUUID()}`);
  await none.closed;
  expect(none.heard.map(bytes => JSON.parse(bytes.toString()))).toEqual([
    { message: 'error', errorText: 'session not found' },
  ]);
});
