// The one answer of a browser to the program that sent it away: a listener on the loopback for as long as that takes (RFC 8252, section 7.3).
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { Refused } from '../verb.ts';

/** A person has this long in the browser, ms; the gateway waits no longer. */
const AWAY_MOST_MS = 300_000;
const STATE_BYTES = 32;
const PATH = '/callback';

export interface Loopback {
  /** Where the browser is to come back to: `http://127.0.0.1:PORT/callback`. */
  readonly address: string;
  /** What it must bring back beside the answer. */
  readonly state: string;
  /** The query that it came back with. Throws Refused when nobody came in time. */
  readonly answer: Promise<URLSearchParams>;
  /** Listens no longer; nothing happens the second time. */
  close(): void;
}

/** Listens on a free port; whoever has answered is led to `after`. */
export async function openLoopback(after: string, awayMostMs = AWAY_MOST_MS): Promise<Loopback> {
  const state = randomBytes(STATE_BYTES).toString('hex');
  const { promise: answer, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  // Whoever has gone already awaits it no more.
  answer.catch(() => undefined);
  const server = createServer({ requestTimeout: 10_000 }, (request, reply) => {
    const url = URL.parse(request.url ?? '', address);
    // By its number alone: a name of somebody else's that leads here is a page of theirs.
    const isHere =
      request.method === 'GET' && url?.pathname === PATH && `http://${request.headers.host}${PATH}` === address;
    if (url === null || !isHere || !isSame(url.searchParams.get('state') ?? '', state)) {
      reply.writeHead(400, { 'content-type': 'text/plain', connection: 'close' }).end('Nobody waits for this here.\n');
      return;
    }
    const headers = {
      location: after,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    };
    reply.writeHead(302, headers).end(() => {
      close();
      resolve(url.searchParams);
    });
  });
  server.maxConnections = 16;
  await new Promise<void>((done, fail) => {
    server.once('error', error => fail(new Refused(`no port of this machine could be opened: ${error.message}`)));
    server.listen(0, '127.0.0.1', done);
  });
  const bound = server.address();
  const address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}${PATH}`;
  const timer = setTimeout(() => {
    close();
    reject(new Refused(`nobody came back from the browser within ${awayMostMs / 60_000} minutes: try again`));
  }, awayMostMs);
  const close = (): void => {
    clearTimeout(timer);
    server.close();
    server.closeIdleConnections();
  };
  return { address, state, answer, close };
}

const isSame = (given: string, wanted: string): boolean =>
  given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
