// Who comes to an application: the sessions there are, the cookies by which browsers show theirs, and how a browser that is signed in to the
// console gets them. Cookies of one application open no other.
import { Failure } from '../../../../contract/failure.ts';
import type { ApplicationSession, OpenApplication } from '../../../ports/applications.ts';
import type { Changes } from '../../../ports/changes.ts';
import type { Reach } from '../../../ports/reach.ts';
import type { Who } from '../../../ports/who.ts';
import { isSameHost } from '../../same-host.ts';
import { digest, newSecret, sameSecret } from '../../secrets.ts';
import { type ApplicationConnection, connectTo } from './connection.ts';
import { type ApplicationIdentity, type HeldToken, holdToken } from './identity.ts';
import { type JudgingParts, refusalNow } from './judging.ts';
import type { ApplicationTargets, WebApplication } from './targets.ts';

/** A browser has this long from the console to the application, ms. */
const CODE_MS = 60_000;
/** Codes that wait at once. */
const CODES_MOST = 10_000;
/** Pairs of cookies that one session has at once: a browser that has lost its pair is given another. */
const PAIRS_MOST = 32;
/** A session is held against the store again this often, and whenever something has changed, ms. */
const JUDGED_MS = 1000;

export interface EntranceParts extends JudgingParts {
  readonly targets: ApplicationTargets;
  readonly identity: ApplicationIdentity;
  readonly sessions: {
    passOn(request: OpenApplication): Promise<ApplicationSession>;
    forbid(sid: string, why: string): boolean;
    end(sid: string, why: string): boolean;
  };
  readonly reach: Pick<Reach, 'stream'>;
  readonly changes: Pick<Changes, 'subscribe'>;
}
/** The two cookies of one browser. */
export interface CookiePair {
  readonly value: string;
  readonly subject: string;
}
/** What the console gets for a browser that is to go to an application. */
interface Launched extends CookiePair {
  readonly fqdn: string;
  /** Good once, for a minute, at that host. */
  readonly code: string;
}
/** Somebody in an application. */
export interface Visit {
  readonly session: ApplicationSession;
  readonly connection: ApplicationConnection;
  readonly app: WebApplication;
  /** Whose session it is, as they are now. */
  readonly who: Who;
  /** Streams that are broken off at its end. */
  readonly streams: Set<{ destroy(): unknown }>;
  token(): string | Promise<string>;
}
export interface ApplicationEntrance {
  /** The application of a host that this person may use. Throws Failure not_found. */
  find(who: Who, fqdn: string): Promise<WebApplication>;
  /** Begins a session, or goes on with the one that this web session has. `awsRole`: as whom in the AWS console. Throws Failure denied, not_found. */
  launch(who: Who, fqdn: string, device?: string, awsRole?: string): Promise<Launched>;
  /** Cookies for a code; null where it is none, was used, has run out or is for another host. */
  redeem(code: string, fqdn: string): CookiePair | null;
  /** Whether a pair opens this host. */
  knows(pair: CookiePair, fqdn: string): boolean;
  /** Whoever shows this pair, as they may go on now; null: nobody. `from`: the address that it is shown from, which roles may bind it to. */
  visit(pair: CookiePair, fqdn: string, from: string): Visit | null | Promise<Visit | null>;
  /** Ends the session of a pair. */
  leave(pair: CookiePair, fqdn: string): void;
}

interface Entry extends Visit {
  readonly key: string;
  who: Who;
  app: WebApplication;
  readonly pairs: string[];
  judged: number;
  judgedAt: number;
}
interface Pair {
  readonly entry: Entry;
  readonly subject: string;
}

