// A running session that shows a terminal: a shell, and the participants who see it. Its life is `lifecycle.ts`'s.
import { randomUUID } from 'node:crypto';
import type { LiveSession, Mode } from '../../../contract/live-sessions.ts';
import type { Present } from '../../../contract/terminal.ts';
import { endText } from '../../../contract/terminal.ts';
import type { Rights, SessionInfo, Shell, ShellExit, Size, Target, Who } from '../../ports.ts';
import { givenBack } from '../reused-memory.ts';
import { describe } from './describe.ts';
import type { Flow } from './fan-out.ts';
import { createFanOut, PIECE_BYTES } from './fan-out.ts';
import type { LifecycleParts, SessionBody } from './lifecycle.ts';
import { openLifecycle } from './lifecycle.ts';
import type { EndKind, Participant, Subscriber } from './participant.ts';
import type { SessionAudit } from './session-audit.ts';
import { sizeText } from './session-audit.ts';

/** Sizes follow each other no faster than this: each is an audit event, ms. */
const RESIZE_EVERY_MS = 100;
/** While a shell prints without a break, output waits this long for more of it, ms: fewer and larger chunks and messages. */
const GATHER_MS = 2;
/** A batch of at least this much is taken for the beginning of a flow: keys that are echoed never wait, bytes. */
const FLOW_FROM_BYTES = 2048;
/** Batches of a shell at rest fit here: a session that never prints in bulk keeps no more, bytes. */
const SMALL_BYTES = 4096;
const CTRL_C = 0x03;
const LETTER_T = 0x74;

export interface ShellSessionParts extends Omit<LifecycleParts, 'body'> {
  readonly mfaDevices: readonly string[];
  readonly target: Target;
  readonly login: string;
  readonly size: Size;
  readonly shell: Shell;
  readonly sessionAudit: SessionAudit;
  readonly clusterName: string;
  readonly ringBytes: number | undefined;
}
/** Any session that runs, as the broker holds it. */
export interface Running extends SessionInfo {
  readonly session: LiveSession;
  /** The owner's roles and rights of now. */
  follow(owner: { readonly roles: readonly string[]; readonly rights: Rights }): void;
  /** Hangs up; resolves as `done`. */
  end(kind: EndKind, text: string): Promise<void>;
  /** Resolves when the recording is sealed and the audit log has the end, or both are left to the next start. */
  readonly done: Promise<void>;
}
/** One that people can watch and type into. */
export interface ShellSession extends Running {
  join(who: Who, mode: Mode, size: Size, have: number | undefined, subscriber: Subscriber): Participant;
  /** Makes one participant leave, with a sentence why. */
  showOut(participantId: string, why: string): void;
  /** The shell's doors: call `output` and `exited` for what it said while it was being opened, too. */
  output(bytes: Uint8Array): void;
  exited(exit: ShellExit): void;
}

interface Seat {
  readonly participant: Participant;
  readonly who: Who;
  readonly mode: Mode;
  readonly subscriber: Subscriber;
  flow: Flow | null;
  lastActive: Date;
}

