// A question before the page with terminals in it is closed by mistake.
import type { TerminalPorts } from './ports.ts';
import type { TerminalState } from './terminals.ts';

/** A session that is older is asked about, milliseconds. */
const ASKS_AFTER_MS = 30_000;
/** A key that reloads is followed by the unload this soon. */
const RELOAD_KEY_MS = 1000;

/** A reload by key needs no question: every session comes back after it. */
export const isReloadKey = (event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>): boolean =>
  event.key === 'F5' || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'r');

/** Whether leaving the page now loses sight of a session that was in use. */
export const wouldLose = (state: TerminalState, now: number, asksAfterMs: number): boolean =>
  state.tabs.some(
    tab => tab.since > 0 && tab.status !== 'refused' && tab.status !== 'away' && now - tab.since > asksAfterMs,
  );

/** Asks for as long as the page lives. */
export function guardLeaving(state: TerminalState, ports: Pick<TerminalPorts, 'signedIn'>): void {
  let reloadAt = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent): void => {
    if (isReloadKey(event) && !event.defaultPrevented) reloadAt = Date.now();
  };
  const onLeave = (event: BeforeUnloadEvent): void => {
    const now = Date.now();
    if (ports.signedIn() && now - reloadAt > RELOAD_KEY_MS && wouldLose(state, now, ASKS_AFTER_MS))
      event.preventDefault();
  };
  globalThis.window?.addEventListener('keydown', onKey);
  globalThis.window?.addEventListener('beforeunload', onLeave);
}
