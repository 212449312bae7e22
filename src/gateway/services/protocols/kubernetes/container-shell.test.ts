import { request } from 'node:https';
import { type Duplex, duplexPair } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAuthority } from '../../../../../e2e/rigs/authority.ts';
import { exitStatus, type Kubelet, openKubelet } from '../../../../../e2e/rigs/kubelet.ts';
import { apiServerProgram, openCluster } from '../../../../../e2e/rigs/kubernetes.ts';
import type { Shell, ShellExit } from '../../../ports.ts';
import { openContainerShell, type Upgrade } from './container-shell.ts';
import { channels, opcodes, readFrames } from './frames.ts';

interface Client {
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}
const WEB = { namespace: 'default', pod: 'web-0', container: 'main' };
const SIZE = { cols: 100, rows: 30 };

/** `at`: where in front of the node's doors; the API server has the paths that shells ask for. */
const dial =
  (client: Client, at: (path: string) => string = path => path): Upgrade =>
  ({ path, headers }) =>
    new Promise((done, fail) => {
      const asked = request({ host: '127.0.0.1', ...client, path: at(path), headers });
      asked.once('upgrade', (answer, socket, head) => done({ socket, head, headers: answer.headers }));
      asked.once('response', answer => fail(new Error(`${answer.statusCode}`)));
      asked.once('error', fail).end();
    });
const atNode = (path: string): string =>
  path.replace(/^\/api\/v1\/namespaces\/(.*)\/pods\/(.*)\/exec/, '/exec/$1/$2/main');

/** What a shell prints until it ends. */
function read(shell: Shell) {
  let text = '';
  const heard: (() => void)[] = [];
  shell.onOutput(bytes => {
    text += Buffer.from(bytes).toString();
    for (const one of heard) one();
  });
  const ended = new Promise<ShellExit>(done => shell.onExit(done));
  shell.resume();
  return {
    ended,
    text: () => text,
    until: (part: string | RegExp) =>
      new Promise<void>(done => {
        const look = () => text.search(part) >= 0 && done();
        heard.push(look);
        look();
      }),
  };
}
const type = (shell: Shell, text: string) => shell.write(Buffer.from(text));

let kubelet: Kubelet;
let client: Client;
beforeAll(async () => {
  const authority = await createTestAuthority('test');
  const [own, caller] = await Promise.all([
    authority.issue('node', { hosts: ['127.0.0.1'] }),
    authority.issue('api server'),
  ]);
  kubelet = await openKubelet(own, authority.certificate);
  client = { port: kubelet.port, ca: authority.certificate, cert: caller.certificate, key: caller.key };
});
afterAll(() => kubelet.dispose());

test('a shell runs in the container, has the size that is asked for, and says how it ended', async () => {
  const shell = await openContainerShell(dial(client, atNode), WEB, SIZE);
  const { ended, until } = read(shell);
  type(shell, 'stty size; echo $TERM-$((6*7))\n');
  await until('30 100');
  await until('xterm-256color-42');
  shell.resize({ cols: 120, rows: 40 });
  type(shell, 'stty size\n');
  await until('40 120');
  expect(await shell.roundTrip()).toBeGreaterThanOrEqual(0);
  type(shell, 'exit 3\n');
  expect(await ended).toEqual({ code: 3, signal: null, error: null });
  await expect(shell.roundTrip()).rejects.toThrow('has ended');
});

test('a shell that is left hangs up, and one whose node is gone is lost', async () => {
  const left = await openContainerShell(dial(client, atNode), WEB, SIZE);
  const { ended } = read(left);
  left.close();
  expect(await ended).toEqual({ code: null, signal: null, error: null });
  const sockets: Duplex[] = [];
  const upgrade: Upgrade = async asked => {
    const answer = await dial(client, atNode)(asked);
    sockets.push(answer.socket);
    return answer;
  };
  const lost = await openContainerShell(upgrade, WEB, SIZE);
  const { ended: end } = read(lost);
  for (const socket of sockets) socket.destroy();
  expect(await end).toEqual({ code: null, signal: null, error: 'the connection to web-0 in default was lost' });
});

