// Where the browser keeps what terminals leave behind.
import type { TextStorage } from './ports.ts';

/** Names of windows that hold one terminal, before its session's id. */
export const OWN_WINDOW = 'postern-terminal-';
/** Whether this is such a window. */
export const isOwnWindow = (): boolean => globalThis.window?.name?.startsWith(OWN_WINDOW) === true;

/** The entry of the open tabs. A window that was opened from a page begins with a copy of that page's: it has one of its own. */
export const tabsKey = (): string => (isOwnWindow() ? `postern:tabs:${window.name}` : 'postern:tabs');

/** Storage may be refused as a whole (a private window, a policy): then nothing is saved. */
export function browserStorage(): { readonly local: TextStorage; readonly session: TextStorage } {
  const none: TextStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
  try {
    return { local: globalThis.localStorage ?? none, session: globalThis.sessionStorage ?? none };
  } catch {
    return { local: none, session: none };
  }
}
