// Applications of leaf clusters, at hosts of this gateway: a browser is known by cookies as at our own, and what it asks is passed on to the leaf,
// which judges, records and notes it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { Failure } from '../../../../contract/failure.ts';
import type { Changes } from '../../../ports/changes.ts';
import type { Who } from '../../../ports/who.ts';
import { leafApplicationAt } from '../../application-host.ts';
import { isSameHost } from '../../same-host.ts';
import { carriedHeaders, responseHeaders } from './headers.ts';
import type { JudgingParts } from './judging.ts';
import { type CookiePair, createPairs, type Launched } from './pairs.ts';
import type { Arrived } from './pass-on.ts';
import type { ApplicationTargets } from './targets.ts';
import { askedOfLeaf, LEAVE_PATH } from './visitor-front.ts';

/** The names of leaves are read again no sooner than this, and a person is held against the store again, ms. */
const FRESH_MS = 1000;

interface Connection {
  ask(asked: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Readable;
    readonly signal?: AbortSignal;
  }): Promise<IncomingMessage>;
  upgrade(asked: { readonly path: string; readonly headers: Readonly<Record<string, string>> }): Promise<{
    readonly answer: IncomingMessage;
    readonly socket: Duplex | null;
    readonly head?: Buffer;
  }>;
}
interface LeafWays {
  /** Of all leaves that have joined. */
  names(): Promise<readonly string[]>;
  /** Null for one that no role of theirs selects. */
  find(who: Who, name: string): Promise<object | null>;
  /** Throws Failure cluster_offline, not_found. */
  reach(
    who: Who,
    name: string,
  ): Promise<{ readonly connection: Connection; readonly vouched: Readonly<Record<string, string>> }>;
}
export interface LeafApplicationParts extends Pick<JudgingParts, 'again' | 'barring'> {
  readonly leaves: LeafWays;
  /** Applications of our own: where one is, no leaf's is. */
  readonly targets: Pick<ApplicationTargets, 'at'>;
  /** Calls once when a web session is over; answers what stops that. */
  readonly watch: (session: Pick<Who, 'userId' | 'webSessionId'>, over: () => void) => () => void;
  readonly changes: Pick<Changes, 'subscribe'>;
  /** Address of the console. */
  readonly publicUrl: string;
}
/** Somebody at the host of a leaf's application. */
interface LeafVisit {
  who: Who;
  readonly leaf: string;
  readonly name: string;
  readonly streams: Set<{ destroy(): unknown }>;
  readonly end: () => void;
  judged: number;
  judgedAt: number;
}
export interface LeafApplications {
  /** Whether a leaf's application is, or may be, at a host of ours. */
  isAt(host: string): Promise<boolean>;
  /** Throws Failure not_found. */
  find(who: Who, host: string): Promise<{ readonly leaf: string; readonly name: string }>;
  /** Throws Failure not_found, cluster_offline. */
  launch(who: Who, host: string): Promise<Launched>;
  redeem(code: string, host: string): CookiePair | null;
  knows(pair: CookiePair, host: string): boolean;
  /** Their cookies open nothing any more, and the leaf ends the session. */
  leave(pair: CookiePair, host: string): void;
  visit(pair: CookiePair, host: string, from: string): Promise<LeafVisit | null>;
  /** Throws Failure, ConnectError. */
  passOn(request: IncomingMessage, response: ServerResponse, visit: LeafVisit, arrived: Arrived): Promise<void>;
  /** Throws Failure, ConnectError. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, visit: LeafVisit, arrived: Arrived): Promise<void>;
}

export function createLeafApplications(parts: LeafApplicationParts): LeafApplications {
  const { leaves, targets, again, barring, watch, publicUrl } = parts;
  const pairs = createPairs<LeafVisit>();
  /** By web session and host. */
  const visits = new Map<string, LeafVisit>();
  let changed = 0;
  parts.changes.subscribe(({ kind }) => {
    if (kind !== 'sessionChanged' && kind !== 'sessionEnded' && kind !== 'reviewsChanged') changed += 1;
  });
  let known: Promise<readonly string[]> | undefined;
  let knownAt = 0;
  function names(): Promise<readonly string[]> {
    if (!known || Date.now() - knownAt > FRESH_MS) {
      knownAt = Date.now();
      known = leaves.names();
      known.catch(() => {
        known = undefined;
      });
    }
    return known;
  }
  async function at(host: string) {
    const found = await leafApplicationAt(host, publicUrl, names);
    if (!found) return null;
    const isOwn = await targets.at(host).then(
      own => own !== null,
      (error: unknown) => {
        // One that cannot be read, or that browsers do not come to, is there all the same.
        if (error instanceof Failure) return true;
        throw error;
      },
    );
    return isOwn ? null : found;
  }

