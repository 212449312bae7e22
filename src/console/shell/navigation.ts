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

/** A push or replace to a path that matches no known page goes to the root (specification section 2). */
export function knownPath(path: string, origin: string): string {
  const url = new URL(path, origin);
  return url.origin === origin && match(url.pathname) !== null ? url.pathname + url.search + url.hash : to('root');
}

/** Goes to a path of ours. `refresh` loads the whole page anew. */
export function follow(path: string, { replace = false, refresh = false } = {}): void {
  const known = knownPath(path, location.origin);
  leaving.pass(() => {
    if (refresh) {
      if (replace) location.replace(known);
      else location.assign(known);
    } else navigate(known, { replace });
  });
}

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
