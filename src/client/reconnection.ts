// What follows from a lost or refused terminal connection: pure rules, which the connection carries out.
import { closeCodes } from '../contract/terminal.ts';

/** Where a terminal connection stands. */
export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  /** By the clock that was handed in: when the gateway was last heard, and when the next try begins. */
  | { readonly kind: 'reconnecting'; readonly text: string; readonly lostAt: number; readonly retryAt: number }
  /** The shell is over. */
  | { readonly kind: 'ended'; readonly text: string }
  /** Nothing will happen by itself any more. `gone`: the session ended while this side was away. */
  | { readonly kind: 'refused'; readonly text: string; readonly gone: boolean };

/** Why the gateway did not take a socket. `status` 0: it did not answer at all. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

/** What the connection does next: it is over, or it is tried again. */
export type NextStep =
  | Extract<ConnectionState, { kind: 'ended' | 'refused' }>
  | { readonly kind: 'retry'; readonly text: string };

/** Tries after a plain refusal: the token may be in the middle of its renewal. */
const MOST_DENIALS = 3;
/** Tries to begin a session while the gateway does not answer. */
const MOST_FIRST_TRIES = 5;
/** Said of a session that ended while this side had no connection. */
export const GONE_TEXT = 'The session ended while you were away';

const refused = (text: string, gone = false): NextStep => ({ kind: 'refused', text, gone });
const neverRetried: ReadonlySet<number> = new Set([closeCodes.badFrame, closeCodes.denied, closeCodes.tooBig]);

/**
 * What follows when a socket closed. `problem` is what the gateway said just before, '' when nothing; `sid` is '' until a session was named.
 * 'ask': the socket never opened, and a browser does not say why: the gateway is to be asked.
 */
export function afterClose(closed: {
  readonly code: number;
  readonly reason: string;
  readonly opened: boolean;
  readonly sid: string;
  readonly problem: string;
}): NextStep | 'ask' {
  const { code, reason, opened, sid, problem } = closed;
  if (problem !== '') return refused(problem);
  if (code === closeCodes.normal) return { kind: 'ended', text: reason };
  if (neverRetried.has(code)) return refused(reason || `The gateway closed the connection (${code})`);
  if (!opened) return 'ask';
  // Another try would begin a second session beside one that may have begun unseen.
  if (sid === '') return refused(reason || 'The connection was lost before the session began');
  return { kind: 'retry', text: reason || 'The connection was lost' };
}

/** What follows when the gateway told why it did not take a socket, after so many tries and denials in a row. */
export function afterRefusal(
  { status, text }: Refusal,
  { sid, tries, denials }: { readonly sid: string; readonly tries: number; readonly denials: number },
): NextStep {
  if (status === 404) return sid === '' ? refused(text) : refused(GONE_TEXT, true);
  if (status === 403 && sid !== '' && denials + 1 < MOST_DENIALS) return { kind: 'retry', text };
  const isPassing = status < 400 || status >= 500 || status === 408 || status === 426 || status === 429;
  if (!isPassing || (sid === '' && tries >= MOST_FIRST_TRIES)) return refused(text);
  return { kind: 'retry', text };
}
