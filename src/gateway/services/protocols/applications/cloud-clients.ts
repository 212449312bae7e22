// The APIs of clouds for people's own tools: HTTP over a connection whose certificate says whose it is and as whom. Each request is judged, gets a
// token that nobody but the cloud sees, and goes to the cloud's own hosts alone.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type CloudProvider, cloudOf, cloudWords, isCloudIdentity } from '../../../../contract/cloud-applications.ts';
import { Failure } from '../../../../contract/failure.ts';
import { FACTOR_MISSING } from '../../../../contract/mfa.ts';
import { createServer } from '../../../../node/http.ts';
import type { ApplicationSession, ApplicationTarget, OpenApplication } from '../../../ports/applications.ts';
import type { Changes } from '../../../ports/changes.ts';
import type { Reach } from '../../../ports/reach.ts';
import type { Who } from '../../../ports/who.ts';
import type { Resources } from '../../../store/store.ts';
import { cloudIdentitiesOf } from '../../cloud-identities.ts';
import { isSameHost } from '../../same-host.ts';
import type { CloudClient, CloudClients } from '../cloud-door.ts';
import { PROVEN_LIFE_MS } from '../person-certificates.ts';
import { cloudAnswerHeaders, cloudRequestHeaders } from './cloud-headers.ts';
import { type CloudHosts, type CloudPlace, cloudPlace, patternOf } from './cloud-hosts.ts';
import { type CloudTokens, createCloudTokens } from './cloud-tokens.ts';
import { type ApplicationConnection, connectTo } from './connection.ts';
import { type JudgingParts, refusalNow } from './judging.ts';
import { pass } from './pass-on.ts';

/** The head of a request is there within this time, ms; a body and an answer may take as long as they do. */
const HEAD_MS = 15_000;
const HEADERS_MOST_BYTES = 64 * 1024;
/** Hosts that one session is connected to at once: the one that was asked least recently makes room. */
const HOSTS_MOST = 16;
/** Sessions that gateway holds at once, of all people. */
const SESSIONS_MOST = 5000;
/** A session is held against the store again this often, and whenever something has changed, ms. */
const JUDGED_MS = 1000;

/** Settings of an installation. */
export interface CloudSettings {
  /** Address of the metadata service of the gateway's machine. */
  readonly metadata: string;
  readonly hosts: Readonly<Record<CloudProvider, CloudHosts>>;
  /** Where a host of a cloud is; its own address unless said. */
  readonly at?: (host: string) => URL;
}
export interface CloudClientParts extends JudgingParts {
  readonly resources: Pick<Resources, 'get'>;
  readonly sessions: {
    passOn(request: OpenApplication): Promise<ApplicationSession>;
    forbid(sid: string, why: string): boolean;
  };
  readonly reach: Pick<Reach, 'stream'>;
  readonly changes: Pick<Changes, 'subscribe'>;
  readonly clouds: CloudSettings;
  /** Writes down that somebody may not. */
  readonly refused: (
    wish: { readonly who: Who; readonly device?: string; readonly application: ApplicationTarget },
    why: string,
  ) => Promise<void>;
  readonly clock: () => Date;
  readonly report: (problem: string, error: unknown) => void;
}
interface Entry {
  readonly session: ApplicationSession;
  readonly provider: CloudProvider;
  readonly connections: Map<string, Promise<ApplicationConnection>>;
  readonly streams: Set<{ destroy(): unknown }>;
  who: Who;
  app: ApplicationTarget;
  judged: number;
  judgedAt: number;
}

