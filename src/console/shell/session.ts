// Keeps the web session alive, in this tab and with the others (specification section 4, "Session validity").
import type { ApiError } from '../../contract/failure.ts';
import type { SessionReply } from '../../contract/session.ts';
import { type Kept, keys, readJson, writeJson } from './storage.ts';

/** Periodic check. */
const CHECK_EVERY_MS = 15_000;
/** A token with less left than this is renewed. */
const RENEW_BELOW_MS = 180_000;
/** The gateway is asked whether the session still stands only while more than this is left. */
const STATUS_ABOVE_MS = 30_000;
/** A renewal that another tab began longer ago than this died with that tab. */
const RENEWAL_MOST_MS = 20_000;

/** The session token record of the specification (section 3); `created` is this machine's own clock, so that a wrong clock does no harm. */
interface SessionToken {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly created: number;
  readonly sessionExpires: string;
  readonly sessionInactiveTimeout: number;
}

export interface SessionPorts {
  readonly storage: Kept;
  readonly now: () => number;
  readonly renew: () => Promise<SessionReply>;
  readonly status: () => Promise<unknown>;
  /** Called once, when the session is over: ends it at the gateway unless another tab did, then goes to login. */
  readonly ended: (why: 'expired' | 'renewal failed' | 'refused' | 'other tab') => void;
  readonly every: (ms: number, run: () => void) => () => void;
  /** Changes that other tabs made to the storage. */
  readonly onStorage: (heard: (key: string | null, value: string | null) => void) => () => void;
}

export interface SessionKeeper {
  readonly token: () => SessionToken | null;
  readonly isValid: () => boolean;
  /** Milliseconds until the bearer token ends; 0 or less: over. */
  readonly timeLeft: () => number;
  readonly keep: (reply: SessionReply) => void;
  /** Renews now. Throws ApiError. */
  readonly renew: () => Promise<void>;
  /** One round of the periodic check. */
  readonly check: () => Promise<void>;
  /** The gateway said that nobody is signed in here: the session is over now, not at the next check. */
  readonly lost: () => void;
  /** Starts the periodic check and listens to other tabs; dispose ends both. */
  readonly open: () => () => void;
}

function isToken(value: unknown): value is SessionToken {
  if (typeof value !== 'object' || value === null) return false;
  const token = value as Partial<Record<keyof SessionToken, unknown>>;
  return (
    typeof token.accessToken === 'string' &&
    typeof token.expiresIn === 'number' &&
    typeof token.created === 'number' &&
    typeof token.sessionExpires === 'string' &&
    typeof token.sessionInactiveTimeout === 'number'
  );
}

/** The keeper of one tab. The token lives in the storage, so every tab of the browser has the newest. */
export function createSessionKeeper(ports: SessionPorts): SessionKeeper {
  const { storage, now } = ports;
  let over = false;

  const token = (): SessionToken | null => {
    const kept = readJson(storage, keys.token);
    return isToken(kept) ? kept : null;
  };
  const timeLeft = (): number => {
    const kept = token();
    return kept === null ? 0 : kept.created + kept.expiresIn * 1000 - now();
  };
  const end = (why: Parameters<SessionPorts['ended']>[0]): void => {
    if (over) return;
    over = true;
    ports.ended(why);
  };
  const keep = (reply: SessionReply): void => {
    const kept: SessionToken = {
      accessToken: reply.token,
      expiresIn: reply.expires_in,
      created: now(),
      sessionExpires: reply.sessionExpires,
      sessionInactiveTimeout: reply.sessionInactiveTimeout,
    };
    writeJson(storage, keys.token, kept);
    over = false;
  };
  const renewing = (): boolean => {
    const since = readJson(storage, keys.tokenRenew);
    return typeof since === 'number' && Math.abs(now() - since) < RENEWAL_MOST_MS;
  };
  const renew = async (): Promise<void> => {
    writeJson(storage, keys.tokenRenew, now());
    try {
      keep(await ports.renew());
    } finally {
      storage.removeItem(keys.tokenRenew);
    }
  };

  const check = async (): Promise<void> => {
    if (over) return;
    const left = timeLeft();
    if (left <= 0) return end('expired');
    if (renewing()) return;
    if (left < RENEW_BELOW_MS) {
      await renew().catch(() => end('renewal failed'));
      return;
    }
    if (left > STATUS_ABOVE_MS) {
      await ports.status().catch((error: ApiError) => {
        // Only a 403 says that the session is gone; a lost network says nothing about it.
        if (error.response?.status === 403) end('refused');
      });
    }
  };

  const open = (): (() => void) => {
    const stopChecking = ports.every(CHECK_EVERY_MS, () => void check());
    const stopListening = ports.onStorage((key, value) => {
      if (key === null || (key === keys.token && value === null)) end('other tab');
    });
    return () => {
      stopChecking();
      stopListening();
    };
  };

  return { token, isValid: () => timeLeft() > 0, timeLeft, keep, renew, check, lost: () => end('refused'), open };
}
