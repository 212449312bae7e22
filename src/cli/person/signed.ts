// A signed-in session in use: the client of the web API with the session's file for its storage.
import { createHash, randomBytes } from 'node:crypto';
import { type ApiPorts, bearerHeaders, createApi, createFileApi, type FileApi } from '../../client/api.ts';
import { readPageToken } from '../../client/page-token.ts';
import { createTokenKeeper, RENEW_BELOW_MS } from '../../client/session.ts';
import type { MakeCall } from '../../contract/call.ts';
import { ApiError } from '../../contract/failure.ts';
import {
  CSRF_COOKIE,
  getUserContext,
  renewSession,
  SESSION_COOKIE,
  type SessionReply,
} from '../../contract/session.ts';
import { Refused } from '../verb.ts';
import { cookieSet, type GatewayAnswer, metaOf, pageText, send } from './http.ts';
import { neededSession, readSession, type Signed, writeSession } from './session-file.ts';

const PAGE = '/web/login';
const VERIFIER_BYTES = 32;
const CSRF_BYTES = 32;

export interface Session {
  readonly url: string;
  readonly user: string;
  /** Makes a call with a token that has time left. Throws ApiError, and Refused when the session is over. */
  readonly call: MakeCall;
  /** The same for a call whose answer is a file. */
  readonly file: FileApi<GatewayAnswer>;
  /** A bearer token that lasts until a socket is open. Throws as `call` does. */
  bearer(): Promise<string>;
  /** The Cookie header of the session. */
  cookies(): string;
}

const cookiesOf = ({ cookie, csrf }: Pick<Signed, 'cookie' | 'csrf'>): string =>
  `${CSRF_COOKIE}=${csrf}${cookie === '' ? '' : `; ${SESSION_COOKIE}=${cookie}`}`;

/** Sends with the cookies of a session, and hands on the session cookie that the gateway gives. */
const sending =
  (url: string, cookies: () => string, given: (cookie: string) => void): ApiPorts<GatewayAnswer>['send'] =>
  async (path, request) => {
    const answer = await send(url, path, { ...request, headers: { ...request.headers, Cookie: cookies() } });
    const cookie = cookieSet(answer, SESSION_COOKIE);
    if (cookie !== undefined && cookie !== '') given(cookie);
    return answer;
  };

/** A secret that stays here, and what may be shown of it: whoever brings the first is who showed the second (as in RFC 7636). */
export function newVerifier(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(VERIFIER_BYTES).toString('hex');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('hex') };
}

/** A gateway before anyone is signed in. */
export interface Entrance {
  readonly url: string;
  readonly call: MakeCall;
  /** The session that an answer has opened, of whoever the gateway says it is. Throws ApiError, also when no cookie came with it. */
  opened(reply: SessionReply): Promise<Signed>;
}

/** Opens the way to a gateway's public calls, keeping the cookie that one of them may give. */
export function openEntrance(url: string): Entrance {
  // The proof is that cookie and header say the same: whoever is no browser may choose what.
  const csrf = randomBytes(CSRF_BYTES).toString('hex');
  let cookie = '';
  let bearer: string | undefined;
  const call = createApi({
    credentials: () => bearerHeaders(bearer, csrf),
    send: sending(
      url,
      () => cookiesOf({ cookie, csrf }),
      given => {
        cookie = given;
      },
    ),
  });
  return {
    url,
    call,
    async opened(reply) {
      if (cookie === '') throw new ApiError('unknown', `${url} gave no session cookie`);
      bearer = reply.token;
      const { userName } = await call(getUserContext, { params: { clusterId: '-current-' } });
      return {
        version: 1,
        url,
        user: userName,
        cookie,
        csrf,
        bearer: reply.token,
        bearerEnds: Date.now() + reply.expires_in * 1000,
        sessionEnds: Date.parse(reply.sessionExpires),
      };
    },
  };
}

/** Takes up the session of a file, which is written anew whenever the session is renewed. Throws Refused. */
export function resumeSession(path: string): Session {
  let last = neededSession(path);
  const { url, user } = last;
  const over = (): Refused =>
    new Refused(
      `your session has ended: sign in again with ${`postern sign-in --url ${url} ${last.flags ?? `--user ${user}`}`.trim()}`,
    );
  const isOurs = (now: Signed | null): now is Signed => now?.url === url && now.user === user;
  /** What another command has renewed meanwhile counts; what it has signed in to anew is another session. */
  const signed = (): Signed => {
    const now = readSession(path);
    if (now === null) throw over();
    if (isOurs(now)) last = now;
    return last;
  };
  const change = (more: Partial<Signed>): void => {
    const now = readSession(path);
    last = { ...(isOurs(now) ? now : last), ...more };
    if (isOurs(now)) writeSession(path, last);
  };

  const sendSigned = sending(
    url,
    () => cookiesOf(signed()),
    cookie => change({ cookie }),
  );
  const tokens = createTokenKeeper({
    now: Date.now,
    token: {
      read: () => {
        const { bearer, bearerEnds, sessionEnds } = signed();
        return {
          accessToken: bearer,
          // The file says when the token ends, which is its life counted from the beginning of time.
          created: 0,
          expiresIn: bearerEnds / 1000,
          sessionExpires: new Date(sessionEnds).toISOString(),
          sessionInactiveTimeout: 0,
        };
      },
      write: ({ accessToken, created, expiresIn, sessionExpires }) =>
        change({
          bearer: accessToken,
          bearerEnds: created + expiresIn * 1000,
          sessionEnds: Date.parse(sessionExpires),
        }),
    },
    renew,
  });
  const credentials = async (): Promise<Record<string, string>> =>
    bearerHeaders(await tokens.bearer(RENEW_BELOW_MS), signed().csrf);
  const callAsIs = createApi({
    credentials: () => bearerHeaders(signed().bearer, signed().csrf),
    send: sendSigned,
  });
  const call = createApi({ credentials, send: sendSigned });
  const file = createFileApi({ credentials, send: sendSigned });

  /** A new pair by the old one while its token lives, else by the page, which asks for the cookie alone. */
  async function renew(): Promise<SessionReply> {
    if (tokens.isValid()) {
      try {
        return await callAsIs(renewSession);
      } catch (error) {
        // 403 may also mean that another command was quicker and its answer got lost here: the page still knows.
        if (!(error instanceof ApiError) || error.response?.status !== 403) throw error;
      }
    }
    const page = await sendSigned(PAGE, { method: 'GET', headers: {} });
    const reply = readPageToken(metaOf(await pageText(url, PAGE, page), 'postern_bearer_token'));
    if (reply === undefined) throw over();
    return reply;
  }
  /** An answer that says nobody is signed in ends the session; any other refusal is the caller's to tell. */
  const heard = async <Reply>(answer: Promise<Reply>): Promise<Reply> => {
    try {
      return await answer;
    } catch (error) {
      throw error instanceof ApiError && error.code === 'signed_out' ? over() : error;
    }
  };

  return {
    url,
    user,
    call: (wanted, given) => heard(call(wanted, given)),
    file: (wanted, given) => heard(file(wanted, given)),
    bearer: () => tokens.bearer(),
    cookies: () => cookiesOf(signed()),
  };
}