  async function find(who: Who, host: string) {
    const found = await at(host.toLowerCase());
    if (!found || !(await leaves.find(who, found.leaf))) throw new Failure('not_found', `"${host}" was not found`);
    return found;
  }
  function begin(who: Who, { leaf, name }: { readonly leaf: string; readonly name: string }, key: string): LeafVisit {
    const streams: LeafVisit['streams'] = new Set();
    const end = (): void => {
      forget();
      if (visits.get(key) === visit) visits.delete(key);
      pairs.forget(visit);
      for (const stream of streams) stream.destroy();
    };
    const visit: LeafVisit = { who, leaf, name, streams, end, judged: changed, judgedAt: Date.now() };
    const forget = watch(who, end);
    visits.set(key, visit);
    return visit;
  }
  /** Whether the person may go on, by what the store says now; the leaf judges the rest. */
  async function judge(visit: LeafVisit): Promise<boolean> {
    const seen = changed;
    try {
      visit.who = await again(visit.who);
      const { user, roles, mfaDevice, trustedDevice, rights } = visit.who;
      const subject = { user, roles, mfaDevices: [mfaDevice], device: trustedDevice?.id };
      if ((await barring(subject, rights.options.locking)) !== null) return false;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
    visit.judged = seen;
    visit.judgedAt = Date.now();
    return true;
  }
  async function ask({ who, leaf, name }: LeafVisit, request: IncomingMessage, { origin, from }: Arrived) {
    const { connection, vouched } = await leaves.reach(who, leaf);
    const headers = { ...carriedRecord(request), ...askedOfLeaf({ name, origin, from }), ...vouched, host: 'leaf' };
    return { connection, headers, path: request.url ?? '/' };
  }

  return {
    isAt: async host => (await at(host.toLowerCase())) !== null,
    find,
    async launch(who, asked) {
      const host = asked.toLowerCase();
      const found = await find(who, host);
      // Offline, it says so here and not on a page of its own.
      await leaves.reach(who, found.leaf);
      const key = `${who.webSessionId} ${host}`;
      return pairs.give(visits.get(key) ?? begin(who, found, key), host);
    },
    redeem: pairs.redeem,
    knows: (pair, host) => pairs.find(pair, host) !== null,
    leave(pair, host) {
      const visit = pairs.find(pair, host);
      if (!visit) return;
      visit.end();
      const { who, leaf, name } = visit;
      const left = { method: 'POST', path: LEAVE_PATH };
      leaves
        .reach(who, leaf)
        .then(({ connection, vouched }) =>
          connection.ask({
            ...left,
            headers: { ...askedOfLeaf({ name, origin: publicUrl, from: '' }), ...vouched, host: 'leaf' },
          }),
        )
        .then(
          answer => answer.destroy(),
          // A leaf that cannot be told ends it with the web session.
          () => undefined,
        );
    },
    async visit(pair, host, from) {
      const visit = pairs.find(pair, host);
      if (!visit || (visit.who.rights.options.pinSourceIp && !isSameHost(visit.who.remoteAddr, from))) return null;
      if (visit.judged === changed && Date.now() - visit.judgedAt < FRESH_MS) return visit;
      if (await judge(visit)) return visit;
      visit.end();
      return null;
    },
    async passOn(request, response, visit, arrived) {
      const ended = new AbortController();
      visit.streams.add(response);
      response.once('close', () => {
        visit.streams.delete(response);
        ended.abort();
      });
      const { connection, headers, path } = await ask(visit, request, arrived);
      const { method = 'GET' } = request;
      const hasBody = bodyFollows(request);
      const body = hasBody && { body: request };
      const answer = await connection.ask({ method, path, headers, ...body, signal: ended.signal });
      answer.once('error', () => response.destroy());
      answer.once('aborted', () => response.destroy());
      response.writeHead(answer.statusCode ?? 502, responseHeaders(answer.rawHeaders, null, arrived.origin));
      // Nobody knows when what has no length comes: a stream of events has begun all the same.
      if (!response.hasHeader('content-length')) response.flushHeaders();
      answer.pipe(response);
    },
    async upgrade(request, socket, head, visit, arrived) {
      const { connection, headers, path } = await ask(visit, request, arrived);
      const upgrade = { connection: 'Upgrade', upgrade: request.headers.upgrade ?? '' };
      const reached = await connection.upgrade({ path, headers: { ...headers, ...upgrade } });
      const { statusCode = 502, rawHeaders } = reached.answer;
      const far = reached.socket;
      if (far === null) {
        reached.answer.destroy();
        socket.end(`HTTP/1.1 ${statusCode} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
        return;
      }
      const both = {
        destroy() {
          visit.streams.delete(both);
          socket.destroy();
          far.destroy();
        },
      };
      visit.streams.add(both);
      for (const side of [socket, far]) {
        side.on('error', both.destroy);
        side.on('close', both.destroy);
      }
      if (socket.destroyed) return both.destroy();
      const said = responseHeaders(rawHeaders, null, arrived.origin, true);
      let lines = `HTTP/1.1 ${statusCode} Switching Protocols\r\n`;
      for (let next = 0; next < said.length; next += 2) lines += `${said[next]}: ${said[next + 1]}\r\n`;
      socket.write(`${lines}\r\n`, 'latin1');
      if (reached.head && reached.head.length > 0) socket.write(reached.head);
      if (head.length > 0) far.write(head);
      socket.pipe(far);
      far.pipe(socket);
    },
  };
}

const bodyFollows = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined;
/** What the browser sent, each name once. */
function carriedRecord(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [given, value] of carriedHeaders(request.rawHeaders, bodyFollows(request))) {
    const name = given.toLowerCase();
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  // Without a length it is sent in pieces, as it came.
  return headers;
}
