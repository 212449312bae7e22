// What a request and its answer say on the other side of the gateway: nothing of ours leaks out, and nothing of anybody else's passes for ours.
import type { WebApplication } from './targets.ts';

/** Cookies of ours, on the host of each application: host-only by their prefix, so that no other host can set them. */
export const cookies = {
  value: '__Host-postern-app-session',
  subject: '__Host-postern-app-subject',
  state: '__Host-postern-app-state',
} as const;
/** The header that says who asks, signed. */
const IDENTITY_HEADER = 'Postern-Jwt-Assertion';

/** Between two neighbours only (RFC 9110, section 7.6.1), and what the gateway answers itself. */
const HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length)$/;
/** What applications believe of whoever is in front of them. */
const OURS = /^(postern-.*|x-postern-.*|x-forwarded-.*|forwarded|x-real-ip)$/;
/** Of answers: `clear-site-data` would clear the console's cookies too, `alt-svc` leads past the gateway. */
const KEPT_BACK =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|clear-site-data|alt-svc|postern-.*)$/;
const OUR_COOKIE = /^\s*(__host-|__secure-)?postern-/i;

/** A name as programs read it that make variables of headers: those take `_` for `-`. */
const plain = (name: string): string => name.toLowerCase().replaceAll('_', '-');
/** Whether a header holds several values under one name, such as `Connection: close, x-internal`. */
const listed = (value: string): readonly string[] => value.split(',').map(one => plain(one.trim()));

/** How a request came. */
export interface Came {
  /** Name and value by turns, as the browser sent them. */
  readonly raw: readonly string[];
  /** Scheme, host and port that the browser knows the application by. */
  readonly origin: string;
  /** IP address of the browser. */
  readonly from: string;
  /** Whether a body follows. */
  readonly hasBody: boolean;
}

/** What a browser says to whoever is behind the gateway: nothing that is between neighbours, passes for ours, or is a cookie of ours. */
export function carriedHeaders(raw: readonly string[], hasBody: boolean): (readonly [name: string, value: string])[] {
  const dropped = new Set<string>();
  for (let at = 0; at < raw.length; at += 2)
    if (plain(raw[at] ?? '') === 'connection') for (const name of listed(raw[at + 1] ?? '')) dropped.add(name);
  const carried: (readonly [string, string])[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    const known = plain(name);
    const isLength = known === 'content-length' && hasBody;
    if ((HOP.test(known) && !isLength) || OURS.test(known) || dropped.has(known)) continue;
    if (known !== 'cookie') carried.push([name, value]);
    else {
      const theirs = value.split(';').filter(one => !OUR_COOKIE.test(one));
      if (theirs.length > 0) carried.push([name, theirs.join(';').trim()]);
    }
  }
  return carried;
}

/** Headers for the application, name and value by turns. */
export function requestHeaders({ raw, origin, from, hasBody }: Came, app: WebApplication, identity: string): string[] {
  const own = new URL(origin);
  const replaced = new Set(app.headers.map(({ name }) => plain(name)));
  const headers: string[] = [];
  for (const [name, value] of carriedHeaders(raw, hasBody)) {
    const known = plain(name);
    if (replaced.has(known)) continue;
    if (known === 'host') headers.push(name, app.url.host);
    // Its own pages only: what a page of another site asks must look like that, or the application could not refuse it.
    else if (known === 'origin' && value === origin) headers.push(name, app.url.origin);
    else if (known === 'referer' && value.startsWith(`${origin}/`))
      headers.push(name, app.url.origin + value.slice(origin.length));
    else headers.push(name, value);
  }
  headers.push('X-Forwarded-Host', own.host, 'X-Forwarded-Proto', own.protocol.slice(0, -1), 'X-Forwarded-For', from);
  headers.push(IDENTITY_HEADER, identity);
  for (const { name, value } of app.headers) headers.push(name, value);
  return headers;
}

/** Headers for the browser, name and value by turns. `app` null: whoever has passed them on knows it. `isUpgrade`: what says so stays. */
export function responseHeaders(
  raw: readonly (string | Buffer)[],
  app: WebApplication | null,
  origin: string,
  isUpgrade = false,
): string[] {
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = textOf(raw[at]);
    const value = textOf(raw[at + 1]);
    const known = name.toLowerCase();
    if (known === 'set-cookie') {
      // For its own host alone: with a domain it would be sent to the console and to other applications.
      if (!OUR_COOKIE.test(value)) headers.push(name, value.replace(/;\s*domain\s*(=[^;]*)?(?=;|$)/gi, ''));
    } else if (app && (known === 'location' || known === 'content-location'))
      headers.push(name, redirected(value, app, origin));
    else if (!KEPT_BACK.test(known) || (isUpgrade && /^(connection|upgrade)$/.test(known))) headers.push(name, value);
  }
  return headers;
}

/** Where an application sends the browser: what it calls itself is what the browser calls it. */
function redirected(value: string, app: WebApplication, origin: string): string {
  if (!/^(https?:)?\/\//i.test(value) || !URL.canParse(value, app.url)) return value;
  const to = new URL(value, app.url);
  const isOwn = to.host === app.url.host || app.redirects.includes(to.hostname) || app.redirects.includes(to.host);
  return isOwn ? `${origin}${to.pathname}${to.search}${to.hash}` : value;
}

const textOf = (value: string | Buffer | undefined): string =>
  typeof value === 'string' ? value : (value?.toString('latin1') ?? '');
