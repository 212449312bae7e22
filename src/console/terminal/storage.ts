// Where the browser keeps what terminals leave behind.
import type { TextStorage } from './ports.ts';

/** The entry of the open tabs. */
export const TABS_KEY = 'postern:tabs';

/** Storage may be refused as a whole (a private window, a policy): then nothing is saved. */
export function browserStorage(): { readonly local: TextStorage; readonly session: TextStorage } {
  const none: TextStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
  try {
    return { local: globalThis.localStorage ?? none, session: globalThis.sessionStorage ?? none };
  } catch {
    return { local: none, session: none };
  }
}
