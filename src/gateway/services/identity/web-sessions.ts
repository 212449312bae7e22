/**
 * Web sessions: a cookie and a bearer token that only count together.
 *
 * Both are derived, by a key that only the gateway has, from a random half of the cookie (the family, one per session) and
 * from the moment the token ends. So the gateway can say a session's present pair again without storing it: a page load
 * answers the token that other tabs already use, and two tabs that renew at once, or one whose answer was lost, get the
 * same new pair. Stored are digests only.
 */
import { Failure } from '../../../contract/failure.ts';
import type { OwnSession } from '../../../contract/own-sessions.ts';
import type { SessionReply } from '../../../contract/session.ts';
import type { Changes } from '../../ports/changes.ts';
import { type KeyPolicy, keyPolicies, NO_HARDWARE_KEYS, type Rights } from '../../ports/rights.ts';
import type { Assumed, Barring, FindDevice, Visit, Who } from '../../ports/who.ts';
import type { MfaDevices, Settings, UserRecord, Users, WebSession, WebSessions } from '../../store/store.ts';
import { isSameHost } from '../same-host.ts';
import { derived, digest, newSecret, sameSecret } from '../secrets.ts';
import type { CameFrom } from './lock-out.ts';
import type { LoginRules } from './login-rules.ts';
import { readSessionCookie, writeSessionCookie } from './session-cookie.ts';
import { createTurns } from './turns.ts';

/** Life of a bearer token. */
const BEARER_MS = 600_000;
/** How long the pair before the last renewal stays good. */
const GRACE_MS = 120_000;
/** Activity is written down at most this often; so much later than the cluster says may a session end. */
const ACTIVITY_EVERY_MS = 15_000;
/** Sessions whose last note of activity is remembered at once. */
const NOTED_MOST = 10_000;
const PINNED = 'Your roles bind a sign-in to the address that it began at (pin_source_ip): sign in here.';
const IMPERSONATION_OVER = 'Your session has ended: whoever acted as this user may not any more.';
/** Ended sessions are swept at most this often. */
const SWEEP_EVERY_MS = 600_000;

/** What a caller shows: both halves, or less. */
interface GivenPair {
  readonly cookie: string | undefined;
  readonly bearer: string | undefined;
  /** host:port of the peer. */
  readonly remoteAddr: string;
  /** Somebody from a root cluster, who has no pair here; absent for everybody else. */
  readonly visit?: Visit | undefined;
}

/** What a sign-in or renewal hands to the browser. */
export interface SignedIn {
  readonly reply: SessionReply;
  /** Value of the session cookie. */
  readonly cookie: string;
  /** Login rules that a sign-in was given to, for the audit log. */
  readonly rules?: readonly string[];
}

export interface WebSessionParts {
  readonly webSessions: WebSessions;
  readonly mfaDevices: Pick<MfaDevices, 'list'>;
  readonly users: Users;
  readonly settings: Settings;
  readonly assumed: Assumed;
  /** Locks: whoever one holds back signs in nowhere and makes no call. */
  readonly barring: Barring;
  readonly loginRules: LoginRules;
  /** Whether the trusted device of a session is still there, and its owner's. */
  readonly findDevice: FindDevice;
  /** Told whenever sessions were ended here. */
  readonly changes: Pick<Changes, 'emit'>;
  readonly sessionTtlMs: number;
  readonly inactiveTimeoutMs: number;
  /** Of the whole cluster. */
  readonly keyPolicy: KeyPolicy;
  readonly clock: () => Date;
}