export function createCloudClients(parts: CloudClientParts): CloudClients {
  const { resources, sessions, clouds, clock } = parts;
  const at = clouds.at ?? (host => new URL(`https://${host}`));
  const tokens: CloudTokens = createCloudTokens({ metadata: clouds.metadata, at, clock });
  const clients = new WeakMap<Duplex, CloudClient>();
  /** By the session that a certificate is for. */
  const entries = new Map<string, Promise<Entry>>();
  /** Counts what has changed: whoever was judged before is judged anew. */
  let changed = 0;
  parts.changes.subscribe(({ kind }) => {
    if (kind !== 'sessionChanged' && kind !== 'sessionEnded' && kind !== 'reviewsChanged') changed += 1;
  });

  async function targetOf(name: string, identity: string): Promise<ApplicationTarget | null> {
    const found = await resources.get('app', name);
    const { uri = '' } = (found?.spec ?? {}) as { readonly uri?: string };
    return found && { name, uri, publicAddr: '', labels: found.labels, cloudIdentity: identity };
  }
  async function begin(key: string, { identity: shown, remoteAddr }: CloudClient): Promise<Entry> {
    const { userId, webSessionId, target: name, device, chosen = '' } = shown;
    const who = await parts.again({ userId, webSessionId, remoteAddr });
    const app = await targetOf(name, chosen);
    const provider = app && cloudOf(app.uri);
    if (!app || !provider || !who.rights.selects('app', app.labels))
      throw new Failure('not_found', `"${name}" was not found`);
    // A second factor is shown for one session, that begins then.
    const made = Number(shown.session?.split('.')[0] ?? 0);
    if (who.rights.options.sessionFactor && clock().getTime() - made > PROVEN_LIFE_MS)
      throw new Failure('denied', `Your session in ${name} is over: run postern proxy app ${name} again.`);
    if (entries.size > SESSIONS_MOST) throw new Failure('limited', 'the gateway has too many of these sessions');
    const connections: Entry['connections'] = new Map();
    const streams: Entry['streams'] = new Set();
    const session = await sessions.passOn({
      who,
      ...(device !== '' && { device }),
      application: app,
      hangUp() {
        // Its certificate may have begun another by then.
        const kept = entries.get(key);
        kept?.then(
          one => void (one.connections === connections && entries.get(key) === kept && entries.delete(key)),
          () => undefined,
        );
        for (const one of connections.values())
          one.then(
            connection => connection.close(),
            () => undefined,
          );
        for (const stream of streams) stream.destroy();
      },
    });
    return { session, provider, connections, streams, who, app, judged: changed, judgedAt: Date.now() };
  }
  /** The session that a certificate is for: the one there is, or a new one. Throws Failure. */
  async function enter(client: CloudClient): Promise<Entry> {
    const key = client.identity.session ?? '';
    const running = await entries.get(key);
    if (running && !running.session.over) {
      await judge(running, client);
      return running;
    }
    const beginning = entries.get(key) ?? begin(key, client);
    entries.set(key, beginning);
    try {
      const entry = await beginning;
      if (entry.session.over) throw new Failure('denied', 'Your session is over.');
      return entry;
    } catch (error) {
      if (entries.get(key) === beginning) entries.delete(key);
      throw error;
    }
  }
  /** Throws Failure denied when the person may not go on, by what the store says now. */
  async function judge(entry: Entry, { identity: { device }, remoteAddr }: CloudClient): Promise<void> {
    if (entry.judged !== changed || Date.now() - entry.judgedAt >= JUDGED_MS) {
      const seen = changed;
      const why = await refusalNow(parts, entry, async ({ name, uri, cloudIdentity = '' }) => {
        const now = await targetOf(name, cloudIdentity);
        return now?.uri === uri ? now : null;
      });
      if (why !== null) {
        sessions.forbid(entry.session.sid, why);
        throw new Failure('denied', why);
      }
      entry.judged = seen;
      entry.judgedAt = Date.now();
    }
    if (entry.who.rights.options.pinSourceIp && !isSameHost(entry.who.remoteAddr, remoteAddr))
      throw new Failure('denied', 'Your roles bind your sign-in to the address that it was made from (pin_source_ip).');
    if (device === '' && entry.who.rights.options.sessionFactor) throw new Failure('denied', FACTOR_MISSING);
  }
  async function connectionTo(entry: Entry, host: string): Promise<ApplicationConnection> {
    const { connections, app } = entry;
    const kept = connections.get(host);
    connections.delete(host);
    for (const [oldest, one] of connections)
      if (connections.size >= HOSTS_MOST) {
        connections.delete(oldest);
        one.then(
          connection => connection.close(),
          () => undefined,
        );
      }
    const url = at(host);
    const made =
      kept ??
      connectTo(
        parts.reach,
        { ...app, url, labels: {}, headers: [], redirects: [], authorities: null },
        () => entry.who.rights.options.reachLoopback,
      );
    connections.set(host, made);
    return made;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const client = clients.get(request.socket);
    if (!client) return void request.socket.destroy();
    const refuse = (status: number, text: string): void => refuseWith(response, status, text);
    try {
      const place = placeOf(request);
      const entry = await enter(client);
      const { session, streams, provider, app } = entry;
      const hosts = clouds.hosts[provider];
      const pattern = patternOf(place.host, hosts);
      if (pattern === undefined)
        throw new Failure(
          'denied',
          `${place.host} is none of the hosts of ${cloudWords[provider].cloud} that the gateway goes to: ${hosts.join(', ')}`,
        );
      const audience = provider === 'azure' ? `https://${pattern.replace(/^\*\./, '')}` : '';
      const as = app.cloudIdentity ?? '';
      const token = await tokens.token(provider, as, audience);
      if (session.over) throw new Failure('denied', 'Your session is over.');
      const { pool } = await connectionTo(entry, place.host);
      await pass(request, response, {
        ...{ session, streams, pool, path: place.path, told: `/${place.host}${place.path}`, name: place.host, refuse },
        headers: hasBody => cloudRequestHeaders(request.rawHeaders, place.host, token, hasBody),
        answered(raw, status) {
          if (status === 401) tokens.forget(provider, as, audience);
          return cloudAnswerHeaders(raw, place, hosts);
        },
      });
    } catch (error) {
      if (error instanceof Failure) return refuse(statuses[error.code] ?? 403, error.message);
      parts.report('a request to the API of a cloud failed', error);
      refuse(500, 'something went wrong at the gateway');
    }
  }
  const server = createServer({ headersTimeout: HEAD_MS, requestTimeout: 0, maxHeaderSize: HEADERS_MOST_BYTES });
  server.on('request', (request, response) => void answer(request, response));
  server.on('connect', (_request, socket) =>
    socket.end('HTTP/1.1 405 Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  );

  return {
    async choose(who, { provider, application }, asked, device) {
      const { identity: kind, key, flag } = cloudWords[provider];
      const other = provider === 'azure' ? 'gcp' : 'azure';
      const { name, labels } = application;
      if (asked[other] !== undefined)
        throw new Failure('bad_request', `${name} is used as ${kind}: say which by ${flag}`);
      const [only, ...more] = cloudIdentitiesOf(who.rights, provider, labels);
      const identity = asked[provider] ?? (more.length === 0 ? only : undefined);
      if (identity === undefined && only !== undefined)
        throw new Failure(
          'bad_request',
          `${name} is used as ${kind}: say which by ${flag}. Your roles give ${[only, ...more].slice(0, 10).join(', ')}`,
        );
      if (identity === undefined)
        throw new Failure('denied', `None of your roles gives you ${kind} in ${name} (${key}).`);
      if (!isCloudIdentity(provider, identity))
        throw new Failure('bad_request', `"${identity}" is no ${kind.replace(/^a /, '')}`);
      const wanted = { ...application, cloudIdentity: identity };
      const why = parts.refusal(who.rights, wanted);
      if (why !== null) {
        await parts.refused({ who, ...(device !== '' && { device }), application: wanted }, why);
        throw new Failure('denied', why);
      }
      return {
        provider,
        identity,
        route: { [provider === 'azure' ? 'azure_identity' : 'gcp_service_account']: identity },
      };
    },
    take(socket, client) {
      clients.set(socket, client);
      socket.write('\n');
      server.emit('connection', socket);
    },
    async probe(provider, identity) {
      await tokens.probe(provider);
      const [first = ''] = clouds.hosts[provider];
      if (identity !== undefined) await tokens.token(provider, identity, `https://${first.replace(/^\*\./, '')}`);
    },
  };
}

/** HTTP's word for why not; 403 for all others. */
const statuses: Readonly<Partial<Record<Failure['code'], number>>> = {
  ...{ bad_request: 400, not_found: 404, signed_out: 401, unreachable: 502, limited: 429, unsupported: 405 },
};

/** Where a request goes. Throws Failure for what no tool of a cloud asks. */
function placeOf({ method, url = '', headers }: IncomingMessage): CloudPlace {
  // It would answer with the token.
  if (method === 'TRACE') throw new Failure('unsupported', 'TRACE is not passed on');
  // Any page could ask a port of the machine that its browser is on. Node's own `fetch` names a mode too, and no site.
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw new Failure('denied', 'browsers are not let in here: this is for tools, such as curl');
  const place = cloudPlace(url, headers.host ?? '');
  if (!place)
    throw new Failure(
      'bad_request',
      'the path begins with a host of the cloud, such as /management.azure.com/subscriptions',
    );
  return place;
}

/** As both clouds word what they refuse. */
function refuseWith(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  const body = `${JSON.stringify({ error: { code: status, status: 'REFUSED_BY_GATEWAY', message } })}\n`;
  // What is left of a body that nobody reads would be taken for the next request.
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(body);
}