test('nothing is read from a shell that is held, and all of it later', async () => {
  const shell = await openContainerShell(dial(client, atNode), WEB, SIZE);
  const { text, until } = read(shell);
  await until(/[$#] $/);
  shell.pause();
  type(shell, 'head -c 300000 /dev/zero | tr "\\0" x; echo; echo D-ONE\n');
  const before = text().length;
  expect(await new Promise(done => setImmediate(() => setImmediate(() => done(text().length))))).toBe(before);
  shell.resume();
  await until(/\nD-ONE/);
  expect(text().match(/x/g)?.length).toBeGreaterThanOrEqual(300_000);
  shell.close();
});

/** A server that answers the handshake itself: what it then says is up to the test. */
async function scripted(protocol = 'v4.channel.k8s.io') {
  const [ours, theirs] = duplexPair();
  const upgrade: Upgrade = async asked => {
    const { createHash } = await import('node:crypto');
    const key = `${asked.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    return {
      socket: ours,
      head: Buffer.alloc(0),
      headers: { 'sec-websocket-accept': accept, 'sec-websocket-protocol': protocol },
    };
  };
  return { upgrade, theirs, ours };
}
/** A frame as servers send it. */
const frame = (opcode: number, payload: Buffer, isLast = true): Buffer =>
  Buffer.concat([
    payload.length < 126
      ? Buffer.of((isLast ? 0x80 : 0) | opcode, payload.length)
      : Buffer.of((isLast ? 0x80 : 0) | opcode, 126, payload.length >> 8, payload.length & 255),
    payload,
  ]);
const said = (channel: number, text: string) => Buffer.concat([Buffer.of(channel), Buffer.from(text)]);

test('messages come in pieces, in several frames and among pings, and what ends them is told in words', async () => {
  const { upgrade, theirs } = await scripted();
  const shell = await openContainerShell(upgrade, { ...WEB, container: '' }, SIZE);
  const { text, ended } = read(shell);
  const pongs: string[] = [];
  theirs.on(
    'data',
    readFrames(({ opcode, payload }) => {
      if (opcode === opcodes.pong) pongs.push(payload.toString());
    }),
  );
  const bytes = Buffer.concat([
    frame(opcodes.binary, said(channels.output, 'one '), false),
    frame(opcodes.ping, Buffer.from('there?')),
    frame(opcodes.continuation, Buffer.from('two ')),
    frame(opcodes.binary, said(channels.errors, 'three'.padEnd(200, '.'))),
    frame(
      opcodes.binary,
      said(channels.status, JSON.stringify({ status: 'Failure', reason: 'InternalError', message: 'no sh' })),
    ),
  ]);
  for (const byte of bytes) theirs.write(Buffer.of(byte));
  expect(await ended).toEqual({
    code: null,
    signal: null,
    error: 'the shell in web-0 in default did not run: no sh',
  });
  expect(text()).toBe(`one two ${'three'.padEnd(200, '.')}`);
  expect(pongs).toEqual(['there?']);
});

test('an end that cannot be read, a frame that is too long and a protocol that is not known end the shell', async () => {
  for (const [bytes, error] of [
    [
      frame(opcodes.binary, said(channels.status, '{')),
      'the shell in web-0 in default did not run: the cluster does not say why',
    ],
    [
      Buffer.of(0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0),
      'web-0 in default sent what cannot be read: a frame of 4294967296 bytes is too long',
    ],
    [frame(opcodes.close, Buffer.alloc(0)), 'the connection to web-0 in default was lost'],
  ] as const) {
    const { upgrade, theirs } = await scripted();
    const { ended } = read(await openContainerShell(upgrade, WEB, SIZE));
    theirs.on('end', () => theirs.end()).resume();
    theirs.write(bytes);
    expect(await ended).toEqual({ code: null, signal: null, error });
  }
  const { upgrade, ours } = await scripted('base64.channel.k8s.io');
  await expect(openContainerShell(upgrade, WEB, SIZE)).rejects.toThrow('speaks no protocol for a shell in web-0');
  expect(ours.destroyed).toBe(true);
  expect(JSON.parse(exitStatus(0))).toMatchObject({ status: 'Success' });
});

test.runIf(apiServerProgram() !== null)(
  'a real API server passes the shell on to the node, with what it was asked for',
  async () => {
    const cluster = await openCluster();
    try {
      await cluster.addPod('web-0', { containers: ['main', 'side'] });
      const admin = {
        port: cluster.port,
        ca: cluster.authority,
        cert: cluster.admin.certificate,
        key: cluster.admin.key,
      };
      const shell = await openContainerShell(dial(admin), { ...WEB, container: 'side' }, SIZE);
      const { ended, until } = read(shell);
      type(shell, 'stty size\n');
      await until('30 100');
      await shell.roundTrip();
      type(shell, 'exit\n');
      expect(await ended).toEqual({ code: 0, signal: null, error: null });
      expect(cluster.kubelet.asked).toEqual([expect.stringContaining('/exec/default/web-0/side?')]);
      await expect(openContainerShell(dial(admin), { ...WEB, pod: 'web-9' }, SIZE)).rejects.toThrow('404');
    } finally {
      await cluster.dispose();
    }
  },
  60_000,
);