export interface Sessions {
  /** `mfaDevice`: id of the second factor that was shown; `mostMs`: it lasts no longer. Throws Failure denied with what a lock or a login rule says, hardware_key. */
  open(user: UserRecord, from: CameFrom, mfaDevice?: string, mostMs?: number): Promise<SignedIn>;
  /** A session as `user` for somebody else (by id), who may. Nobody has signed in by it. Throws as `open` does. */
  openFor(impersonator: string, user: UserRecord, from: CameFrom, mostMs: number): Promise<SignedIn>;
  /** The person behind the pair. Throws Failure signed_out for anything that is not a live session's pair, or comes from where roles do not let it. */
  authenticate(given: GivenPair): Promise<Who>;
  /** Whose live session a cookie is of; null without one. It lets nobody in by itself: other sites make browsers send cookies too. */
  ofCookie(given: Pick<GivenPair, 'cookie' | 'remoteAddr'>): Promise<Who | null>;
  /** The same person as they are now. Throws Failure signed_out when their session is over. */
  again(who: Pick<Who, 'userId' | 'webSessionId' | 'remoteAddr'>): Promise<Who>;
  /**
   * For a page load: the session's present pair, renewed when less than half of the token's life is left. Null without a live session. Throws
   * Failure denied for a bot's: what it holds is for programs.
   */
  ofPage(given: Pick<GivenPair, 'cookie' | 'remoteAddr'>): Promise<SignedIn | null>;
  /**
   * A new pair; asked with the previous one, the pair that replaced it. `assume`: the access requests that the session uses from now on, given
   * those that it used; the answer is then the pair that there is.
   */
  renew(given: GivenPair, assume?: (before: readonly string[]) => readonly string[]): Promise<SignedIn>;
  /**
   * Ends the pair's session; a bearer token that has run out counts, if it is the session's last. Nothing is left to do for a cookie
   * without a session. Throws Failure signed_out when the session lives and the bearer token is not its own.
   */
  signOut(given: GivenPair): Promise<void>;
  /** Ends all sessions of a user (by id), except one. */
  endOf(userId: string, exceptId?: string): Promise<void>;
  /** A person's own, the newest first. */
  listOf(who: Pick<Who, 'userId' | 'webSessionId'>): Promise<OwnSession[]>;
  /** Ends one session of a user (by id). False when there is none such. */
  endOne(userId: string, webSessionId: string): Promise<boolean>;
  /** Its person did something, `agoMs` ago: without that for as long as the cluster says, the session ends. Written down every 15 s. */
  active(webSessionId: string, agoMs?: number): void;
  /** Why the session counts no more, as its person is told; null while it does. Sockets ask this again and again. */
  over(session: Pick<Who, 'webSessionId' | 'userId' | 'trustedDevice'>): Promise<string | null>;
}

interface Found {
  readonly row: WebSession;
  readonly family: string;
  readonly user: UserRecord;
}