export function createApplicationEntrance(parts: EntranceParts): ApplicationEntrance {
  const { targets, sessions } = parts;
  const entries = new Map<string, Entry>();
  /** By the digest of the first cookie. */
  const pairs = new Map<string, Pair>();
  const codes = new Map<string, CookiePair & { readonly fqdn: string; readonly until: number }>();
  /** Counts what has changed: whoever was judged before is judged anew. */
  let changed = 0;
  parts.changes.subscribe(({ kind }) => {
    if (kind !== 'sessionChanged' && kind !== 'sessionEnded' && kind !== 'reviewsChanged') changed += 1;
  });

  async function find(who: Who, fqdn: string): Promise<WebApplication> {
    const app = await targets.at(fqdn.toLowerCase());
    if (!app || !who.rights.selects('app', app.labels)) throw new Failure('not_found', `"${fqdn}" was not found`);
    return app;
  }
  async function begin(who: Who, app: WebApplication, device: string | undefined, key: string): Promise<Entry> {
    let current: Entry | undefined;
    const connection = await connectTo(parts.reach, app, () => (current?.who ?? who).rights.options.reachLoopback);
    const streams: Entry['streams'] = new Set();
    const session = await sessions.passOn({
      who,
      ...(device !== undefined && { device }),
      application: app,
      hangUp() {
        connection.close();
        for (const stream of streams) stream.destroy();
        if (!current) return;
        if (entries.get(key) === current) entries.delete(key);
        for (const pair of current.pairs) pairs.delete(pair);
      },
    });
    const held: HeldToken = holdToken(parts.identity, app.uri);
    const entry: Entry = {
      key,
      who,
      app,
      session,
      connection,
      streams,
      pairs: [],
      judged: changed,
      judgedAt: Date.now(),
      token: () => held(entry.who),
    };
    current = entry;
    entries.set(key, entry);
    return entry;
  }
  function newPair(entry: Entry): CookiePair {
    const pair = { value: newSecret(), subject: newSecret() };
    const of = digest(pair.value);
    pairs.set(of, { entry, subject: digest(pair.subject) });
    entry.pairs.push(of);
    if (entry.pairs.length > PAIRS_MOST) pairs.delete(entry.pairs.shift() ?? '');
    return pair;
  }
  function entryOf({ value, subject }: CookiePair, fqdn: string): Entry | null {
    const pair = value === '' ? undefined : pairs.get(digest(value));
    if (!pair || pair.entry.app.publicAddr !== fqdn || pair.entry.session.over) return null;
    return sameSecret(pair.subject, digest(subject)) ? pair.entry : null;
  }
  /** Whether the person may go on, by what the store says now. */
  async function judge(entry: Entry): Promise<Visit | null> {
    const seen = changed;
    const why = await refusalOf(entry);
    if (why !== null) {
      sessions.forbid(entry.session.sid, why);
      return null;
    }
    entry.judged = seen;
    entry.judgedAt = Date.now();
    return entry;
  }
  function refusalOf(entry: Entry): Promise<string | null> {
    return refusalNow(parts, entry, async ({ name, publicAddr, uri, awsRole }) => {
      const app = await targets.named(name);
      if (!app || app.publicAddr !== publicAddr || app.uri !== uri) return null;
      return awsRole === undefined ? app : { ...app, awsRole };
    });
  }

  return {
    find,
    async launch(who, fqdn, device, awsRole) {
      const found = await find(who, fqdn);
      const app = awsRole === undefined ? found : { ...found, awsRole };
      const key = `${who.webSessionId} ${app.name} ${awsRole ?? ''}`;
      const running = entries.get(key);
      // Where each session asks for a second factor, a running one is not handed on without.
      const isOpen = running && !running.session.over && running.app.publicAddr === app.publicAddr;
      const mayGoOn = isOpen && (device !== undefined || !who.rights.options.sessionFactor);
      const entry = mayGoOn ? running : await begin(who, app, device, key);
      const pair = newPair(entry);
      const code = newSecret();
      const now = Date.now();
      for (const [old, { until }] of codes) if (until < now || codes.size >= CODES_MOST) codes.delete(old);
      codes.set(code, { ...pair, fqdn: app.publicAddr, until: now + CODE_MS });
      return { fqdn: app.publicAddr, ...pair, code };
    },
    redeem(code, fqdn) {
      const found = codes.get(code);
      codes.delete(code);
      return found && found.fqdn === fqdn && found.until >= Date.now() ? found : null;
    },
    knows: (pair, fqdn) => entryOf(pair, fqdn) !== null,
    visit(pair, fqdn, from) {
      const entry = entryOf(pair, fqdn);
      if (!entry || (entry.who.rights.options.pinSourceIp && !isSameHost(entry.who.remoteAddr, from))) return null;
      return entry.judged === changed && Date.now() - entry.judgedAt < JUDGED_MS ? entry : judge(entry);
    },
    leave(pair, fqdn) {
      const entry = entryOf(pair, fqdn);
      if (entry) sessions.end(entry.session.sid, 'You have left the application.');
    },
  };
}