export function openShellSession(parts: ShellSessionParts): ShellSession {
  const { sid, who: owner, target, login, shell, recorder, sessionAudit, now } = parts;
  const seats = new Map<string, Seat>();
  let ownerRoles = owner.roles;
  let size = parts.size;
  let rx = 0;
  let joined = false;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  /** Where the pieces of a batch are put together, made when there is a batch of several. Whoever is handed a batch takes a copy at once. */
  let gathered: Buffer | null = null;
  let scheduled: NodeJS.Immediate | null = null;
  let gathering: NodeJS.Timeout | null = null;
  /** Until then what comes belongs to a flow, performance.now(). */
  let flowsUntil = 0;
  let resizing: NodeJS.Timeout | null = null;
  let nextSize: { readonly size: Size; readonly by: Seat } | null = null;

  const body: SessionBody = {
    hangUp: () => shell.close(),
    flush,
    tell(end) {
      if (resizing) clearTimeout(resizing);
      if (scheduled) clearImmediate(scheduled);
      fanOut.close();
      const told = [...seats.values()];
      seats.clear();
      for (const seat of told) {
        sessionAudit.leave(seat.who);
        seat.subscriber.ended(end);
      }
    },
    noteEnd: facts => sessionAudit.end({ ...facts, size, tx: fanOut.total, rx }),
  };
  const life = openLifecycle({ ...parts, body });

  const session = (): LiveSession =>
    describe({
      sid,
      owner: owner.user,
      login,
      target,
      size,
      started: parts.started,
      lastInput: life.lastActive,
      clusterName: parts.clusterName,
      seats: [...seats.values()],
    });
  const present = (): Present[] =>
    [...seats.values()].map(({ participant, who, mode }) => ({ id: participant.id, user: who.user, mode }));
  const fanOut = createFanOut({
    pause: () => shell.pause(),
    resume: () => shell.resume(),
    frame: output => ({ session: session(), output, recording: recorder?.mode ?? 'off' }),
    ...(parts.ringBytes === undefined ? {} : { ringBytes: parts.ringBytes }),
  });

  /** Pieces as one, in memory that the next batch uses again. A single one is answered as it is. */
  function together(pieces: readonly Uint8Array[], length: number): Uint8Array {
    const [first] = pieces;
    if (first && pieces.length === 1) return first;
    if (!gathered || gathered.length < length)
      gathered = Buffer.allocUnsafeSlow(length < SMALL_BYTES ? SMALL_BYTES : PIECE_BYTES);
    let at = 0;
    for (const piece of pieces) {
      gathered.set(piece, at);
      at += piece.length;
    }
    return gathered.subarray(0, length);
  }
  function flush(): void {
    if (scheduled) clearImmediate(scheduled);
    scheduled = null;
    if (gathering) clearTimeout(gathering);
    gathering = null;
    if (waitingBytes === 0 || life.over) return;
    if (waitingBytes >= FLOW_FROM_BYTES) flowsUntil = performance.now() + GATHER_MS;
    const batch = together(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
    if (life.record(to => to.output(batch))) fanOut.push(batch);
    if (gathered?.buffer === batch.buffer) givenBack(batch);
  }
  function applySize(): void {
    resizing = null;
    if (!nextSize || life.over) return;
    const { size: wanted, by } = nextSize;
    nextSize = null;
    if (wanted.cols === size.cols && wanted.rows === size.rows) return;
    flush();
    if (life.over) return;
    size = wanted;
    shell.resize(size);
    if (!life.record(to => to.resize(size))) return;
    sessionAudit.resize(by.who, size);
    tell({ event: 'resize', size: sizeText(size), sid, user: by.who.user }, by);
    resizing = setTimeout(applySize, RESIZE_EVERY_MS).unref();
  }
  function resize(by: Seat, wanted: Size): void {
    if (life.over || by.mode !== 'peer') return;
    nextSize = { size: wanted, by };
    if (!resizing) applySize();
  }
  function tell(event: { event: string; [field: string]: unknown }, except: Seat): void {
    for (const seat of seats.values()) if (seat !== except) seat.subscriber.event(event);
  }
  function remove(seat: Seat, how: 'leave' | 'drop' | 'shown out'): void {
    if (!seats.delete(seat.participant.id)) return;
    seat.flow?.close();
    sessionAudit.leave(seat.who);
    tell({ event: 'session.leave', sid, user: seat.who.user, mode: seat.mode, parties: present() }, seat);
    if (!life.record(to => to.presence(seat.who.user, 'leave')) || life.over) return;
    if (seats.size === 0 && how === 'leave' && seat.mode === 'peer')
      void life.end('ended', `${seat.who.user} closed the session.`);
    else if (![...seats.values()].some(({ mode }) => mode === 'peer')) life.attended(false);
  }
  function showOut(seat: Seat, kind: 'left' | 'forbidden', why: string): void {
    remove(seat, 'shown out');
    seat.subscriber.ended({ kind, text: why });
  }
  function input(seat: Seat, bytes: Uint8Array): void {
    if (life.over || !seats.has(seat.participant.id) || bytes.length === 0) return;
    seat.lastActive = now();
    if (seat.mode === 'peer') {
      life.active();
      rx += bytes.length;
      shell.write(bytes);
    } else if (bytes.includes(CTRL_C)) {
      showOut(seat, 'left', 'You left the session.');
    } else if (seat.mode === 'moderator' && bytes.includes(LETTER_T))
      void life.end('ended', `The session was ended by ${seat.who.user}, a moderator.`);
  }

  // A client that has stopped saying what it has shown must not keep an ended session open.
  shell.onGone(() => fanOut.last());
  return {
    get session() {
      return session();
    },
    ownerId: owner.userId,
    mfaDevices: parts.mfaDevices,
    get ownerRoles() {
      return ownerRoles;
    },
    follow(now) {
      ownerRoles = now.roles;
      life.follow(now.rights.options);
    },
    join(who, mode, wanted, have, subscriber) {
      flush();
      const participant: Participant = {
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
      const seat: Seat = { participant, who, mode, subscriber, lastActive: now(), flow: null };
      seats.set(participant.id, seat);
      const own: Subscriber = { ...subscriber, begin: frame => subscriber.begin({ ...frame, party: participant.id }) };
      seat.flow = fanOut.open(
        own,
        { holds: mode === 'peer', clipboard: mode === 'peer' && who.userId === owner.userId },
        have,
      );
      if (mode === 'peer') life.attended(true);
      if (joined) {
        sessionAudit.join(who);
        tell({ event: 'session.join', sid, user: who.user, mode, parties: present() }, seat);
        life.record(to => to.presence(who.user, 'join'));
      }
      joined = true;
      life.participant(who);
      resize(seat, wanted);
      return participant;
    },
    showOut(participantId, why) {
      const seat = seats.get(participantId);
      if (seat) showOut(seat, 'forbidden', why);
    },
    output(bytes) {
      for (let at = 0; at < bytes.length && !life.over; at += PIECE_BYTES) {
        const piece = bytes.subarray(at, at + PIECE_BYTES);
        if (waitingBytes + piece.length > PIECE_BYTES) flush();
        waiting.push(piece);
        waitingBytes += piece.length;
      }
      if (life.over) return;
      if (waitingBytes === PIECE_BYTES) flush();
      else if (!scheduled && !gathering) {
        // All that arrives in one turn of the loop shares a chunk of the recording and a message; in a flow, some turns.
        if (performance.now() < flowsUntil) gathering = setTimeout(flush, GATHER_MS);
        else scheduled = setImmediate(flush);
      }
    },
    exited(exit) {
      life.gone(
        exit.error === null
          ? { kind: 'exited', text: endText(exit) }
          : { kind: 'lost', text: `The connection to ${target.hostname} was lost: ${exit.error}` },
      );
    },
    end: life.end,
    done: life.done,
  };
}
