// Who comes to an application: the sessions there are, the cookies by which browsers show theirs, and how a browser that is signed in to the
// console gets them. Cookies of one application open no other.
import { Failure } from '../../../../contract/failure.ts';
import type { ApplicationSession, OpenApplication } from '../../../ports/applications.ts';
import type { Changes } from '../../../ports/changes.ts';
import type { Reach } from '../../../ports/reach.ts';
import { FACTOR_ELSEWHERE, type Who } from '../../../ports/who.ts';
import { awsPartition } from '../../aws-console.ts';
import { isSameHost } from '../../same-host.ts';
import { type ApplicationConnection, connectTo } from './connection.ts';
import { type ApplicationIdentity, type HeldToken, holdToken } from './identity.ts';
import { type JudgingParts, refusalNow } from './judging.ts';
import { type CookiePair, createPairs, type Launched } from './pairs.ts';
import type { ApplicationTargets, WebApplication } from './targets.ts';

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
  /** For somebody whom their root has brought here: begins a session, or goes on with theirs. Throws Failure denied, not_found. */
  enter(who: Who, name: string): Promise<Visit>;
  /** Ends the session of such a person. */
  leaveAs(who: Who, name: string): void;
}

interface Entry extends Visit {
  readonly key: string;
  who: Who;
  app: WebApplication;
  judged: number;
  judgedAt: number;
}

export function createApplicationEntrance(parts: EntranceParts): ApplicationEntrance {
  const { targets, sessions } = parts;
  const entries = new Map<string, Entry>();
  const pairs = createPairs<Entry>();
  /** Sessions that begin: what a page fetches at once is of one. */
  const entering = new Map<string, Promise<Entry>>();
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
        pairs.forget(current);
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
      judged: changed,
      judgedAt: Date.now(),
      token: () => held(entry.who),
    };
    current = entry;
    entries.set(key, entry);
    return entry;
  }
  function entryOf(pair: CookiePair, fqdn: string): Entry | null {
    const entry = pairs.find(pair, fqdn);
    return entry && !entry.session.over ? entry : null;
  }
  const isFresh = ({ judged, judgedAt }: Entry): boolean => judged === changed && Date.now() - judgedAt < JUDGED_MS;
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
      const key = keyOf(who, app.name, awsRole);
      const running = entries.get(key);
      // Where each session asks for a second factor, a running one is not handed on without.
      const isOpen = running && !running.session.over && running.app.publicAddr === app.publicAddr;
      const mayGoOn = isOpen && (device !== undefined || !who.rights.options.sessionFactor);
      const entry = mayGoOn ? running : await begin(who, app, device, key);
      return pairs.give(entry, app.publicAddr);
    },
    redeem: pairs.redeem,
    knows: (pair, fqdn) => entryOf(pair, fqdn) !== null,
    visit(pair, fqdn, from) {
      const entry = entryOf(pair, fqdn);
      if (!entry || (entry.who.rights.options.pinSourceIp && !isSameHost(entry.who.remoteAddr, from))) return null;
      return isFresh(entry) ? entry : judge(entry);
    },
    leave(pair, fqdn) {
      const entry = entryOf(pair, fqdn);
      if (entry) sessions.end(entry.session.sid, LEFT);
    },
    async enter(who, name) {
      if (who.rights.options.sessionFactor) throw new Failure('denied', FACTOR_ELSEWHERE);
      const key = keyOf(who, name);
      const running = entries.get(key);
      if (running && !running.session.over && (isFresh(running) || (await judge(running)))) return running;
      const app = await targets.named(name);
      if (!app || !who.rights.selects('app', app.labels))
        throw new Failure('not_found', `application "${name}" was not found`);
      if (awsPartition(app.uri)) throw new Failure('unsupported', CONSOLE_ELSEWHERE);
      const beginning = entering.get(key) ?? begin(who, app, undefined, key).finally(() => entering.delete(key));
      entering.set(key, beginning);
      return beginning;
    },
    leaveAs(who, name) {
      const entry = entries.get(keyOf(who, name));
      if (entry) sessions.end(entry.session.sid, LEFT);
    },
  };
}

const keyOf = ({ webSessionId }: Who, name: string, awsRole = ''): string => `${webSessionId} ${name} ${awsRole}`;
const LEFT = 'You have left the application.';
const CONSOLE_ELSEWHERE = 'The AWS console is opened from the cluster that has it: sign in there.';
