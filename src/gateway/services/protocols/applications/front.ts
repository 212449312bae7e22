// The hosts of applications, in front of the console: whoever asks there is known by a cookie of that host, is sent to the console for one,
// or is refused; everything else is passed on.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { AWS_ROLE_QUERY } from '../../../../contract/applications.ts';
import { Failure } from '../../../../contract/failure.ts';
import { ConnectError } from '../../../ports/reach.ts';
import { newSecret, sameSecret } from '../../secrets.ts';
import type { AwsFederation } from './aws-federation.ts';
import type { ApplicationEntrance, Visit } from './entrance.ts';
import { cookies } from './headers.ts';
import type { LeafApplications } from './leaf-applications.ts';
import { ownAddress } from './own-address.ts';
import { pageOf } from './page.ts';
import type { CookiePair } from './pairs.ts';
import { passOn } from './pass-on.ts';
import type { ApplicationTargets } from './targets.ts';
import { upgrade } from './upgrade.ts';
import { LEAVE_PATH } from './visitor-front.ts';

/** Where the console hands a browser over. */
const HAND_OVER_PATH = '/x-postern-auth';
/** A browser that was sent to the console may take this long to come back, seconds: somebody may have to sign in first. */
const STATE_SECONDS = 600;

export interface FrontParts {
  readonly targets: ApplicationTargets;
  readonly entrance: ApplicationEntrance;
  /** Applications of leaf clusters, at hosts of ours. */
  readonly ofLeaves: LeafApplications;
  readonly federation: AwsFederation;
  /** Address of the console. */
  readonly publicUrl: string;
  /** The last hop of X-Forwarded-For is believed; connections are the proxy's own, whatever hosts it passes on over them. */
  readonly trustProxy: boolean;
  readonly report: (problem: string, error: unknown) => void;
}
export interface ApplicationFront {
  /** Whether a request is for an application's host, which is then answered here; asked before anything else sees it. */
  takes(request: IncomingMessage): boolean | Promise<boolean>;
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export function createApplicationFront(parts: FrontParts): ApplicationFront {
  const { targets, entrance, ofLeaves, report } = parts;
  const console_ = new URL(parts.publicUrl);
  const originOf = (host: string): string => {
    const origin = new URL(console_.origin);
    origin.hostname = host;
    return origin.origin;
  };
  const fromOf = (request: IncomingMessage): string => {
    const last =
      String(request.headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)
        ?.trim() ?? '';
    return parts.trustProxy && isIP(last) !== 0 ? last : (request.socket.remoteAddress ?? '');
  };

  /**
   * Whether its TLS connection was opened for another host. Browsers do that with HTTP/2 alone, which the gateway does not speak: here, a
   * connection is for one host, and whoever asks for another leads those astray who tell hosts apart by what TLS says.
   */
  const isMisdirected = (request: IncomingMessage): boolean => {
    const name = serverName(request);
    return name !== '' && name !== hostOf(request) && !parts.trustProxy;
  };
  const refusalOf = (request: IncomingMessage): Refusal | null =>
    malformed(request) ?? (isMisdirected(request) ? MISDIRECTED : null);
  function isApplications(host: string): boolean | Promise<boolean> {
    if (host === console_.hostname || host === '' || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return false;
    if (targets.isBelow(host)) return true;
    return targets.at(host).then(
      app => app !== null,
      // One that cannot be read is an application all the same; where it cannot be known, nobody answers.
      (error: unknown) => {
        if (error instanceof Failure) return true;
        throw error;
      },
    );
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = hostOf(request);
    const refused = refusalOf(request);
    if (refused) return pageOf(response, refused.status, refused.text);
    const [path = '/', ...query] = (request.url ?? '/').split('?');
    if (path === HAND_OVER_PATH) return handOver(request, response, host, new URLSearchParams(query.join('?')));
    const pair = pairOf(request);
    if (path === LEAVE_PATH) {
      entrance.leave(pair, host);
      ofLeaves.leave(pair, host);
      response.setHeader('set-cookie', [cleared(cookies.value), cleared(cookies.subject)]);
      return pageOf(response, 200, 'You have left the application.');
    }
    const visit = await entrance.visit(pair, host, fromOf(request));
    if (visit?.app.awsRole !== undefined) return toAws(request, response, host, visit, visit.app.awsRole);
    const arrived = { origin: originOf(host), from: fromOf(request) };
    if (visit) return passOn(request, response, visit, arrived);
    const atLeaf = await ofLeaves.visit(pair, host, arrived.from);
    if (atLeaf) return ofLeaves.passOn(request, response, atLeaf, arrived);
    return sendToConsole(request, response, host);
  }

  /** The AWS console is not passed through: a browser is signed in there, as the role of its session. */
  async function toAws(
    request: IncomingMessage,
    response: ServerResponse,
    host: string,
    visit: Visit,
    role: string,
  ): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    const asked = new URLSearchParams(path.split('?')[1]).get(AWS_ROLE_QUERY);
    // Whoever wants another role needs another session.
    if (method !== 'GET' || (asked !== null && asked !== role)) return sendToConsole(request, response, host);
    const began = performance.now();
    const closed = visit.session.opened();
    let status = 502;
    try {
      const location = await parts.federation.address(visit.who, visit.app.uri, role);
      status = 302;
      response.writeHead(status, { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).end();
    } finally {
      closed();
      visit.session.requested({ method, path, status, bytes: 0, took: Math.round((performance.now() - began) * 1000) });
    }
  }

  /** A page is had by way of the console; what a page fetches is not. */
  async function sendToConsole(request: IncomingMessage, response: ServerResponse, host: string): Promise<void> {
    const mode = request.headers['sec-fetch-mode'];
    const isPage = /^(GET|HEAD)$/.test(request.method ?? '') && (mode === undefined || mode === 'navigate');
    if (!isPage) return pageOf(response, 403, 'You are not in this application (any more): load the page again.');
    if (!(await targets.at(host)) && !(await ofLeaves.isAt(host)))
      return pageOf(response, 404, 'There is no application at this address.');
    const state = newSecret();
    const to = new URL(`/web/launch/${encodeURIComponent(host)}`, console_);
    to.search = new URLSearchParams({ state, path: request.url ?? '/' }).toString();
    response
      .writeHead(302, {
        location: to.href,
        'set-cookie': `${cookieLine(cookies.state, state)}; Max-Age=${STATE_SECONDS}`,
        'cache-control': 'no-store',
      })
      .end();
  }

  /** Both ways of the console to hand a browser over: it goes there itself with a code, or the console's page posts its cookies. */
  async function handOver(
    request: IncomingMessage,
    response: ServerResponse,
    host: string,
    query: URLSearchParams,
  ): Promise<void> {
    response.setHeader('cache-control', 'no-store');
    if (request.method === 'GET') return redeem(request, response, host, query);
    const shared = {
      'access-control-allow-origin': console_.origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'x-cookie-value, x-subject-cookie-value',
      vary: 'Origin',
    };
    if (request.headers.origin !== console_.origin)
      return pageOf(response, 403, 'Only the console hands browsers over.');
    for (const [name, value] of Object.entries(shared)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const pair = {
      value: String(request.headers['x-cookie-value'] ?? ''),
      subject: String(request.headers['x-subject-cookie-value'] ?? ''),
    };
    if (request.method !== 'POST' || !(entrance.knows(pair, host) || ofLeaves.knows(pair, host)))
      return pageOf(response, 403, 'These cookies are not for this application.');
    response.setHeader('set-cookie', linesOf(pair));
    response.writeHead(200).end();
  }
  async function redeem(
    request: IncomingMessage,
    response: ServerResponse,
    host: string,
    query: URLSearchParams,
  ): Promise<void> {
    const state = cookieOf(request.headers.cookie, cookies.state);
    // Whoever has another's code has not their browser: no page of anybody else's makes this one somebody.
    if (state === '' || !sameSecret(state, query.get('state') ?? ''))
      return pageOf(
        response,
        403,
        'This browser did not ask for that, or keeps no cookies: open the application again.',
      );
    const code = query.get('code') ?? '';
    const pair = entrance.redeem(code, host) ?? ofLeaves.redeem(code, host);
    if (!pair) return pageOf(response, 403, 'This way in was used already, or is too old: open the application again.');
    response.setHeader('set-cookie', [...linesOf(pair), cleared(cookies.state)]);
    response.setHeader('referrer-policy', 'no-referrer');
    response.writeHead(303, { location: ownAddress(query.get('path') ?? '/', originOf(host)) }).end();
  }

  async function answerUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const host = hostOf(request);
    const origin = originOf(host);
    // Browsers send cookies along with a socket from any page: only the application's own may open one.
    const isOwn = request.headers.origin === undefined || request.headers.origin === origin;
    const pair = pairOf(request);
    const arrived = { origin, from: fromOf(request) };
    const mayOpen = isOwn && !malformed(request) && !isMisdirected(request);
    const visit: Visit | null = mayOpen ? await entrance.visit(pair, host, arrived.from) : null;
    const atLeaf = mayOpen && !visit ? await ofLeaves.visit(pair, host, arrived.from) : null;
    if (visit && visit.app.awsRole === undefined) await upgrade(request, socket, head, visit, arrived);
    else if (atLeaf) await ofLeaves.upgrade(request, socket, head, atLeaf, arrived);
    else {
      const refused = isMisdirected(request) ? '421 Misdirected Request' : '403 Forbidden';
      socket.end(`HTTP/1.1 ${refused}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    }
  }

  return {
    takes(request) {
      const asked = isApplications(hostOf(request));
      // Also what asks the console over a connection that was opened for an application.
      if (asked === true || !isMisdirected(request)) return asked;
      const named = isApplications(serverName(request));
      return named === true || Promise.all([asked, named]).then(found => found.includes(true));
    },
    request(request, response) {
      answer(request, response).catch((error: unknown) => {
        const isKnown = error instanceof Failure || error instanceof ConnectError;
        if (!isKnown) report('a request to an application failed', error);
        if (response.headersSent) response.destroy();
        else pageOf(response, 502, isKnown ? error.message : 'The gateway could not pass this on.');
      });
    },
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      answerUpgrade(request, socket, head).catch(() => socket.destroy());
    },
  };
}

/** Host of a request in lower case, without its port. */
const hostOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').toLowerCase().replace(/:\d*$/, '');

/** The host that its TLS connection was opened for, in lower case; '' without TLS, and of clients that say none. */
function serverName({ socket }: IncomingMessage): string {
  const name = socket instanceof TLSSocket ? (socket as unknown as ServerSide).servername : false;
  return name ? name.toLowerCase() : '';
}
/** What the server's side of a connection knows; the types of Node leave it out. */
interface ServerSide {
  readonly servername: string | false;
}

interface Refusal {
  readonly status: number;
  readonly text: string;
}
/** RFC 9110, section 15.5.20. */
const MISDIRECTED: Refusal = {
  status: 421,
  text: 'This connection was opened for another host than the one that is asked for now: open a new one.',
};
/** What no browser sends to an application: each would be read otherwise by somebody on the way. */
function malformed(request: IncomingMessage): Refusal | null {
  const { rawHeaders, url = '', method } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  if (hosts !== 1) return { status: 400, text: 'One host is needed.' };
  if (!url.startsWith('/')) return { status: 400, text: 'The address of a request begins with a slash.' };
  // It would answer with what the gateway adds.
  if (method === 'TRACE') return { status: 405, text: 'TRACE is not passed on.' };
  return null;
}

const pairOf = ({ headers }: IncomingMessage): CookiePair => ({
  value: cookieOf(headers.cookie, cookies.value),
  subject: cookieOf(headers.cookie, cookies.subject),
});
/** Value of a cookie; '' where it is missing, or there twice. */
function cookieOf(header: string | undefined, name: string): string {
  const found = (header ?? '').split(';').flatMap(one => {
    const [key = '', value = ''] = one.trim().split('=', 2);
    return key === name ? [value] : [];
  });
  return found.length === 1 ? (found[0] ?? '') : '';
}
const cookieLine = (name: string, value: string): string => `${name}=${value}; Path=/; HttpOnly; Secure; SameSite=Lax`;
const cleared = (name: string): string => `${cookieLine(name, '')}; Max-Age=0`;
const linesOf = ({ value, subject }: CookiePair): string[] => [
  cookieLine(cookies.value, value),
  cookieLine(cookies.subject, subject),
];
