import { createHash } from 'node:crypto';
import { request } from 'node:https';
import { type Duplex, duplexPair } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAuthority } from '../../../../../e2e/rigs/authority.ts';
import { exitStatus, type Kubelet, openKubelet } from '../../../../../e2e/rigs/kubelet.ts';
import type { Shell, ShellExit } from '../../../ports/shell.ts';
import { openContainerShell, shellPath } from './container-shell.ts';
import type { Upgrade } from './door.ts';
import { channels, opcodes, readFrames } from './frames.ts';
import { headerOf } from './headers.ts';

interface Client {
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}
const WEB = { namespace: 'default', pod: 'web-0', container: 'main' };
const SIZE = { cols: 100, rows: 30 };

type Open = Upgrade['open'];
/** `path`: that of the API server, or of the node behind it. */
const dial =
  (client: Client, path: string): Open =>
  headers =>
    new Promise((done, fail) => {
      const asked = request({
        host: '127.0.0.1',
        ...client,
        path,
        headers: ['Host', 'localhost', 'Connection', 'Upgrade', ...headers] as never,
      });
      asked.once('upgrade', (answer, socket, head) => done({ status: 101, headers: answer.rawHeaders, socket, head }));
      asked.once('response', answer => fail(new Error(`${answer.statusCode}`)));
      asked.once('error', fail).end();
    });
const atNode = shellPath(WEB).replace(/^\/api\/v1\/namespaces\/(.*)\/pods\/(.*)\/exec/, '/exec/$1/$2/main');

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
  const open: Open = async asked => {
    const answer = await dial(client, atNode)(asked);
    sockets.push(answer.socket);
    return answer;
  };
  const lost = await openContainerShell(open, WEB, SIZE);
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
function scripted(protocol = 'v4.channel.k8s.io') {
  const [ours, theirs] = duplexPair();
  const open: Open = async asked => {
    const key = `${headerOf(asked, 'sec-websocket-key')}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    return {
      status: 101,
      socket: ours,
      head: Buffer.alloc(0),
      headers: ['Sec-WebSocket-Accept', accept, 'Sec-WebSocket-Protocol', protocol],
    };
  };
  return { open, theirs, ours };
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
  const { open, theirs } = scripted();
  const shell = await openContainerShell(open, { ...WEB, container: '' }, SIZE);
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
    const { open, theirs } = scripted();
    const { ended } = read(await openContainerShell(open, WEB, SIZE));
    theirs.on('end', () => theirs.end()).resume();
    theirs.write(bytes);
    expect(await ended).toEqual({ code: null, signal: null, error });
  }
  const { open, ours } = scripted('base64.channel.k8s.io');
  await expect(openContainerShell(open, WEB, SIZE)).rejects.toThrow('speaks no protocol for a shell in web-0');
  expect(ours.destroyed).toBe(true);
  expect(JSON.parse(exitStatus(0))).toMatchObject({ status: 'Success' });
});
