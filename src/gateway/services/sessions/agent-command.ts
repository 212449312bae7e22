// One command that an agent runs on a server, as a session of its person: recorded, limited and shown as any. What it prints is bounded.
import { Failure } from '../../../contract/failure.ts';
import type { Target } from '../../ports/servers.ts';
import type { OutputStream } from '../../ports/shell.ts';
import type { Who } from '../../ports/who.ts';
import type { Broker } from './participant.ts';

/** A command that prints more is ended, bytes: nobody reads on, and its recording would fill the disk. */
const PRINT_MOST_BYTES = 16 * 1024 * 1024;
/** Of each stream, so much of the beginning and of the end is answered, bytes. */
const HEAD_BYTES = 32 * 1024;
const TAIL_BYTES = 16 * 1024;

export interface AgentCommand {
  readonly who: Who;
  readonly target: Target;
  readonly login: string;
  readonly line: string;
  /** Then it is ended, ms. */
  readonly timeoutMs: number;
  /** The agent does not want it any more. */
  readonly signal: AbortSignal;
}
export interface AgentCommandResult {
  /** Its session, whose recording has all of it. */
  readonly sid: string;
  readonly code: number | null;
  /** The signal that ended it; '' where none did. */
  readonly signal: string;
  /** Why it did not come to its end; '' when it did. */
  readonly error: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that it printed in all. */
  readonly bytes: number;
}

/** Rejects as Broker.run does. */
export async function runAgentCommand(
  broker: Pick<Broker, 'run' | 'end'>,
  { who, target, login, line, timeoutMs, signal }: AgentCommand,
): Promise<AgentCommandResult> {
  const kept: Readonly<Record<OutputStream, Ends>> = { stdout: createEnds(), stderr: createEnds() };
  let sid = '';
  let bytes = 0;
  let exit: { readonly code: number | null; readonly signal: string | null } | null = null;
  let error = '';
  const cancelled = (): void => end(`The command was ended: agent ${who.agent?.name ?? ''} cancelled it.`);
  const end = (why: string): void => {
    error ||= why;
    if (sid !== '') broker.end(sid, why);
  };
  signal.throwIfAborted();
  const { done } = await broker.run({
    who,
    target,
    login,
    command: { line, executionId: '' },
    listener: {
      began(live) {
        sid = live.session.id;
      },
      output(piece, from) {
        kept[from].take(piece);
        bytes += piece.length;
        if (bytes > PRINT_MOST_BYTES && bytes - piece.length <= PRINT_MOST_BYTES)
          end(`The command was ended: those of agents print at most ${PRINT_MOST_BYTES / 1_048_576} MiB.`);
      },
      ended(how, ended) {
        exit = ended;
        if (ended === null) error ||= how.text || 'The command was ended.';
      },
    },
  });
  const late = setTimeout(() => end(`The command was ended after ${Math.round(timeoutMs / 1000)} s.`), timeoutMs);
  signal.addEventListener('abort', cancelled);
  if (signal.aborted) cancelled();
  try {
    await done;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', cancelled);
  }
  if (signal.aborted) throw new Failure('denied', error);
  const ended = exit as { readonly code: number | null; readonly signal: string | null } | null;
  return {
    sid,
    code: ended?.code ?? null,
    signal: ended?.signal ?? '',
    error,
    stdout: kept.stdout.text(),
    stderr: kept.stderr.text(),
    bytes,
  };
}

interface Ends {
  /** The bytes are copied. */
  take(bytes: Uint8Array): void;
  text(): string;
}

/** Keeps the beginning and the end of what goes by. */
function createEnds(headBytes = HEAD_BYTES, tailBytes = TAIL_BYTES): Ends {
  const head: Buffer[] = [];
  let room = headBytes;
  let tail = Buffer.alloc(0);
  let left = 0;
  return {
    take(bytes) {
      const first = bytes.subarray(0, room);
      if (first.length > 0) head.push(Buffer.from(first));
      room -= first.length;
      const rest = bytes.subarray(first.length);
      if (rest.length === 0) return;
      const both = Buffer.concat([tail, rest.subarray(-tailBytes)]);
      const kept = both.subarray(-tailBytes);
      left += rest.length - (kept.length - tail.length);
      tail = Buffer.from(kept);
    },
    text() {
      const begin = Buffer.concat(head).toString();
      if (left === 0) return begin + tail.toString();
      return `${begin}\n[${left} bytes are left out here: the recording has them]\n${tail.toString()}`;
    },
  };
}
