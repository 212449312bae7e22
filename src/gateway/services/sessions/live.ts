// One running session: a shell, its recording, its parties. The broker owns it from `openLive` to the end.
import { randomUUID } from 'node:crypto';
import type { LiveSession, Mode } from '../../../contract/live-sessions.ts';
import type { Present } from '../../../contract/terminal.ts';
import { endText } from '../../../contract/terminal.ts';
import type { Recorder, RecordingSeal, SessionInfo, Shell, ShellExit, Size, Target, Who } from '../../ports.ts';
import { describe } from './describe.ts';
import type { Flow } from './fan-out.ts';
import { createFanOut, PIECE_BYTES } from './fan-out.ts';
import type { EndKind, Party, SessionEnd, Sink } from './party.ts';
import type { SessionAudit } from './session-audit.ts';
import { sizeText } from './session-audit.ts';

/** A shell that was hung up gets this long to say its last words, ms. */
const HANG_UP_MS = 1000;
/** Sizes follow each other no faster than this: each is an audit event, ms. */
const RESIZE_EVERY_MS = 100;
/** While a shell prints without a break, output waits this long for more of it, ms: fewer and larger chunks and messages. */
const GATHER_MS = 2;
/** A batch of at least this much is taken for the beginning of a flow: keys that are echoed never wait, bytes. */
const FLOW_FROM_BYTES = 2048;
/** Where the pieces of a batch are put together. One for all sessions: whoever is handed a batch takes a copy at once. */
const gathered = Buffer.allocUnsafeSlow(PIECE_BYTES);
/** Longest that a timer of Node can wait, ms. */
const TIMER_MOST_MS = 2 ** 31 - 1;
const CTRL_C = 0x03;
const LETTER_T = 0x74;

export interface LiveParts {
  readonly sid: string;
  readonly who: Who;
  readonly target: Target;
  readonly login: string;
  readonly size: Size;
  readonly shell: Shell;
  /** null = not recorded (best effort, and it could not be started). */
  readonly recorder: Recorder | null;
  readonly sessionAudit: SessionAudit;
  readonly clusterName: string;
  readonly started: Date;
  readonly keepMs: number;
  readonly ringBytes: number | undefined;
  readonly now: () => Date;
  readonly report: (problem: string, error: unknown) => void;
  readonly onOver: (end: SessionEnd) => void;
}
export interface Running extends SessionInfo {
  readonly session: LiveSession;
  join(who: Who, mode: Mode, size: Size, have: number | undefined, sink: Sink): Party;
  /** Makes one party leave, with a sentence why. */
  showOut(partyId: string, why: string): void;
  /** The shell's doors: call `output` and `exited` for what it said while it was being opened, too. */
  output(bytes: Uint8Array): void;
  exited(exit: ShellExit): void;
  /** Hangs up; resolves when the recording is sealed and the audit log has the end. */
  end(kind: EndKind, text: string): Promise<void>;
  /** Resolves when the recording is sealed and the audit log has the end. */
  readonly done: Promise<void>;
}

interface Seat {
  readonly party: Party;
  readonly who: Who;
  readonly mode: Mode;
  readonly sink: Sink;
  flow: Flow | null;
  lastActive: Date;
}

