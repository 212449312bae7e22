// Keeps a person's session alive: its token is renewed before it ends, by one tab or process for all that share it (specification, section 4).
import * as z from 'zod/mini';
import { ApiError } from '../contract/failure.ts';
import type { SessionReply } from '../contract/session.ts';

/** Pause between periodic checks, ms. */
const CHECK_EVERY_MS = 15_000;
/** A token with less left than this is renewed, ms. */
export const RENEW_BELOW_MS = 180_000;
/** The gateway is asked whether the session still stands only while more than this is left, ms. */
const STATUS_ABOVE_MS = 30_000;
/** A renewal that another tab began longer ago than this died with that tab, ms. */
const RENEWAL_MOST_MS = 20_000;
/** A token with less left than this may end while a socket is being opened with it, ms. */
const OPENING_MOST_MS = 10_000;

/** The session token record (specification, section 3); `created` is this machine's own clock, ms, so that a wrong clock does no harm. */
const sessionToken = z.object({
  accessToken: z.string(),
  /** Life of the token, seconds. */
  expiresIn: z.number(),
  created: z.number(),
  /** RFC 3339. */
  sessionExpires: z.string(),
  /** Milliseconds without activity after which the session ends; 0: never. */
  sessionInactiveTimeout: z.number(),
});
type SessionToken = z.infer<typeof sessionToken>;

/** A place for one JSON value that every tab or process of the person reads and writes. */
export interface SharedValue {
  /** Undefined when there is none. */
  read(): unknown;
  write(value: unknown): void;
  clear(): void;
}

export interface TokenPorts {
  readonly token: { read(): unknown; write(token: SessionToken): void };
  /** When a renewal began that has not ended; whoever checks meanwhile leaves renewing to that one. Absent where nobody checks. */
  readonly renewal?: SharedValue;
  /** This machine's clock, ms since 1970. */
  readonly now: () => number;
  /** Asks the gateway. What it throws is thrown by whoever needed the token. */
  readonly renew: () => Promise<SessionReply>;
}

export interface SessionPorts extends TokenPorts {
  readonly renewal: SharedValue;
  readonly status: () => Promise<unknown>;
  /** Called once, when the session is over: ends it at the gateway unless another tab did, then goes to login. */
  readonly ended: (why: 'expired' | 'renewal failed' | 'refused' | 'other tab') => void;
  readonly every: (ms: number, run: () => void) => () => void;
  /** Calls when the network or the person comes back; the answer stops that. */
  readonly onWake: (run: () => void) => () => void;
  /** Calls when another tab took the token away; the answer stops that. */
  readonly onTokenRemoved: (run: () => void) => () => void;
}

export interface TokenKeeper {
  readonly token: () => SessionToken | null;
  readonly isValid: () => boolean;
  /** Milliseconds until the bearer token ends; 0 or less: over. */
  readonly timeLeft: () => number;
  /** Takes over what the gateway answered to signing in or renewing. */
  readonly accept: (reply: SessionReply) => void;
  /**
   * A bearer token with `leastMs` left (unless said, enough for a socket to be opened with it), renewed first where it has less; '' when
   * there is none. Throws ApiError, or whatever its renewal throws.
   */
  readonly bearer: (leastMs?: number) => Promise<string>;
  /** Renews now; a renewal that is on its way is waited for. Throws ApiError, or whatever the port throws. */
  readonly renew: () => Promise<void>;
}

export interface SessionKeeper extends TokenKeeper {
  /** One round of the periodic check. */
  readonly check: () => Promise<void>;
  /** The gateway said that nobody is signed in here: the session is over now, not at the next check. */
  readonly lost: () => void;
  /** Starts the checks, periodic and whenever someone comes back, and listens to other tabs; the answer ends all that. */
  readonly open: () => () => void;
}

/** The token of one tab or process. It is read from where all share it, so each of them has the newest. */
export function createTokenKeeper(ports: TokenPorts): TokenKeeper {
  const { now } = ports;
  let renewing: Promise<void> | undefined;

  const token = (): SessionToken | null => z.safeParse(sessionToken, ports.token.read()).data ?? null;
  const timeLeft = (): number => {
    const current = token();
    return current === null ? 0 : current.created + current.expiresIn * 1000 - now();
  };
  const accept = (reply: SessionReply): void => {
    const accepted: SessionToken = {
      accessToken: reply.token,
      expiresIn: reply.expires_in,
      created: now(),
      sessionExpires: reply.sessionExpires,
      sessionInactiveTimeout: reply.sessionInactiveTimeout,
    };
    ports.token.write(accepted);
  };
  const renewOnce = async (): Promise<void> => {
    ports.renewal?.write(now());
    try {
      accept(await ports.renew());
    } finally {
      ports.renewal?.clear();
      renewing = undefined;
    }
  };
  const renew = (): Promise<void> => {
    renewing ??= renewOnce();
    return renewing;
  };
  const bearer = async (leastMs = OPENING_MOST_MS): Promise<string> => {
    if (timeLeft() < leastMs) await renew();
    return token()?.accessToken ?? '';
  };
  return { token, isValid: () => timeLeft() > 0, timeLeft, accept, bearer, renew };
}

/** Keeps the session of one tab alive, and tells when it is over. */
export function createSessionKeeper(ports: SessionPorts): SessionKeeper {
  const { now } = ports;
  const tokens = createTokenKeeper(ports);
  const { renew, timeLeft } = tokens;
  let isOver = false;

  const end = (why: Parameters<SessionPorts['ended']>[0]): void => {
    if (isOver) return;
    isOver = true;
    ports.ended(why);
  };
  const isRenewedElsewhere = (): boolean => {
    const since = ports.renewal.read();
    return typeof since === 'number' && Math.abs(now() - since) < RENEWAL_MOST_MS;
  };

  const check = async (): Promise<void> => {
    if (isOver) return;
    const left = timeLeft();
    if (left <= 0) return end('expired');
    if (isRenewedElsewhere()) return;
    if (left < RENEW_BELOW_MS) {
      await renew().catch(() => end('renewal failed'));
      return;
    }
    if (left > STATUS_ABOVE_MS) {
      await ports.status().catch((error: unknown) => {
        // Only a 403 says that the session is gone; a lost network says nothing about it.
        if (error instanceof ApiError && error.response?.status === 403) end('refused');
      });
    }
  };

  const open = (): (() => void) => {
    const stopChecking = ports.every(CHECK_EVERY_MS, () => void check());
    // A session that was ended elsewhere meanwhile is not shown as if it lived until the next period.
    const stopWaking = ports.onWake(() => void check());
    const stopListening = ports.onTokenRemoved(() => end('other tab'));
    return () => {
      stopChecking();
      stopWaking();
      stopListening();
    };
  };

  return {
    ...tokens,
    accept: reply => {
      tokens.accept(reply);
      isOver = false;
    },
    check,
    lost: () => end('refused'),
    open,
  };
}
