// Applications of this cluster for people of a root: what their browsers ask at a host of the root comes over its tunnel, already vouched for.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../../../contract/failure.ts';
import { ConnectError } from '../../../ports/reach.ts';
import type { AskedSessions, Visit as RootVisit, Who } from '../../../ports/who.ts';
import type { Visit } from './entrance.ts';
import { pageOf } from './page.ts';
import { passOn } from './pass-on.ts';
import { upgrade } from './upgrade.ts';

/** Asked by a root where somebody has left the application; no application is asked it. */
export const LEAVE_PATH = '/x-postern-logout';
/** Name of the application, the origin that the browser knows it by, and the address that the browser comes from. */
const NAME_HEADER = 'postern-application';
const ORIGIN_HEADER = 'postern-origin';
const FROM_HEADER = 'postern-from';

/** What a root says of a request for an application. */
interface Asked {
  readonly name: string;
  readonly origin: string;
  readonly from: string;
}
export const askedOfLeaf = ({ name, origin, from }: Asked): Readonly<Record<string, string>> => ({
  [NAME_HEADER]: name,
  [ORIGIN_HEADER]: origin,
  [FROM_HEADER]: from,
});

export interface VisitorFrontParts {
  readonly entrance: {
    enter(who: Who, name: string): Promise<Visit>;
    leaveAs(who: Who, name: string): void;
  };
  readonly authenticate: AskedSessions['authenticate'];
  readonly report: (problem: string, error: unknown) => void;
}
export interface VisitorFront {
  /** Whether a root asks for an application. */
  takes(request: IncomingMessage): boolean;
  /** `visit`: who asks; it rejects with Failure for nobody. */
  request(request: IncomingMessage, response: ServerResponse, visit: Promise<RootVisit>): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, visit: Promise<RootVisit>): void;
}

export function createVisitorFront({ entrance, authenticate, report }: VisitorFrontParts): VisitorFront {
  async function entered(request: IncomingMessage, coming: Promise<RootVisit>) {
    const visit = await coming;
    const { name, origin, from } = readAsked(request);
    const who = await authenticate({ cookie: undefined, bearer: undefined, remoteAddr: `${from}:0`, visit });
    return { who, name, arrived: { origin, from } };
  }
  async function answer(request: IncomingMessage, response: ServerResponse, visit: Promise<RootVisit>): Promise<void> {
    const { who, name, arrived } = await entered(request, visit);
    if (request.url === LEAVE_PATH) {
      entrance.leaveAs(who, name);
      return void response.writeHead(204).end();
    }
    return passOn(request, response, await entrance.enter(who, name), arrived);
  }
  return {
    takes: ({ headers }) => headers[NAME_HEADER] !== undefined,
    request(request, response, visit) {
      answer(request, response, visit).catch((error: unknown) => {
        const isKnown = error instanceof Failure || error instanceof ConnectError;
        if (!isKnown) report('a request to an application failed', error);
        const status = error instanceof Failure ? (error.code === 'not_found' ? 404 : 403) : 502;
        pageOf(response, status, isKnown ? error.message : 'The gateway of the cluster could not pass this on.');
      });
    },
    upgrade(request, socket, head, visit) {
      entered(request, visit)
        .then(async ({ who, name, arrived }) =>
          upgrade(request, socket, head, await entrance.enter(who, name), arrived),
        )
        .catch(() => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'));
    },
  };
}

/** Throws Failure bad_request for what no gateway of a root says. */
function readAsked({ headers }: IncomingMessage): Asked {
  const [name = '', origin = '', from = ''] = [NAME_HEADER, ORIGIN_HEADER, FROM_HEADER].map(one =>
    String(headers[one] ?? ''),
  );
  const isOrigin = /^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  if (!isOrigin) throw new Failure('bad_request', 'the root cluster did not say at which address its browser is');
  return { name, origin, from };
}
