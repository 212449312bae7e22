// The two cookies of the console. Both carry the __Host- prefix: Secure, Path=/, no Domain.
// Not @fastify/cookie 11: it would replace ten lines, and decodes percent signs, so that a token would have other spellings that count as it.
import { randomBytes } from 'node:crypto';
import { CSRF_COOKIE, REFUSED_COOKIE, SESSION_COOKIE } from '../../contract/session.ts';
import { cookieOf } from '../services/identity/session-cookie.ts';

const CSRF_BYTES = 32;
const CSRF_SHAPE = /^[0-9a-f]{64}$/;

export const sessionCookie = (value: string): string =>
  `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; Secure; SameSite=Lax`;
/** Words for the page of a failed sign-in, for a minute. No other site can set it, and no link can say them. */
export const refusedCookie = (said: string): string =>
  `${REFUSED_COOKIE}=${Buffer.from(said).toString('base64url')}; Path=/; Secure; SameSite=Lax; Max-Age=60`;
export const clearedSessionCookie = `${SESSION_COOKIE}=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0`;

/** The CSRF token of a browser: the one it has, or a new one with the cookie that sets it. */
export function csrfToken(header: string | undefined): { readonly token: string; readonly setCookie: string | null } {
  const given = cookieOf(header, CSRF_COOKIE);
  if (given !== undefined && CSRF_SHAPE.test(given)) return { token: given, setCookie: null };
  const token = randomBytes(CSRF_BYTES).toString('hex');
  // SameSite=None as the wire has it. What another page sends along with it is worth nothing: it cannot read the value to repeat it.
  return { token, setCookie: `${CSRF_COOKIE}=${token}; Path=/; HttpOnly; Secure; SameSite=None` };
}
