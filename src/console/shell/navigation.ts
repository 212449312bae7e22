// Going from page to page; the only importer of the router.
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import { match, queryText, to } from '../../features/paths.ts';
import { createLeaving } from './leaving.ts';

/** Guards of pages that hold something unsaved. */
export const leaving = createLeaving();

/** The path on screen, path and query apart. */
export function useHere(): { readonly path: string; readonly search: string } {
  return { path: usePathname(), search: useSearch() };
}

/** The gateway's single-sign-on handlers (specification section 2): known paths that are no pages of the console, so they are loaded whole. */
const SSO_HANDLER = /^\/v1\/webapi\/(oidc|saml|github)\/./;

/** A push or replace to a path that matches no known page goes to the root (specification section 2). */
export function knownPath(path: string, origin: string): string {
  const url = new URL(path, origin);
  const isKnown = url.origin === origin && (match(url.pathname) !== null || SSO_HANDLER.test(url.pathname));
  return isKnown ? url.pathname + url.search + url.hash : to('root');
}

/** How a browser leaves the page on screen. */
export interface Ways {
  readonly origin: () => string;
  /** Goes at once, or after a yes where something unsaved would be lost. */
  readonly pass: (go: () => void) => void;
  /** Another page without loading anything anew. */
  readonly show: (path: string, how: { readonly replace: boolean }) => void;
  /** The whole page from the gateway. */
  readonly load: (path: string, how: { readonly replace: boolean }) => void;
}

export const createFollow =
  ({ origin, pass, show, load }: Ways) =>
  (path: string, { replace = false, refresh = false } = {}): void => {
    const known = knownPath(path, origin());
    pass(() => (refresh || SSO_HANDLER.test(known) ? load : show)(known, { replace }));
  };

/** Goes to a path of ours. A push may ask for a full page refresh (specification section 2). */
export const follow = createFollow({
  origin: () => location.origin,
  pass: leaving.pass,
  show: navigate,
  load: (path, { replace }) => (replace ? location.replace(path) : location.assign(path)),
});

/** Path and query of the page on screen. */
export const currentPath = (): string => location.pathname + location.search;

/** The URL's query as plain values; of a name that stands twice, the last. */
export function queryOf(search: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Changes some of the query in place, without a new entry in the history. */
export function changeQuery(changed: Readonly<Record<string, string | undefined>>): void {
  const path = location.pathname + queryText({ ...queryOf(location.search), ...changed });
  if (path !== currentPath()) navigate(path, { replace: true });
}
