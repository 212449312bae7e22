// Programs in containers and forwarded ports, for a client that upgrades its connection: bytes pass as they are, and what a program shows is
// read beside them for the recording.
import type { Duplex } from 'node:stream';
import * as z from 'zod/mini';
import { Failure } from '../../../../contract/failure.ts';
import type { ContainerSession } from '../../../ports/kubernetes.ts';
import type { ReachedClient } from '../../../ports/sessions.ts';
import { hangUp } from '../hang-up.ts';
import { pump } from '../pump.ts';
import { whenClosed } from '../when-closed.ts';
import type { KubernetesDoor, Upgrade, Upgraded } from './door.ts';
import { channels, opcodes, readChannels, writeChannel, writeFrame } from './frames.ts';
import { headerOf } from './headers.ts';
import { statusOf } from './status.ts';

/** Protocols of programs in containers that say sizes and how it ended; those before them do not. */
const PROTOCOLS: readonly string[] = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const WEB_SOCKET = /^websocket$/i;
const NORMAL_CLOSURE = Buffer.of(1000 >> 8, 1000 & 0xff);
/** A message about a size or an end that is longer is none, bytes. */
const NOTE_MOST_BYTES = 16 * 1024;

const ended = z.object({
  status: z.string(),
  message: z.optional(z.string()),
  details: z.optional(
    z.object({
      causes: z.optional(z.array(z.object({ reason: z.optional(z.string()), message: z.optional(z.string()) }))),
    }),
  ),
});
const sized = z.object({ Width: z.int().check(z.gt(0), z.lt(65_536)), Height: z.int().check(z.gt(0), z.lt(65_536)) });

/** The headers of a request for a program, held to what can be recorded. Throws Failure denied with what to do. */
function recordable(headers: readonly string[]): string[] {
  if (!WEB_SOCKET.test(headerOf(headers, 'upgrade')))
    throw new Failure(
      'denied',
      'what runs in containers is recorded here, which needs kubectl 1.31 or later (WebSocket). A later one that says so was refused by the cluster: kubectl auth can-i create pods/exec',
    );
  const offered = headerOf(headers, 'sec-websocket-protocol')
    .split(',')
    .map(one => one.trim());
  const known = offered.filter(one => PROTOCOLS.includes(one));
  if (known.length === 0)
    throw new Failure('denied', `what runs in containers is recorded here, over ${PROTOCOLS.join(' or ')} alone.`);
  const kept = headers.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() !== 'sec-websocket-protocol' ? [name, headers[index + 1] ?? ''] : [],
  );
  return [...kept, 'Sec-WebSocket-Protocol', known.join(', ')];
}

/** A client whose connection is to become a stream. */
interface Streamed {
  readonly client: Duplex;
  /** What it has sent already. */
  readonly early: Buffer;
  readonly door: KubernetesDoor;
  readonly upgrade: Upgrade;
  /** Those of its request. */
  readonly headers: readonly string[];
}

const answerHead = ({ status, headers }: Upgraded): string =>
  [
    `HTTP/1.1 ${status} Switching Protocols`,
    ...headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : [])),
    '\r\n',
  ].join('\r\n');

/** Hands on a stream that is not recorded: a forwarded port. Throws as `Upgrade.open` does. */
export async function forward({ client, early, door, upgrade, headers }: Streamed): Promise<void> {
  const server = await upgrade.open(headers);
  const stop = (): void => {
    client.destroy();
    server.socket.destroy();
  };
  const leave = door.hold(upgrade, stop);
  // The client may have gone while the stream was opened.
  for (const socket of [client, server.socket])
    whenClosed(socket.on('error', stop), () => {
      stop();
      leave();
    });
  client.write(answerHead(server));
  client.write(server.head);
  server.socket.write(early);
  const untouched = (): undefined => undefined;
  pump(client, server.socket, untouched, stop, { isCopied: true });
  pump(server.socket, client, untouched, stop, { isCopied: true });
}

