// A session that runs one command without a terminal: it is shown to whoever runs it, and cannot be joined. Its life is `lifecycle.ts`'s.
import type { LiveSession } from '../../../contract/live-sessions.ts';
import type { ProgramEnd } from '../../../contract/terminal.ts';
import type { Target } from '../../ports/servers.ts';
import type { OutputStream, Shell, ShellExit, Size } from '../../ports/shell.ts';
import { createBatches } from './batches.ts';
import { describe } from './describe.ts';
import type { LifecycleParts } from './lifecycle.ts';
import { openLifecycle } from './lifecycle.ts';
import type { CommandListener, LiveCommand } from './participant.ts';
import { lackOf } from './policy/attendance.ts';
import type { RunCommand, SessionAudit } from './session-audit.ts';
import type { Running } from './shell-session.ts';

/** Its recording is played in a terminal of this size. */
export const COMMAND_SIZE: Size = { cols: 80, rows: 25 };
/**
 * Bulk output is recorded and handed on in parts of this size, bytes: for each the recording compresses and writes once. With a carriage
 * return before each of its lines it may double.
 */
const PIECE_BYTES = 120 * 1024;
const RETURN = 0x0d;
const NEWLINE = 0x0a;

interface CommandSessionParts extends Omit<LifecycleParts, 'body'> {
  readonly mfaDevices: readonly string[];
  readonly target: Target;
  readonly login: string;
  readonly shell: Shell;
  readonly sessionAudit: SessionAudit;
  readonly clusterName: string;
  readonly command: RunCommand;
  readonly listener: CommandListener;
  readonly isTransfer?: boolean;
}
export interface CommandSession extends Running, LiveCommand {
  readonly session: LiveSession;
  /** The command's doors. */
  output(bytes: Uint8Array, from: OutputStream): void;
  exited(exit: ShellExit): void;
}

export function openCommandSession(parts: CommandSessionParts): CommandSession {
  const { sid, who: owner, target, login, shell, sessionAudit, command, listener, isTransfer = false } = parts;
  let ownerRoles = owner.roles;
  let exit: ProgramEnd | null = null;
  let tx = 0;
  let rx = 0;
  const { input } = shell;
  const asPlayed = createReturns();
  const life = openLifecycle({
    ...parts,
    body: {
      hangUp: () => shell.close(),
      flush: () => batches.flush(),
      tell(end) {
        batches.stop();
        listener.ended(end, exit);
      },
      noteEnd: facts => sessionAudit.end({ ...facts, size: COMMAND_SIZE, tx, rx, exit }),
    },
  });
  /** Whence what waits came: errors and output keep their order. */
  let from: OutputStream = 'stdout';
  const batches = createBatches(
    piece => {
      tx += piece.length;
      if (isTransfer || life.record(to => to.output(asPlayed(piece)))) listener.output(piece, from);
    },
    () => life.over,
    { mostBytes: PIECE_BYTES, gatherMs: 0 },
  );
  // Whoever runs it waits for it: it is ended when they go, not kept.
  life.attended(true);
  const live: CommandSession = {
    get session() {
      return describe({
        sid,
        owner: owner.user,
        login,
        target,
        size: COMMAND_SIZE,
        started: parts.started,
        lastInput: life.lastActive,
        clusterName: parts.clusterName,
        moderated: false,
        state: 'running',
        command: command.line,
        agent: owner.agent,
        seats: [],
      });
    },
    ownerId: owner.userId,
    agent: owner.agent?.id,
    trustedDevice: owner.trustedDevice?.id ?? '',
    accessRequests: owner.grants.map(({ request }) => request),
    impersonatedIn: owner.impersonator === undefined ? undefined : owner.webSessionId,
    mfaDevices: parts.mfaDevices,
    get ownerRoles() {
      return ownerRoles;
    },
    follow({ roles, rights }) {
      ownerRoles = roles;
      life.follow(rights.options);
      if (lackOf(rights.joinDemands('ssh'), owner.userId, []))
        void life.end(
          'forbidden',
          `The command was ended: sessions on ${target.hostname} now need others, and nobody can join it.`,
        );
    },
    pause: () => shell.pause(),
    resume: () => shell.resume(),
    signal(name) {
      if (!life.over) shell.signal?.(name);
    },
    ...(input && {
      input: {
        ...input,
        write(bytes) {
          if (life.over) return true;
          life.active();
          rx += bytes.length;
          return input.write(bytes);
        },
      },
    }),
    output(bytes, said) {
      // Nobody can type: what it prints is what keeps it from being idle.
      life.active();
      if (said !== from) batches.flush();
      from = said;
      batches.push(bytes);
    },
    exited({ code, signal, error }) {
      if (error !== null)
        return life.gone({ kind: 'lost', text: `The connection to ${target.hostname} was lost: ${error}` });
      // What was hung up tells of the hanging up, not of the command.
      if (!life.ending) exit = { code, signal };
      life.gone({ kind: 'exited', text: '' });
    },
    end: life.end,
    done: life.done,
  };
  listener.began(live);
  return live;
}

/** What was printed without a terminal as a terminal shows it: a line ends there with a carriage return as well. */
export function createReturns(): (bytes: Uint8Array) => Uint8Array {
  let last = 0;
  return bytes => {
    let at = bytes.indexOf(NEWLINE);
    const before = last;
    last = bytes.at(-1) ?? last;
    if (at < 0) return bytes;
    const shown = Buffer.allocUnsafe(bytes.length * 2);
    let have = 0;
    let from = 0;
    for (; at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
      if ((at === 0 ? before : bytes[at - 1]) === RETURN) continue;
      shown.set(bytes.subarray(from, at), have);
      have += at - from;
      shown[have++] = RETURN;
      from = at;
    }
    shown.set(bytes.subarray(from), have);
    return shown.subarray(0, have + bytes.length - from);
  };
}
