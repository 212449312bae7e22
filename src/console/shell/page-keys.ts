// The queue of early keys of this page: the first script begins it where someone is signed in, before there is anything to hear them.
import { type EarlyKeys, openEarlyKeys } from '../ui/early-keys.ts';
import type { FirstWindow } from './first-window.ts';

/** The console of a slow line takes this long at most; keys that have waited longer are nobody's any more, ms. */
const COMES_WITHIN_MS = 10_000;

export interface PageKeys {
  readonly keys: EarlyKeys;
  /** The console stands, or something else does in its place: the keys that waited for it go on. */
  readonly stands: () => void;
}

/** Begins the queue, with the console itself awaited. */
export function beginPageKeys(page: FirstWindow & typeof globalThis): PageKeys {
  const keys = openEarlyKeys(page);
  return { keys, stands: keys.hold({ mostMs: COMES_WITHIN_MS }) };
}

/** The page's queue; where the first script began none, as after signing in, nothing is awaited. */
export function pageKeys(page: FirstWindow & typeof globalThis = window): PageKeys {
  page.posternKeys ??= { keys: openEarlyKeys(page), stands: () => {} };
  return page.posternKeys;
}
