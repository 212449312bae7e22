// One session of a client: what comes and goes between its channel and what runs on the server.
import type { Duplex } from 'node:stream';
import type { ServerChannel } from 'ssh2';
import type { ProgramEnd } from '../../../../../contract/terminal.ts';
import type { ClientChannel, ClientSession, ClientWish } from '../../../../ports/server-clients.ts';
import type { OutputStream, Size } from '../../../../ports/shell.ts';
import type { Guest } from '../port/way.ts';
import { forgetWritten, windowOf } from '../ssh2-private.ts';
import type { PeopleParts } from './people.ts';
import { sentenceOf } from './sentence.ts';

/** What ssh itself ends with where it could not connect. */
const NOT_CONNECTED = 255;

/** What was asked for before a program starts, and while it runs. */
export interface Asked {
  term: string | null;
  size: Size;
  readonly env: Readonly<Record<string, string>>;
  agent?: () => Promise<Duplex>;
  display?: NonNullable<ClientWish['display']> | null;
  resized?: (size: Size) => void;
  signalled?: (name: string) => void;
}
interface Wanted extends Pick<Asked, 'term' | 'size' | 'env' | 'agent' | 'display'> {
  /** '': the login's shell. */
  readonly line: string;
  readonly subsystem?: 'sftp';
}
interface Ports extends Pick<PeopleParts, 'report'>, Pick<Guest, 'together'> {
  /** Sentences about what was asked for and is not given. */
  readonly notices: readonly string[];
  open(
    asked: { readonly line: string; readonly wish: ClientWish; readonly size: Size },
    channel: ClientChannel,
  ): Promise<ClientSession>;
}

export interface OpenChannel {
  /** Tells the person something. */
  say(text: string): void;
  /** Tells the person why, and ends the channel. */
  end(why: string): void;
  /** The client has closed it, or is gone. */
  gone(): void;
}

/** Starts what is wanted. */
export function openChannel(
  channel: ServerChannel,
  { line, subsystem, term, size, env, agent, display }: Wanted,
  asked: Asked,
  ports: Ports,
): OpenChannel {
  const hasTerminal = term !== null;
  let running: ClientSession | undefined;
  let isOver = false;
  let drained: () => void = () => undefined;
  /** Pieces that were not given to the engine yet: it can wait with one at a time only. */
  const queue: { readonly bytes: Buffer; readonly from: OutputStream }[] = [];
  let queued = 0;
  let isWriting = false;
  let last: (() => void) | undefined;

  function pump(): void {
    if (isWriting) return;
    const next = queue.shift();
    if (!next) {
      last?.();
      return;
    }
    isWriting = true;
    forgetWritten(channel);
    const to = next.from === 'stderr' ? channel.stderr : channel;
    ports.together(() =>
      to.write(next.bytes, () => {
        isWriting = false;
        queued -= next.bytes.length;
        drained();
        pump();
      }),
    );
  }
  /** `bytes` are good until it returns. */
  function output(bytes: Uint8Array, said: OutputStream): void {
    if (isOver) return;
    const from = hasTerminal ? 'stdout' : said;
    // What the client takes at once is on its way when this returns: no copy, and no turn of the loop for each piece.
    if (!isWriting && queue.length === 0 && windowOf(channel) >= bytes.length) {
      const { buffer, byteOffset, length } = bytes;
      const to = from === 'stderr' ? channel.stderr : channel;
      // A packet of SSH holds 32 kB.
      ports.together(() => to.write(Buffer.from(buffer, byteOffset, length)));
      return;
    }
    queue.push({ bytes: Buffer.from(bytes), from });
    queued += bytes.length;
    pump();
  }
  const say = (text: string): void => output(Buffer.from(hasTerminal ? `\r\n${text}\r\n` : `${text}\n`), 'stderr');
  function finish(exit: ProgramEnd | null): void {
    if (isOver) return;
    isOver = true;
    last = () => {
      last = undefined;
      if (exit?.signal) channel.exit(exit.signal.replace(/^SIG/, ''), false, '');
      else channel.exit(exit?.code ?? NOT_CONNECTED);
      channel.end();
    };
    pump();
  }

  const client: ClientChannel = {
    output,
    bufferedBytes: () => queued,
    onDrain(listener) {
      drained = listener;
    },
    say,
    room: () => channel.resume(),
    ended(exit, why) {
      if (exit === null && why !== '') say(why);
      finish(exit);
    },
  };
  channel.on('error', () => undefined);
  channel.pause();
  function gone(): void {
    isOver = true;
    queue.length = 0;
    last = undefined;
    running?.close();
    running = undefined;
  }
  channel.on('close', gone);
  for (const notice of ports.notices) say(notice);
  const wish: ClientWish = {
    term,
    env,
    ...(subsystem && { subsystem }),
    ...(agent && { agent }),
    ...(display !== undefined && { display }),
  };
  ports.open({ line, wish, size }, client).then(
    session => {
      running = session;
      // The client has gone meanwhile.
      if (isOver) return session.close();
      asked.resized = session.resize;
      asked.signalled = session.signal;
      if (asked.size !== size) session.resize(asked.size);
      channel.on('data', (bytes: Buffer) => {
        if (!session.write(bytes)) channel.pause();
      });
      channel.on('end', session.end);
      channel.resume();
    },
    (error: unknown) => {
      say(sentenceOf(error, ports));
      finish(null);
      channel.resume();
    },
  );
  return {
    say,
    end(why) {
      if (isOver) return;
      say(why);
      finish(null);
    },
    gone,
  };
}
