// The life of one session, whatever its protocol: one person, one target, one principal. It holds the limits, ends the recording, writes the
// end to the audit log until that is done, and knows nothing of what is shown.
import type { Recorder, RecordingSeal } from '../../ports/recordings.ts';
import type { Rights } from '../../ports/rights.ts';
import type { Who } from '../../ports/who.ts';
import type { Retries } from '../retries.ts';
import type { EndKind, SessionEnd } from './participant.ts';
import type { SessionEndFacts } from './session-audit.ts';

/** What was hung up gets this long to say its last words, ms. */
const HANG_UP_MS = 1000;
/** Longest that a timer of Node can wait, ms. */
const TIMER_MOST_MS = 2 ** 31 - 1;
/** After so many tries the audit log is told of the end without the recording's seal: some ten minutes. The next start closes the file. */
const SEAL_TRIES = 15;

/** What a kind of session adds to the life that all have. */
export interface SessionBody {
  /** Hangs up on what was reached. Calling it again does nothing. */
  hangUp(): void;
  /** Gives out what still waits; may itself end the session. */
  flush(): void;
  /** The last call: tells everybody who is there. */
  tell(end: SessionEnd): void;
  /** Writes the end to the audit log. Called again when it rejects. */
  noteEnd(facts: SessionEndFacts): Promise<void>;
}
export interface LifecycleParts {
  readonly sid: string;
  readonly who: Who;
  readonly body: SessionBody;
  /** null = not recorded (best effort, and it could not be started). */
  readonly recorder: Recorder | null;
  readonly started: Date;
  /** How long it is kept while nobody attends it, ms. */
  readonly keepMs: number;
  readonly now: () => Date;
  readonly retries: Retries;
  readonly report: (problem: string, error: unknown) => void;
  /** Told as soon as the session is over, before its end is written. */
  readonly onOver: (end: SessionEnd) => void;
}
export interface Lifecycle {
  readonly over: boolean;
  /** It was told to end: what comes after that is the hanging up. */
  readonly ending: boolean;
  /** When the person last did something. */
  readonly lastActive: Date;
  /** The person did something: idleness counts from now. */
  active(): void;
  /** Whether somebody attends it now; while nobody does it is kept for `keepMs`. */
  attended(by: boolean): void;
  /** Somebody took part: named in the audit log. */
  participant(who: Pick<Who, 'userId' | 'user'>): void;
  /** Runs what writes to the recording. False when the session is over, which it is once a strict recording cannot be written. */
  record(write: (to: Recorder) => void): boolean;
  /** What the person's roles say now about how long a session may go on. */
  follow(options: Rights['options']): void;
  /** Hangs up; resolves as `done`. What ended it first stands. */
  end(kind: EndKind, text: string): Promise<void>;
  /** What was reached is gone by itself, or was hung up. */
  gone(how: SessionEnd): void;
  /** Resolves when the recording is sealed and the audit log has the end, or both are left to the next start. */
  readonly done: Promise<void>;
}

/** Begins the life of a session that nobody attends yet. It ends by `end`, by `gone`, or by itself. */
export function openLifecycle(parts: LifecycleParts): Lifecycle {
  const { sid, who, body, recorder, now, report } = parts;
  const participants = new Map([[who.userId, who.user]]);
  let options = who.rights.options;
  let lastActive = now();
  let keep: NodeJS.Timeout | null = null;
  let idle: NodeJS.Timeout | null = null;
  let expiry: NodeJS.Timeout | null = null;
  let hangUp: NodeJS.Timeout | null = null;
  /** Set as soon as the session is to end; `over` when its participants have been told. */
  let ending: SessionEnd | null = null;
  let over = false;
  const finished = Promise.withResolvers<void>();

  function finish(): void {
    if (over) return;
    body.flush();
    // Writing the last output may itself have ended the session.
    if (over) return;
    over = true;
    for (const timer of [keep, idle, expiry, hangUp]) if (timer) clearTimeout(timer);
    body.hangUp();
    const end = ending ?? { kind: 'ended', text: '' };
    body.tell(end);
    parts.onOver(end);
    void writeEnd(end).then(finished.resolve);
  }
  async function writeEnd(end: SessionEnd): Promise<void> {
    const stopped = now();
    let seal: RecordingSeal | null = null;
    let error = end.kind === 'unrecorded' || end.kind === 'lost' ? end.text : '';
    const written = await parts.retries.until(`session ${sid}: its end`, async failures => {
      if (recorder && failures < SEAL_TRIES) seal ??= await recorder.end();
      else if (recorder && !seal) error ||= 'The end of the recording could not be written.';
      const message = end.kind === 'exited' || error ? '' : end.text;
      await body.noteEnd({ participants, started: parts.started, stopped, seal, message, error });
    });
    try {
      // The mark beside a recording that is not sealed, or whose end the log lacks, stays: the next start closes it and tells the log.
      if (written && seal) await recorder?.settle();
      else if (!seal) await recorder?.leave();
    } catch (problem) {
      report(`session ${sid}: its recording could not be put away`, problem);
    }
  }
  function end(kind: EndKind, text: string): Promise<void> {
    if (!ending && !over) {
      ending = { kind, text };
      body.hangUp();
      // Whoever may not go on is shown nothing more.
      if (kind === 'forbidden') finish();
      else hangUp = setTimeout(finish, HANG_UP_MS);
    }
    return finished.promise;
  }

  function watchIdle(): void {
    if (idle) clearTimeout(idle);
    idle = null;
    const idleMs = options.clientIdleTimeoutMs;
    if (idleMs <= 0 || over) return;
    const left = lastActive.getTime() + idleMs - now().getTime();
    if (left <= 0) void end('idle', `The session was ended after ${minutes(idleMs)} without input.`);
    else idle = setTimeout(watchIdle, Math.min(left, TIMER_MOST_MS)).unref();
  }
  function watchExpiry(): void {
    if (expiry) clearTimeout(expiry);
    expiry = null;
    if (!options.disconnectExpired || over) return;
    const left = who.expires.getTime() - now().getTime();
    if (left <= 0) void end('forbidden', 'The session was ended: the sign-in that it was opened with has expired.');
    else expiry = setTimeout(watchExpiry, Math.min(left, TIMER_MOST_MS)).unref();
  }
  function attended(by: boolean): void {
    if (keep) clearTimeout(keep);
    keep = null;
    if (by || over) return;
    keep = setTimeout(
      () => void end('abandoned', `The session was ended: nobody came back within ${minutes(parts.keepMs)}.`),
      parts.keepMs,
    ).unref();
  }

  attended(false);
  watchIdle();
  watchExpiry();
  return {
    get over() {
      return over;
    },
    get ending() {
      return ending !== null;
    },
    get lastActive() {
      return lastActive;
    },
    active() {
      lastActive = now();
    },
    attended,
    participant: ({ userId, user }) => void participants.set(userId, user),
    record(write) {
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
    },
    follow(present) {
      const before = options;
      options = present;
      if (present.clientIdleTimeoutMs !== before.clientIdleTimeoutMs) watchIdle();
      if (present.disconnectExpired !== before.disconnectExpired) watchExpiry();
    },
    end,
    gone(how) {
      ending ??= how;
      finish();
    },
    done: finished.promise,
  };
}

const minutes = (ms: number): string => (ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`);
