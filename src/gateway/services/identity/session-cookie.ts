// The session cookie: hex of JSON {"user","sid"}.
import * as z from 'zod/mini';

/** Value of a cookie in a Cookie header; the first one counts. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

const cookieValue = z.object({
  user: z.string().check(z.maxLength(255)),
  /** Two halves of 64 hex digits: which session it is, and the half that renewing replaces. */
  sid: z.string().check(z.regex(/^[0-9a-f]{128}$/)),
});
export interface SessionCookie {
  readonly user: string;
  readonly family: string;
  readonly secret: string;
}
/** Longest cookie value that is looked at, characters. */
const LONGEST_CHARACTERS = 2048;

export const writeSessionCookie = (cookie: SessionCookie): string =>
  Buffer.from(JSON.stringify({ user: cookie.user, sid: cookie.family + cookie.secret })).toString('hex');

/** Null for anything that is not a session cookie of ours. */
export function readSessionCookie(value: string | undefined): SessionCookie | null {
  if (value === undefined || value.length > LONGEST_CHARACTERS || !/^([0-9a-f]{2})+$/.test(value)) return null;
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(value, 'hex').toString('utf8'));
  } catch {
    return null;
  }
  const parsed = z.safeParse(cookieValue, json);
  if (!parsed.success) return null;
  const { user, sid } = parsed.data;
  return { user, family: sid.slice(0, 64), secret: sid.slice(64) };
}
