// What follows from a lost or refused connection: pure rules, so that the line only carries them out.
import { closeCodes } from '../../contract/terminal.ts';

/** Where a line stands. */
export type LineState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'reconnecting'; readonly text: string; readonly retryAt: number }
  /** The shell is over. */
  | { readonly kind: 'ended'; readonly text: string }
  /** Nothing will happen by itself any more. `gone`: the session ended while this side was away. */
  | { readonly kind: 'refused'; readonly text: string; readonly gone: boolean };

/** Why the gateway did not take a socket. `status` 0: it did not answer at all. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

export type Verdict =
  | Extract<LineState, { kind: 'ended' | 'refused' }>
  | { readonly kind: 'retry'; readonly text: string }
  /** The socket never opened, and a browser does not say why: ask the gateway. */
  | { readonly kind: 'ask' };

/** Tries after a plain refusal: the token may be in the middle of its renewal. */
const DENIED_TRIES = 3;
/** Tries to begin a session while the gateway does not answer. */
const FIRST_TRIES = 5;
export const GONE_TEXT = 'The session ended while you were away';

type Settled = Exclude<Verdict, { kind: 'ask' }>;
const refused = (text: string, gone = false): Settled => ({ kind: 'refused', text, gone });
const neverRetried: ReadonlySet<number> = new Set([closeCodes.badFrame, closeCodes.denied, closeCodes.tooBig]);

/** A socket closed. `problem` is what the gateway said just before, '' when nothing; `sid` is '' until a session was named. */
export function afterClose(seen: {
  readonly code: number;
  readonly reason: string;
  readonly opened: boolean;
  readonly sid: string;
  readonly problem: string;
}): Verdict {
  const { code, reason, opened, sid, problem } = seen;
  if (problem !== '') return refused(problem);
  if (code === closeCodes.normal) return { kind: 'ended', text: reason };
  if (neverRetried.has(code)) return refused(reason || `The gateway closed the connection (${code})`);
  if (!opened) return { kind: 'ask' };
  // Another try would begin a second session beside one that may have begun unseen.
  if (sid === '') return refused(reason || 'The connection was lost before the session began');
  return { kind: 'retry', text: reason || 'The connection was lost' };
}

/** The gateway told why it did not take a socket, after so many tries and denials in a row. */
export function afterRefusal(
  why: Refusal,
  so: { readonly sid: string; readonly tries: number; readonly denials: number },
): Settled {
  const { status, text } = why;
  if (status === 404) return so.sid === '' ? refused(text) : refused(GONE_TEXT, true);
  if (status === 403 && so.sid !== '' && so.denials + 1 < DENIED_TRIES) return { kind: 'retry', text };
  const waiting = status < 400 || status >= 500 || status === 408 || status === 426 || status === 429;
  if (!waiting || (so.sid === '' && so.tries >= FIRST_TRIES)) return refused(text);
  return { kind: 'retry', text };
}
