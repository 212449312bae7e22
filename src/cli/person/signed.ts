// A signed-in session in use: proofs for every request, and renewal before the bearer token ends.
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { ApiError } from '../../contract/failure.ts';
import {
  CSRF_COOKIE,
  renewSession,
  SESSION_COOKIE,
  type SessionReply,
  sessionReply,
  signIn,
  signOut,
} from '../../contract/session.ts';
import { Refused } from '../verb.ts';
import { neededSession, readSession, type Signed, writeSession } from './session-file.ts';
import { answered, cookieSet, metaOf, refuse, send, textOf } from './wire.ts';

/** A token with less left is renewed before it is used (the console's own rule, specification section 5), ms. */
const RENEW_BELOW_MS = 180_000;
const PAGE = '/web/login';
const CSRF_BYTES = 32;

export interface Session {
  readonly url: string;
  readonly user: string;
  /** A bearer token with time left. Throws Refused when the session is over. */
  bearer(): Promise<string>;
  /** Headers that prove who asks, with a token that has time left. Throws Refused when the session is over. */
  proofs(): Promise<Readonly<Record<string, string>>>;
  /** Ends the session at the gateway. Throws ApiError, and Refused when it is over already. */
  end(): Promise<void>;
  /** The Cookie header of the session. */
  cookies(): string;
  /** Why a refusal came: throws Refused when it was because the session is over. */
  explain(error: unknown): Promise<never>;
}

const cookiesOf = ({ cookie, csrf }: Pick<Signed, 'cookie' | 'csrf'>): string =>
  `${CSRF_COOKIE}=${csrf}${cookie === '' ? '' : `; ${SESSION_COOKIE}=${cookie}`}`;
const proofsOf = (signed: Signed): Record<string, string> => ({
  accept: 'application/json',
  authorization: `Bearer ${signed.bearer}`,
  cookie: cookiesOf(signed),
  'x-csrf-token': signed.csrf,
});

function readReply(url: string, body: unknown): SessionReply {
  const parsed = z.safeParse(sessionReply, body);
  if (!parsed.success) throw new ApiError('unknown', `${url} did not answer as a gateway does`);
  return parsed.data;
}
const timesOf = (reply: SessionReply): Pick<Signed, 'bearer' | 'bearerEnds' | 'sessionEnds'> => ({
  bearer: reply.token,
  bearerEnds: Date.now() + reply.expires_in * 1000,
  sessionEnds: Date.parse(reply.sessionExpires),
});

/** Signs in over the wire. Throws ApiError. */
export async function signInAt(url: string, user: string, password: string): Promise<Signed> {
  // The proof is that cookie and header say the same: whoever is no browser may choose what.
  const csrf = randomBytes(CSRF_BYTES).toString('hex');
  const answer = await send(url, signIn.path, {
    method: signIn.method,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      cookie: cookiesOf({ cookie: '', csrf }),
      'x-csrf-token': csrf,
    },
    body: JSON.stringify({ user, pass: password }),
  });
  const reply = readReply(url, await answered(url, signIn.path, answer));
  const cookie = cookieSet(answer, SESSION_COOKIE);
  if (cookie === undefined) throw new ApiError('unknown', `${url} gave no session cookie`);
  return { version: 1, url, user, cookie, csrf, ...timesOf(reply) };
}

/** A new pair by the old one while its token lives, else by the page, which asks for the cookie alone. Null: the session is over. */
async function renewed(signed: Signed): Promise<Signed | null> {
  const { url } = signed;
  if (signed.sessionEnds <= Date.now()) return null;
  if (signed.bearerEnds > Date.now()) {
    const { method, path } = renewSession;
    const answer = await send(url, path, { method, headers: proofsOf(signed) });
    // 403 may also mean that another command was quicker and its answer got lost here: the page still knows.
    if (answer.status !== 403) {
      const reply = readReply(url, await answered(url, path, answer));
      return { ...signed, ...timesOf(reply), cookie: cookieSet(answer, SESSION_COOKIE) ?? signed.cookie };
    }
  }
  const page = await send(url, PAGE, { headers: { cookie: cookiesOf(signed) } });
  await refuse(url, PAGE, page);
  const meta = metaOf(await textOf(url, page), 'postern_bearer_token');
  if (meta === undefined) return null;
  const reply = readReply(url, jsonOf(Buffer.from(meta, 'base64').toString('utf8')));
  return { ...signed, ...timesOf(reply), cookie: cookieSet(page, SESSION_COOKIE) ?? signed.cookie };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema refuses undefined
  }
}

/** Takes up the session of a file, which is written anew whenever the session is renewed. Throws Refused. */
export async function resumeSession(path: string): Promise<Session> {
  let signed = await neededSession(path);
  let renewing: Promise<void> | undefined;
  const over = (): Refused =>
    new Refused(`your session has ended: sign in again with postern sign-in --url ${signed.url} --user ${signed.user}`);
  const lasts = ({ bearerEnds, sessionEnds }: Signed): boolean =>
    bearerEnds - Date.now() >= Math.min(RENEW_BELOW_MS, sessionEnds - Date.now());
  async function renew(): Promise<void> {
    // Another command may have renewed the session meanwhile: then what is held here counts no more.
    const now = await readSession(path);
    if (now === null) throw over();
    if (now.url === signed.url && now.user === signed.user) signed = now;
    if (lasts(signed)) return;
    const next = await renewed(signed);
    if (next === null) throw over();
    signed = next;
    await writeSession(path, next);
  }
  const fresh = async (): Promise<void> => {
    if (lasts(signed)) return;
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    await renewing;
  };
  return {
    url: signed.url,
    user: signed.user,
    async bearer() {
      await fresh();
      return signed.bearer;
    },
    async proofs() {
      await fresh();
      return proofsOf(signed);
    },
    async end() {
      await fresh();
      const { method, path: at } = signOut;
      const answer = await send(signed.url, at, { method, headers: proofsOf(signed) });
      await answered(signed.url, at, answer);
    },
    cookies: () => cookiesOf(signed),
    async explain(error) {
      if (error instanceof ApiError && error.response?.status === 403) {
        const status = await send(signed.url, '/v1/webapi/user/status', { headers: proofsOf(signed) });
        await status.body?.cancel();
        if (status.status === 403) throw over();
      }
      throw error;
    },
  };
}
