// A shell in a container: one WebSocket to the API server, which passes it on to the container's node.
import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import * as z from 'zod/mini';
import type { EnteredContainer, KubernetesContainer } from '../../../ports/kubernetes.ts';
import { ConnectError } from '../../../ports/reach.ts';
import type { OutputStream, Shell, ShellExit, Size } from '../../../ports/shell.ts';
import { ClusterRefusal, type KubernetesDoor, type Upgrade } from './door.ts';
import { channels, opcodes, readFrames, writeChannel, writeFrame } from './frames.ts';
import { headerOf } from './headers.ts';

const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
/** What RFC 6455 has a server put behind the client's key. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** The container's best shell: images that have one at all have `sh`. */
const COMMAND = ['sh', '-c', 'export TERM=xterm-256color; command -v bash >/dev/null && exec bash; exec sh'];
/** Input that the container has not taken yet; beyond it the program there is not reading and memory would grow. */
const INPUT_MOST_BYTES = 16 * 1024 * 1024;
/** A node that does not answer our goodbye is dropped after this. */
const GOODBYE_MS = 1_000;
const CLOSE_NORMAL = 1000;

type Place = Pick<KubernetesContainer, 'namespace' | 'pod' | 'container'>;

/** What an API server is asked for a shell. */
export function shellPath({ namespace, pod, container }: Place): string {
  const asked = new URLSearchParams([
    ...(container === '' ? [] : [['container', container]]),
    ...COMMAND.map(word => ['command', word]),
    ...['stdin', 'stdout', 'tty'].map(name => [name, 'true']),
  ]);
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec?${asked}`;
}

/** The way in is judged now, and taken when the shell begins. Throws Failure. */
export async function enterContainer(door: Pick<KubernetesDoor, 'upgrade'>, place: Place): Promise<EnteredContainer> {
  const { namespace, pod, container } = place;
  const { access, reached, open } = await door.upgrade({ method: 'GET', path: shellPath(place) });
  return { ...access, namespace, pod, container, reached, open: size => openContainerShell(open, place, size) };
}

/** Begins a shell in a container. Throws ConnectError, and what `open` throws. */
export async function openContainerShell(open: Upgrade['open'], { namespace, pod }: Place, size: Size): Promise<Shell> {
  const key = randomBytes(16).toString('base64');
  const where = `${pod} in ${namespace}`;
  const sent = {
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': key,
    'Sec-WebSocket-Protocol': PROTOCOLS.join(', '),
  };
  const { socket, head, headers } = await open(Object.entries(sent).flat()).catch((error: unknown) => {
    if (error instanceof ClusterRefusal) throw new ConnectError('not_permitted', `${where}: ${error.message}`);
    throw error;
  });
  const accepted = createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64');
  if (
    headerOf(headers, 'sec-websocket-accept') !== accepted ||
    !PROTOCOLS.includes(headerOf(headers, 'sec-websocket-protocol'))
  ) {
    socket.on('error', () => undefined).destroy();
    throw new ConnectError('failed', `the cluster speaks no protocol for a shell in ${where} that is known here`);
  }
  const shell = createContainerShell(socket, head, where);
  shell.resize(size);
  return shell;
}

/** How the program ended, as the API server tells it. */
const status = z.object({
  status: z.string(),
  reason: z.optional(z.string()),
  message: z.optional(z.string()),
  details: z.optional(
    z.object({
      causes: z.optional(z.array(z.object({ reason: z.optional(z.string()), message: z.optional(z.string()) }))),
    }),
  ),
});
/** `code` null: it did not run, or nobody knows how it ended. */
function endOf(payload: Buffer, where: string): { readonly code: number | null; readonly error: string | null } {
  let told: unknown;
  try {
    told = JSON.parse(payload.toString());
  } catch {
    told = null;
  }
  const { data } = z.safeParse(status, told);
  if (data?.status === 'Success') return { code: 0, error: null };
  const cause = data?.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message ?? '';
  if (data?.reason === 'NonZeroExitCode' && /^\d{1,3}$/.test(cause)) return { code: Number(cause), error: null };
  return { code: null, error: `the shell in ${where} did not run: ${data?.message ?? 'the cluster does not say why'}` };
}

/** Takes over a connection of such a protocol, whose frames begin with `head`. It ends with the shell. */
function createContainerShell(socket: Duplex, head: Buffer, where: string): Shell {
  let output: ((bytes: Uint8Array, from: OutputStream) => void) | undefined;
  let exited: ((exit: ShellExit) => void) | undefined;
  let gone: (() => void) | undefined;
  let exit: ShellExit | undefined;
  let lost = `the connection to ${where} was lost`;
  let closing = false;
  let goodbye: NodeJS.Timeout | undefined;
  /** Of a message in several frames. */
  let channel = -1;
  const pings: { readonly sent: number; done(ms: number): void; fail(error: Error): void }[] = [];

  function hangUp(): void {
    if (goodbye) return;
    goodbye = setTimeout(() => socket.destroy(), GOODBYE_MS);
    const normal = Buffer.alloc(2);
    normal.writeUInt16BE(CLOSE_NORMAL);
    if (socket.writable) socket.end(writeFrame(opcodes.close, normal));
    // Whoever hung up does not want the rest, and a paused connection would never come to its end.
    socket.resume();
  }
  function finish(how: Omit<ShellExit, 'signal'>): void {
    if (exit) return;
    exit = { ...how, signal: null };
    for (const { fail } of pings.splice(0)) fail(new Error(`the session in ${where} has ended`));
    hangUp();
    gone?.();
    exited?.(exit);
  }
  function hear(of: number, bytes: Buffer): void {
    // A node opens each channel with an empty message.
    if (exit || closing || bytes.length === 0) return;
    if (of === channels.status) finish(endOf(bytes, where));
    else if (of === channels.output || of === channels.errors)
      output?.(bytes, of === channels.output ? 'stdout' : 'stderr');
  }
  const read = readFrames(({ opcode, payload }) => {
    switch (opcode) {
      case opcodes.binary:
      case opcodes.text:
        channel = payload[0] ?? -1;
        return hear(channel, payload.subarray(1));
      case opcodes.continuation:
        return hear(channel, payload);
      case opcodes.ping:
        if (socket.writable) socket.write(writeFrame(opcodes.pong, payload));
        return undefined;
      case opcodes.pong: {
        const ping = pings.shift();
        return ping?.done(performance.now() - ping.sent);
      }
      default:
        return void socket.end();
    }
  });
  function receive(bytes: Buffer): void {
    try {
      read(bytes);
    } catch (error) {
      lost = `${where} sent what cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      socket.destroy();
    }
  }

  socket.pause();
  if (head.length > 0) socket.unshift(head);
  socket.on('error', (error: Error) => {
    lost = `the connection to ${where} was lost: ${error.message}`;
  });
  socket.on('end', () => socket.end());
  socket.on('close', () => {
    clearTimeout(goodbye);
    finish({ code: null, error: closing ? null : lost });
  });

  return {
    write(bytes) {
      if (exit || closing || !socket.writable) return;
      if (socket.writableLength + bytes.length > INPUT_MOST_BYTES) {
        const error = `the program in ${where} does not read its input (${INPUT_MOST_BYTES / 1_048_576} MiB are waiting)`;
        finish({ code: null, error });
        return;
      }
      socket.write(writeChannel(channels.input, bytes));
    },
    resize({ cols, rows }) {
      if (!exit && !closing && socket.writable)
        socket.write(writeChannel(channels.resize, Buffer.from(JSON.stringify({ Width: cols, Height: rows }))));
    },
    pause: () => void socket.pause(),
    resume() {
      if (output) socket.resume();
    },
    onOutput(listener) {
      output = listener;
      socket.removeListener('data', receive).on('data', receive);
    },
    onExit(listener) {
      exited = listener;
      if (exit) queueMicrotask(() => exit && listener(exit));
    },
    onGone(listener) {
      gone = listener;
      if (exit) listener();
    },
    roundTrip: () =>
      new Promise((done, fail) => {
        if (exit || closing) return fail(new Error(`the session in ${where} has ended`));
        pings.push({ sent: performance.now(), done, fail });
        socket.write(writeFrame(opcodes.ping, Buffer.alloc(0)));
      }),
    close() {
      if (exit || closing) return;
      closing = true;
      hangUp();
    },
  };
}
