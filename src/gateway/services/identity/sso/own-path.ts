// Where a browser goes once it is signed in: a page of ours on our own origin, whatever the link said.

/** Longest link that is followed; a longer one was not made by us. */
const LINK_MOST_CHARACTERS = 4096;
const ROOT = '/web';
/** Stands for our own: only the path counts. */
const ORIGIN = 'https://own.invalid';
/** Pages for whoever is not signed in, and what is no page. */
const NOT_A_PLACE = /^\/web\/(login|invite|reset|msg|app|config\.js)(\/|$)/;

/** Path, query and fragment with scheme, host, user and port dropped; the root for what is not a page of ours. */
export function ownPath(redirect: string): string {
  if (redirect.length > LINK_MOST_CHARACTERS || !URL.canParse(redirect, ORIGIN)) return ROOT;
  // The parser does what the browser would do with backslashes, tabs and leading slashes; then only the path is kept.
  const { protocol, pathname, search, hash } = new URL(redirect, ORIGIN);
  if (!/^https?:$/.test(protocol) || !/^\/web(\/[^/\\]+)*\/?$/.test(pathname) || NOT_A_PLACE.test(pathname))
    return ROOT;
  return pathname + search + hash;
}

/** A command line's own listener, and no other spelling of one. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):([1-9]\d{0,4})(\/[\w.~/-]*)?(\?[\w.~%&=-]*)?$/;

/** Where a command line listens on the browser's own machine; null for what is no such address. */
export function loopbackUrl(redirect: string): URL | null {
  const port = Number(LOOPBACK.exec(redirect.slice(0, LINK_MOST_CHARACTERS))?.[2] ?? 0);
  return port === 0 || port > 65_535 ? null : new URL(redirect);
}
