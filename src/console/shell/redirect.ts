// Where to go after signing in: a page of ours on our own origin, whatever the link said (specification section 2).
import { match, to } from '../../features/paths.ts';
import { features } from '../../features/table.ts';

/** Longest link that is followed; a longer one was not made by us. */
const LINK_MOST_CHARACTERS = 4096;

/**
 * Path, query and fragment of a redirect_uri, with scheme, host, user and port dropped: only what names a page of ours that needs signing in
 * is kept, everything else leads to the root.
 */
export function safeRedirect(redirectUri: string | null, origin: string): string {
  const root = to('root');
  if (redirectUri === null || redirectUri === '' || redirectUri.length > LINK_MOST_CHARACTERS) return root;
  let url: URL;
  try {
    // The parser does what the browser would do with backslashes, tabs and leading slashes; then only the path is kept.
    url = new URL(redirectUri, origin);
  } catch {
    return root;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return root;
  const found = match(url.pathname);
  if (found === null || features[found.id].public === true) return root;
  // Rebuilt from the match, so that nothing of the given spelling survives in the path.
  return to(found.id, found.params) + url.search + url.hash;
}

/** The login link that comes back to a page; the root needs no return. */
export function loginLink(current: string): string {
  const root = to('root');
  return current === root || current === '' || current === '/'
    ? to('login')
    : to('login', {}, { redirect_uri: current });
}
