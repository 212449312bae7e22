// What a node of a cluster does for its API server, without containers: commands run as processes of this machine, in a real pty where one
// is asked for, over the protocol that kubelets speak (WebSocket, `v5.channel.k8s.io` and `v4`); SPDY forwards ports of this machine, and is refused
// for programs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import pty from '@lydell/node-pty';
import { createWebSocketStream, type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Issued } from './authority.ts';
import { forwardPorts } from './spdy.ts';

/** First byte of a frame: what the rest is. */
const channels = { input: 0, output: 1, errors: 2, status: 3, resize: 4, close: 255 };
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
/** Ports are forwarded over SPDY, by itself or within a WebSocket. */
const TUNNEL = 'SPDY/3.1+portforward.k8s.io';
/** What runs in every container, and is attached to. */
const MAIN = ['sh', '-c', 'while read -r line; do echo "main: $line"; done'];
const NOT_FOUND = 127;

export interface Kubelet {
  readonly port: number;
  /** Appends to what a container's log has; whoever follows it is told. `previous`: that of the instance before. */
  log(text: string, of?: { readonly pod?: string; readonly container?: string; readonly previous?: boolean }): void;
  /** What was asked of it, oldest first: method and path. */
  readonly asked: readonly string[];
  dispose(): void;
}

/** `clients`: PEM, who vouches for the API server. You must dispose it. */
export async function openKubelet(shown: Issued, clients: string): Promise<Kubelet> {
  const logs = new Map<string, string>();
  const followers = new Map<string, Set<(text: string) => void>>();
  const running = new Set<() => void>();
  const asked: string[] = [];
  const server = createServer(
    { cert: shown.certificate, key: shown.key, ca: clients, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'https://kubelet');
      asked.push(`${request.method} ${request.url}`);
      const [, door, , pod = '', container = ''] = pathname.split('/');
      if (door !== 'containerLogs') return response.writeHead(404).end();
      const is = (name: string) => ['1', 'true'].includes(searchParams.get(name) ?? '');
      const key = logKey(pod, container, is('previous'));
      const tail = Number(searchParams.get('tailLines') ?? Number.POSITIVE_INFINITY);
      const lines = (logs.get(key) ?? '').split(/(?<=\n)/);
      response.setHeader('content-type', 'text/plain');
      response.write(lines.slice(Math.max(0, lines.length - tail)).join(''));
      if (!is('follow')) return response.end();
      const write = (text: string) => void response.write(text);
      const all = followers.get(key) ?? new Set();
      followers.set(key, all.add(write));
      response.once('close', () => all.delete(write));
    },
  );
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: offered => protocols.find(one => offered.has(one)) ?? false,
  });
  server.on('upgrade', (request, socket, head) => {
    asked.push(`${request.method} ${request.url}`);
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://kubelet');
    const door = pathname.split('/')[1];
    if (door === 'portForward' && /^spdy/i.test(request.headers.upgrade ?? '')) {
      const said = ['Connection: Upgrade', 'Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: portforward.k8s.io'];
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${said.join('\r\n')}\r\n\r\n`);
      if (head.length > 0) socket.unshift(head);
      return forwardPorts(socket, dial);
    }
    if (request.headers.upgrade?.toLowerCase() !== 'websocket')
      return socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    // Its name is none that the text of WebSocket allows, and clients hold to it all the same.
    const isTunnel = request.headers['sec-websocket-protocol'] === TUNNEL;
    if (isTunnel) {
      delete request.headers['sec-websocket-protocol'];
      sockets.once('headers', headers => headers.push(`Sec-WebSocket-Protocol: ${TUNNEL}`));
    }
    sockets.handleUpgrade(request, socket, head, webSocket => {
      if (isTunnel) return forwardPorts(createWebSocketStream(webSocket), dial);
      const words = door === 'attach' ? MAIN : searchParams.getAll('command');
      const stop = run(webSocket, words, ['1', 'true'].includes(searchParams.get('tty') ?? ''));
      running.add(stop);
      webSocket.once('close', () => {
        running.delete(stop);
        stop();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    log(text, { pod = 'web-0', container = 'main', previous = false } = {}) {
      const key = logKey(pod, container, previous);
      logs.set(key, (logs.get(key) ?? '') + text);
      for (const write of followers.get(key) ?? []) write(text);
    },
    asked,
    dispose() {
      for (const stop of running) stop();
      server.close();
      server.closeAllConnections();
    },
  };
}
const dial = (port: number) => connect(port, '127.0.0.1');
const logKey = (pod: string, container: string, previous: boolean) => [pod, container, previous].join('/');

/** What an API server says of how a command ended. */
export const exitStatus = (code: number): string =>
  JSON.stringify(
    code === 0
      ? { metadata: {}, status: 'Success' }
      : {
          metadata: {},
          status: 'Failure',
          reason: 'NonZeroExitCode',
          message: `command terminated with non-zero exit code: exit status ${code}`,
          details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
        },
  );

/** Runs what is asked for, and answers what ends it. */
function run(socket: WebSocket, [file = '', ...args]: readonly string[], isTerminal: boolean): () => void {
  const send = (channel: number, bytes: string | Buffer) =>
    socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(bytes)]));
  function ended(code: number): void {
    if (socket.readyState !== socket.OPEN) return;
    send(channels.status, exitStatus(code));
    socket.close(1000);
  }
  /** Frames as they come, by their channel. */
  const hear = (listener: (channel: number, bytes: Buffer) => void) =>
    socket.on('message', (data: RawData) => {
      const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data as ArrayBuffer);
      listener(bytes[0] ?? -1, bytes.subarray(1));
    });
  for (const channel of isTerminal
    ? [channels.output, channels.status]
    : [channels.output, channels.errors, channels.status])
    send(channel, '');
  if (isTerminal) {
    // No home: what this machine's owner has its shells do is nothing of a container's.
    const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', TERM: 'xterm-256color', PS1: 'pod$ ' };
    const shell = pty.spawn(file, args, { cols: 80, rows: 24, env });
    shell.onData(text => send(channels.output, text));
    // What it printed last is read before its end is told.
    let isOver = false;
    shell.onExit(({ exitCode }) => {
      isOver = true;
      setImmediate(() => ended(exitCode));
    });
    hear((channel, bytes) => {
      // As the real one: what comes after the end is for nobody.
      if (isOver) return;
      if (channel === channels.input) shell.write(bytes.toString());
      if (channel !== channels.resize) return;
      const { Width: cols, Height: rows } = JSON.parse(bytes.toString()) as { Width: number; Height: number };
      shell.resize(cols, rows);
    });
    return () => {
      try {
        shell.kill('SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
  }
  const child = spawn(file, args);
  child.once('error', () => ended(NOT_FOUND));
  child.stdout.on('data', (bytes: Buffer) => send(channels.output, bytes));
  child.stderr.on('data', (bytes: Buffer) => send(channels.errors, bytes));
  child.once('close', code => ended(code ?? 1));
  hear((channel, bytes) => {
    if (channel === channels.input && bytes.length > 0) child.stdin.write(bytes);
    if (channel === channels.close) child.stdin.end();
  });
  return () => child.kill('SIGKILL');
}