export function createSessions(parts: WebSessionParts): Sessions {
  const { webSessions, users, settings, clock } = parts;
  const turns = createTurns();
  /** Renewals by page loads that are under way, by session: they end in the same pair for every cookie of it that counts. */
  const pageRenewals = new Map<string, Promise<SignedIn | null>>();
  /** When the activity of a session was last written down. */
  const noted = new Map<string, number>();
  let keyOnce: Promise<string> | undefined;
  let swept = 0;

  /** Who acts as the user of a session, or why they may not any more; null: the user does. */
  async function actingAs(
    { impersonator }: WebSession,
    user: UserRecord,
  ): Promise<{ readonly name: string } | string | null> {
    if (impersonator === '') return null;
    const other = await users.byId(impersonator);
    if (other === null) return IMPERSONATION_OVER;
    const { roles, rights } = await parts.assumed(other, []);
    const locked = await parts.barring({ user: other.name, roles }, rights.options.locking);
    if (locked !== null) return locked;
    const { roles: held, traits } = await parts.assumed(user, []);
    return rights.impersonation.permits({ name: user.name, roles: held, traits })
      ? { name: other.name }
      : IMPERSONATION_OVER;
  }
  /** Whether these rights bind a session to the address that it began at, and this is another. */
  const isElsewhere = ({ row }: Pick<Found, 'row'>, { options }: Rights, remoteAddr: string): boolean =>
    options.pinSourceIp && !isSameHost(row.remoteAddr, remoteAddr);
  /** Throws Failure signed_out where roles bind the session to the address that it began at, and this is another. */
  async function whoOf({ row, user }: Omit<Found, 'family'>, remoteAddr: string): Promise<Who> {
    const acting = await actingAs(row, user);
    if (typeof acting === 'string') throw new Failure('signed_out', acting);
    const assumed = await parts.assumed(user, row.accessRequests);
    const trustedDevice = (await parts.findDevice(row.trustedDevice, user.id)) ?? undefined;
    if (isElsewhere({ row }, assumed.rights, remoteAddr)) throw new Failure('signed_out', PINNED);
    return {
      user: user.name,
      userId: user.id,
      since: user.created,
      authType: user.authType === 'local' ? 'local' : 'sso',
      webSessionId: row.id,
      mfaDevice: row.mfaDevice,
      trustedDevice,
      ...(acting && { impersonator: acting.name }),
      expires: row.expires,
      remoteAddr,
      ...assumed,
    };
  }

  /** The derivation key: made once, kept beside the sessions it serves. */
  const key = (): Promise<string> => {
    keyOnce ??= settings.putIfAbsent('identity.session_key', newSecret()).then(
      stored => String(stored),
      error => {
        keyOnce = undefined;
        throw error;
      },
    );
    return keyOnce;
  };
  const bearerOf = async (family: string, expires: Date): Promise<string> =>
    derived(await key(), ['bearer', family, expires.toISOString()]).toString('base64url');
  const cookieSecret = async (family: string, bearerDigest: string): Promise<string> =>
    derived(await key(), ['cookie', family, bearerDigest]).toString('hex');
  const ended = (): void => {
    parts.changes.emit({ kind: 'webSessionsEnded' });
  };

  const barred = async (
    user: UserRecord,
    { mfaDevice, trustedDevice: device }: Pick<WebSession, 'mfaDevice' | 'trustedDevice'>,
  ): Promise<string | null> => {
    const { roles, rights } = await parts.assumed(user, []);
    return parts.barring({ user: user.name, roles, mfaDevices: [mfaDevice], device }, rights.options.locking);
  };
  const isOver = ({ expires, lastActive }: WebSession): boolean => {
    const now = clock().getTime();
    const most = parts.inactiveTimeoutMs;
    return expires.getTime() <= now || (most > 0 && now - lastActive.getTime() > most + ACTIVITY_EVERY_MS);
  };

  async function find(cookie: string | undefined): Promise<Found | null> {
    const read = readSessionCookie(cookie);
    if (read === null) return null;
    const row = await webSessions.get(digest(read.family));
    if (row === null || isOver(row)) return null;
    const now = clock();
    const current = sameSecret(read.secret, await cookieSecret(read.family, row.bearer));
    const previous =
      inGrace(row, now) && sameSecret(read.secret, await cookieSecret(read.family, row.previousBearer ?? ''));
    if (!current && !previous) return null;
    const user = await users.byId(row.userId);
    if (user?.name !== read.user || (await barred(user, row)) !== null) return null;
    return { row, family: read.family, user };
  }

  async function pair({ row, family, user }: Found): Promise<SignedIn> {
    const bearer = await bearerOf(family, row.bearerExpires);
    return {
      cookie: writeSessionCookie({ user: user.name, family, secret: await cookieSecret(family, row.bearer) }),
      reply: {
        type: 'bearer',
        token: bearer,
        expires_in: Math.max(0, Math.round((row.bearerExpires.getTime() - clock().getTime()) / 1000)),
        sessionExpires: row.expires.toISOString(),
        sessionInactiveTimeout: parts.inactiveTimeoutMs,
      },
    };
  }

  /**
   * Replaces the pair of a row that was just read. Answers the present one when the session's end leaves nothing to gain, null when the
   * session has ended meanwhile.
   */
  async function advance(found: Found): Promise<SignedIn | null> {
    const { row, family } = found;
    const now = clock();
    const bearerExpires = earlier(new Date(now.getTime() + BEARER_MS), row.expires);
    if (bearerExpires <= row.bearerExpires) return pair(found);
    const next: WebSession = {
      ...row,
      bearer: digest(await bearerOf(family, bearerExpires)),
      bearerExpires,
      previousBearer: row.bearer,
      previousUntil: new Date(now.getTime() + GRACE_MS),
    };
    return (await webSessions.update(next)) ? pair({ ...found, row: next }) : null;
  }

  async function sweep(now: Date): Promise<void> {
    if (now.getTime() - swept < SWEEP_EVERY_MS) return;
    swept = now.getTime();
    await webSessions.prune(now);
  }

  /** Whether a bearer token is the row's present one, or the one before within its grace. */
  function fits(row: WebSession, bearer: string | undefined, expiredToo = false): 'current' | 'previous' | null {
    if (bearer === undefined || bearer === '') return null;
    const now = clock();
    const given = digest(bearer);
    if (sameSecret(given, row.bearer)) return expiredToo || row.bearerExpires > now ? 'current' : null;
    return inGrace(row, now) && sameSecret(given, row.previousBearer ?? '') ? 'previous' : null;
  }

  async function open(
    known: UserRecord,
    from: CameFrom,
    { mfaDevice = '', mostMs, impersonator = '' }: { mfaDevice?: string; mostMs: number; impersonator?: string },
  ): Promise<SignedIn> {
    const now = clock();
    await sweep(now);
    const { signInTraits: before, ...own } = known;
    const { traits: ruled, applied } = await parts.loginRules.apply(own);
    const user: UserRecord = { ...own, ...(ruled && { signInTraits: ruled, signInRules: applied }) };
    const locked = await barred(user, { mfaDevice, trustedDevice: '' });
    if (locked !== null) throw new Failure('denied', locked);
    const { rights } = await parts.assumed(user, []);
    const policy = keyPolicies.findLast(one => one === parts.keyPolicy || one === rights.options.keyPolicy);
    if (policy !== undefined && policy !== 'none')
      throw new Failure('hardware_key', `private key policy not met: ${policy}. ${NO_HARDWARE_KEYS}`);
    const family = newSecret();
    const lifeMs = Math.min(rights.options.maxSessionTtlMs, parts.sessionTtlMs, mostMs);
    const expires = new Date(now.getTime() + lifeMs);
    const bearerExpires = earlier(new Date(now.getTime() + BEARER_MS), expires);
    const row: WebSession = {
      id: digest(family),
      userId: user.id,
      bearer: digest(await bearerOf(family, bearerExpires)),
      bearerExpires,
      previousBearer: null,
      previousUntil: null,
      created: now,
      expires,
      lastActive: now,
      mfaDevice,
      ...from,
      accessRequests: [],
      trustedDevice: '',
      impersonator,
    };
    await webSessions.create(row);
    await users.signedIn(user.id, impersonator === '' ? now : null, ruled ? { traits: ruled, rules: applied } : null);
    // What runs elsewhere follows at once.
    if (JSON.stringify(before) !== JSON.stringify(ruled)) parts.changes.emit({ kind: 'userChanged', user: user.name });
    return { ...(await pair({ row, family, user })), rules: applied };
  }

  return {
    open: (user, from, mfaDevice = '', mostMs = Number.POSITIVE_INFINITY) => open(user, from, { mfaDevice, mostMs }),
    openFor: (impersonator, user, from, mostMs) => open(user, from, { mostMs, impersonator }),

    async authenticate({ cookie, bearer, remoteAddr }) {
      const found = await find(cookie);
      if (found === null || fits(found.row, bearer) === null) throw new Failure('signed_out');
      return whoOf(found, remoteAddr);
    },

    async ofCookie({ cookie, remoteAddr }) {
      const found = await find(cookie);
      return found && whoOf(found, remoteAddr);
    },

    async again({ userId, webSessionId, remoteAddr }) {
      const user = await users.byId(userId);
      const row = user && (await webSessions.get(webSessionId));
      // A certificate names both: they must belong together.
      if (!row || row.userId !== userId || isOver(row)) throw new Failure('signed_out');
      return whoOf({ row, user }, remoteAddr);
    },

    async ofPage({ cookie, remoteAddr }) {
      const lasts = ({ row }: Found) => row.bearerExpires.getTime() - clock().getTime() > BEARER_MS / 2;
      const first = await find(cookie);
      if (first === null) return null;
      if (first.user.isBot)
        throw new Failure('denied', `This is the session of the bot ${first.user.name}, and bots open no console.`);
      const { rights } = await parts.assumed(first.user, first.row.accessRequests);
      if (isElsewhere(first, rights, remoteAddr)) return null;
      // A browser may bring back a hundred tabs at once: most loads change nothing and need no turn, and those that do share one.
      if (lasts(first)) return pair(first);
      const { id } = first.row;
      const renewal =
        pageRenewals.get(id) ??
        turns
          .take(id, async () => {
            const found = await find(cookie);
            if (found === null) return null;
            return lasts(found) ? pair(found) : advance(found);
          })
          .finally(() => pageRenewals.delete(id));
      pageRenewals.set(id, renewal);
      return renewal;
    },

    async renew(given, assume) {
      const first = await find(given.cookie);
      if (first === null) throw new Failure('signed_out');
      return turns.take(first.row.id, async () => {
        const before = await find(given.cookie);
        const fit = before && fits(before.row, given.bearer);
        if (!before || !fit) throw new Failure('signed_out');
        const found = assume
          ? { ...before, row: { ...before.row, accessRequests: assume(before.row.accessRequests) } }
          : before;
        if (assume && !(await webSessions.update(found.row))) throw new Failure('signed_out');
        // What is used from now on hangs on the session, not on its pair: other tabs keep theirs.
        const renewed = await (fit === 'previous' || assume ? pair(found) : advance(found));
        if (!renewed) throw new Failure('signed_out');
        return renewed;
      });
    },

    async signOut({ cookie, bearer }) {
      const found = await find(cookie);
      if (found === null) return;
      if (fits(found.row, bearer, true) === null) throw new Failure('signed_out');
      await webSessions.delete(found.row.id);
      ended();
    },

    async endOf(userId, exceptId) {
      await webSessions.deleteOf(userId, exceptId);
      ended();
    },

    async listOf({ userId, webSessionId }) {
      const [rows, devices] = await Promise.all([webSessions.listOf(userId, clock()), parts.mfaDevices.list(userId)]);
      const lasting = rows.filter(row => !isOver(row));
      return Promise.all(
        lasting.map(async row => {
          const device = devices.find(({ id }) => id === row.mfaDevice);
          return {
            id: row.id,
            current: row.id === webSessionId,
            created: row.created.toISOString(),
            lastActive: row.lastActive.toISOString(),
            expires: row.expires.toISOString(),
            remoteAddr: row.remoteAddr,
            userAgent: row.userAgent,
            ...(device && { mfaDevice: device.name }),
            ...(row.impersonator !== '' && {
              impersonator: (await users.byId(row.impersonator))?.name ?? 'a user who is gone',
            }),
          };
        }),
      );
    },

    async endOne(userId, webSessionId) {
      const row = await webSessions.get(webSessionId);
      if (row?.userId !== userId || !(await webSessions.delete(webSessionId))) return false;
      ended();
      return true;
    },

    active(webSessionId, agoMs = 0) {
      const at = clock().getTime() - agoMs;
      if (at - (noted.get(webSessionId) ?? 0) < ACTIVITY_EVERY_MS) return;
      if (noted.size >= NOTED_MOST) noted.clear();
      noted.set(webSessionId, at);
      // What could not be written down now is written by what the person does next.
      webSessions.active(webSessionId, new Date(at)).catch(() => noted.delete(webSessionId));
    },

    async over({ webSessionId, userId, trustedDevice }) {
      const user = await users.byId(userId);
      const row = user && (await webSessions.get(webSessionId));
      // A lock ends sessions as well: it is what the person is told.
      const locked = user && (await barred(user, row ?? { mfaDevice: '', trustedDevice: trustedDevice?.id ?? '' }));
      if (locked) return locked;
      if (!row || row.userId !== userId || isOver(row)) return 'Your session has ended: sign in again.';
      const acting = await actingAs(row, user);
      return typeof acting === 'string' ? acting : null;
    },
  };
}

const earlier = (left: Date, right: Date): Date => (left < right ? left : right);

const inGrace = (row: WebSession, now: Date): boolean =>
  row.previousBearer !== null && row.previousUntil !== null && row.previousUntil > now;