export function openLive(parts: LiveParts): Running {
  const { sid, who: owner, target, login, shell, recorder, sessionAudit, now, report } = parts;
  const idleMs = owner.rights.options.clientIdleTimeoutMs;
  const seats = new Map<string, Seat>();
  const participants = new Set([owner.user]);
  let size = parts.size;
  let lastInput = now();
  let rx = 0;
  let joined = false;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let scheduled: NodeJS.Immediate | null = null;
  let gathering: NodeJS.Timeout | null = null;
  /** Until then what comes belongs to a flow, performance.now(). */
  let flowsUntil = 0;
  let keep: NodeJS.Timeout | null = null;
  let idle: NodeJS.Timeout | null = null;
  let expiry: NodeJS.Timeout | null = null;
  let resizing: NodeJS.Timeout | null = null;
  let nextSize: { readonly size: Size; readonly by: Seat } | null = null;
  /** Set as soon as the session is to end; `over` when its parties have been told. */
  let ending: SessionEnd | null = null;
  let hangUp: NodeJS.Timeout | null = null;
  let over = false;
  const finished = Promise.withResolvers<void>();

  const session = (): LiveSession =>
    describe({
      sid,
      owner: owner.user,
      login,
      target,
      size,
      started: parts.started,
      lastInput,
      clusterName: parts.clusterName,
      seats: [...seats.values()],
    });
  const presentParties = (): Present[] =>
    [...seats.values()].map(({ party, who, mode }) => ({ id: party.id, user: who.user, mode }));
  const fanOut = createFanOut({
    pause: () => shell.pause(),
    resume: () => shell.resume(),
    frame: output => ({ session: session(), output, recording: recorder?.mode ?? 'off' }),
    ...(parts.ringBytes === undefined ? {} : { ringBytes: parts.ringBytes }),
  });

  /** Runs what writes to the recording. In strict mode a failure ends the session before anything more is shown. */
  function recorded(write: (to: Recorder) => void): boolean {
    if (!recorder) return true;
    try {
      write(recorder);
      return true;
    } catch (error) {
      report(`session ${sid}: the recording could not be written`, error);
      ending = {
        kind: 'unrecorded',
        text: 'The session was ended: its recording could not be written, and this server may only be used with a recording.',
      };
      finish();
      return false;
    }
  }
  function flush(): void {
    if (scheduled) clearImmediate(scheduled);
    scheduled = null;
    if (gathering) clearTimeout(gathering);
    gathering = null;
    if (waitingBytes === 0 || over) return;
    if (waitingBytes >= FLOW_FROM_BYTES) flowsUntil = performance.now() + GATHER_MS;
    const batch = gather(waiting, gathered);
    waiting = [];
    waitingBytes = 0;
    if (recorded(to => to.output(batch))) fanOut.push(batch);
  }
  function finish(): void {
    if (over) return;
    flush();
    // Writing the last output may itself have ended the session.
    if (over) return;
    over = true;
    for (const timer of [keep, idle, expiry, resizing, hangUp]) if (timer) clearTimeout(timer);
    if (scheduled) clearImmediate(scheduled);
    shell.close();
    fanOut.close();
    const end = ending ?? { kind: 'ended', text: '' };
    const told = [...seats.values()];
    seats.clear();
    for (const seat of told) {
      sessionAudit.leave(seat.who);
      seat.sink.ended(end);
    }
    parts.onOver(end);
    seal(end).then(finished.resolve, (error: unknown) => {
      // The mark beside the recording stays, so the next start tells the audit log.
      report(`session ${sid}: its end is not in the audit log yet`, error);
      finished.resolve();
    });
  }
  async function seal(end: SessionEnd): Promise<void> {
    const stopped = now();
    let sealed: RecordingSeal | null = null;
    let error = end.kind === 'unrecorded' || end.kind === 'lost' ? end.text : '';
    try {
      sealed = (await recorder?.end()) ?? null;
    } catch (failure) {
      report(`session ${sid}: its recording could not be sealed`, failure);
      error ||= 'The end of the recording could not be written.';
    }
    const message = end.kind === 'exited' || error ? '' : end.text;
    await sessionAudit.end({
      participants: [...participants],
      started: parts.started,
      stopped,
      size,
      tx: fanOut.total,
      rx,
      seal: sealed,
      message,
      error,
    });
    if (sealed) await recorder?.settle();
  }
  function end(kind: EndKind, text: string): Promise<void> {
    if (!ending && !over) {
      ending = { kind, text };
      shell.close();
      hangUp = setTimeout(finish, HANG_UP_MS);
    }
    return finished.promise;
  }

  function watchIdle(): void {
    if (idleMs <= 0 || over) return;
    const left = lastInput.getTime() + idleMs - now().getTime();
    if (left <= 0) void end('idle', `The session was ended after ${minutes(idleMs)} without input.`);
    else idle = setTimeout(watchIdle, left).unref();
  }
  function watchExpiry(): void {
    if (!owner.rights.options.disconnectExpired || over) return;
    const left = owner.expires.getTime() - now().getTime();
    if (left <= 0) void end('ended', 'The session was ended: the sign-in that it was opened with has expired.');
    else expiry = setTimeout(watchExpiry, Math.min(left, TIMER_MOST_MS)).unref();
  }
  function unkeep(): void {
    if (keep) clearTimeout(keep);
    keep = null;
  }
  function keepFor(): void {
    unkeep();
    keep = setTimeout(
      () => void end('abandoned', `The session was ended: nobody came back within ${minutes(parts.keepMs)}.`),
      parts.keepMs,
    ).unref();
  }
  function applySize(): void {
    resizing = null;
    if (!nextSize || over) return;
    const { size: wanted, by } = nextSize;
    nextSize = null;
    if (wanted.cols === size.cols && wanted.rows === size.rows) return;
    flush();
    if (over) return;
    size = wanted;
    shell.resize(size);
    if (!recorded(to => to.resize(size))) return;
    sessionAudit.resize(by.who.user, size);
    tell({ event: 'resize', size: sizeText(size), sid, user: by.who.user }, by);
    resizing = setTimeout(applySize, RESIZE_EVERY_MS).unref();
  }
  function resize(by: Seat, wanted: Size): void {
    if (over || by.mode !== 'peer') return;
    nextSize = { size: wanted, by };
    if (!resizing) applySize();
  }
  function tell(event: { event: string; [field: string]: unknown }, except: Seat): void {
    for (const seat of seats.values()) if (seat !== except) seat.sink.event(event);
  }
  function remove(seat: Seat, how: 'leave' | 'drop' | 'shown out'): void {
    if (!seats.delete(seat.party.id)) return;
    seat.flow?.close();
    sessionAudit.leave(seat.who);
    tell({ event: 'session.leave', sid, user: seat.who.user, mode: seat.mode, parties: presentParties() }, seat);
    if (!recorded(to => to.party(seat.who.user, 'leave')) || over) return;
    if (seats.size === 0 && how === 'leave' && seat.mode === 'peer')
      void end('ended', `${seat.who.user} closed the session.`);
    else if (![...seats.values()].some(({ mode }) => mode === 'peer')) keepFor();
  }
  function showOut(seat: Seat, why: string): void {
    remove(seat, 'shown out');
    seat.sink.ended({ kind: 'left', text: why });
  }
  function input(seat: Seat, bytes: Uint8Array): void {
    if (over || !seats.has(seat.party.id) || bytes.length === 0) return;
    seat.lastActive = now();
    if (seat.mode === 'peer') {
      lastInput = seat.lastActive;
      rx += bytes.length;
      shell.write(bytes);
    } else if (bytes.includes(CTRL_C)) {
      showOut(seat, 'You left the session.');
    } else if (seat.mode === 'moderator' && bytes.includes(LETTER_T))
      void end('ended', `The session was ended by ${seat.who.user}, a moderator.`);
  }

  keepFor();
  watchIdle();
  watchExpiry();
  // A client that has stopped saying what it has shown must not keep an ended session open.
  shell.onGone(() => fanOut.last());
  return {
    get session() {
      return session();
    },
    ownerRoles: owner.roles,
    join(who, mode, wanted, have, sink) {
      flush();
      const party: Party = {
        id: randomUUID(),
        mode,
        sid,
        input: bytes => input(seat, bytes),
        resize: to => resize(seat, to),
        seen: offset => seat.flow?.seen(offset),
        leave: () => remove(seat, 'leave'),
        drop: () => remove(seat, 'drop'),
        roundTrip: () => shell.roundTrip(),
      };
      // Its place in the list comes first: the session frame that opens the flow names it.
      const seat: Seat = { party, who, mode, sink, lastActive: now(), flow: null };
      seats.set(party.id, seat);
      const own: Sink = { ...sink, begin: frame => sink.begin({ ...frame, party: party.id }) };
      seat.flow = fanOut.open(
        own,
        { holds: mode === 'peer', clipboard: mode === 'peer' && who.user === owner.user },
        have,
      );
      if (mode === 'peer') unkeep();
      if (joined) {
        sessionAudit.join(who);
        tell({ event: 'session.join', sid, user: who.user, mode, parties: presentParties() }, seat);
        recorded(to => to.party(who.user, 'join'));
      }
      joined = true;
      participants.add(who.user);
      resize(seat, wanted);
      return party;
    },
    showOut(partyId, why) {
      const seat = seats.get(partyId);
      if (seat) showOut(seat, why);
    },
    output(bytes) {
      for (let at = 0; at < bytes.length && !over; at += PIECE_BYTES) {
        const piece = bytes.subarray(at, at + PIECE_BYTES);
        if (waitingBytes + piece.length > PIECE_BYTES) flush();
        waiting.push(piece);
        waitingBytes += piece.length;
      }
      if (over) return;
      if (waitingBytes === PIECE_BYTES) flush();
      else if (!scheduled && !gathering) {
        // All that arrives in one turn of the loop shares a chunk of the recording and a message; in a flow, some turns.
        if (performance.now() < flowsUntil) gathering = setTimeout(flush, GATHER_MS);
        else scheduled = setImmediate(flush);
      }
    },
    exited(exit) {
      ending ??=
        exit.error === null
          ? { kind: 'exited', text: endText(exit) }
          : { kind: 'lost', text: `The connection to ${target.hostname} was lost: ${exit.error}` };
      finish();
    },
    end,
    done: finished.promise,
  };
}

/** Pieces as one. A single one is answered as it is. */
function gather(pieces: readonly Uint8Array[], into: Buffer): Uint8Array {
  const [first] = pieces;
  if (first && pieces.length === 1) return first;
  let length = 0;
  for (const piece of pieces) {
    into.set(piece, length);
    length += piece.length;
  }
  return into.subarray(0, length);
}

const minutes = (ms: number): string => (ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`);