/** Runs a program in a container as a session of its own. Throws what the session and `Upgrade.open` do. */
export async function runInContainer({ client, early, door, upgrade, headers }: Streamed): Promise<void> {
  const sent = recordable(headers);
  const { info, access, reached } = upgrade;
  const { query } = info;
  let server: Upgraded | undefined;
  let session: ContainerSession | undefined;
  /** What the container has said of its end: it hangs up after that. */
  let exit: readonly [code: number | null, error: string] | undefined;
  /** Nothing that the client was sent is half of a message. */
  let isBetween = true;
  const note = createNotes();
  const fromServer = readChannels((channel, piece, isLast) => {
    if (channel === channels.output || channel === channels.errors) session?.output(piece);
    else if (channel === channels.status)
      note(channel, piece, isLast, text => {
        exit = endIn(text);
      });
  });
  const fromClient = readChannels((channel, piece, isLast) => {
    if (channel === channels.input) session?.input(piece.length);
    else if (channel === channels.resize)
      note(channel, piece, isLast, text => {
        const size = z.safeParse(sized, JSON.parse(text));
        if (size.success) session?.resize({ cols: size.data.Width, rows: size.data.Height });
      });
  });
  session = await door.relay({
    access,
    namespace: info.namespace ?? '',
    pod: info.name ?? '',
    container: query.get('container') ?? '',
    command: query.getAll('command').join(' '),
    terminal: query.get('tty') === 'true' || query.get('tty') === '1',
    reached,
    async reach(): Promise<ReachedClient> {
      const opened = await upgrade.open(sent);
      server = opened;
      // Until it is relayed, nobody else hears of its end.
      opened.socket.on('error', () => undefined);
      return {
        close: () => void opened.socket.destroy(),
        farewell: why => hangUp(client, why === '' || !isBetween ? undefined : lastWords(why)),
      };
    },
  });
  if (!server) throw new Error('a session without a container');
  const { socket, head } = server;
  const running = session;
  const failed = (error: unknown): void => {
    running.gone(`what was sent is no message of a container: ${error instanceof Error ? error.message : error}`);
  };
  whenClosed(socket, () => (exit ? running.exited(...exit) : running.gone('')));
  whenClosed(client, () => void socket.destroy());
  client.on('error', () => void socket.destroy());
  client.write(answerHead(server));
  pump(client, socket, bytes => void fromClient(bytes), failed, { isCopied: true });
  const toClient = (bytes: Buffer): undefined => {
    isBetween = fromServer(bytes);
  };
  pump(socket, client, toClient, failed, { isCopied: true });
  if (early.length > 0) client.unshift(early);
  if (head.length > 0) socket.unshift(head);
}

/** Puts the pieces of short messages together. */
function createNotes(): (channel: number, piece: Uint8Array, isLast: boolean, whole: (text: string) => void) => void {
  const pieces = new Map<number, Buffer>();
  return (channel, piece, isLast, whole) => {
    const so = Buffer.concat([pieces.get(channel) ?? Buffer.alloc(0), piece]).subarray(0, NOTE_MOST_BYTES);
    if (!isLast) return void pieces.set(channel, so);
    pieces.delete(channel);
    if (so.length === 0) return;
    try {
      whole(so.toString());
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  };
}
/** How a program ended, as the container says: its code, and why it was not in good order. */
function endIn(text: string): readonly [code: number | null, error: string] {
  const read = z.safeParse(ended, JSON.parse(text));
  if (!read.success) return [null, 'the container did not say how the program ended'];
  if (read.data.status === 'Success') return [0, ''];
  const code = read.data.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  return code === undefined ? [null, read.data.message ?? 'the program could not be run'] : [Number(code), ''];
}
const lastWords = (why: string): Buffer =>
  Buffer.concat([
    writeChannel(channels.status, Buffer.from(statusOf(403, why).body), false),
    writeFrame(opcodes.close, NORMAL_CLOSURE, false),
  ]);
