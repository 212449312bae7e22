// While terminals are open: who takes part in them, and a question before the page with them is closed by mistake.
import type { TerminalPorts } from './ports.ts';
import type { TerminalState } from './tabs.ts';

/** Participants are asked for this often. */
const PARTICIPANTS_MS = 5000;
/** A key that reloads is followed by the unload this soon. */
const RELOAD_KEY_MS = 1000;

/** A reload by key needs no question: every session comes back after it. */
export const isReloadKey = (event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>): boolean =>
  event.key === 'F5' || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'r');

/** Whether leaving the page now loses sight of a session that was in use. */
export const wouldLose = (state: TerminalState, now: number, asksAfterMs: number): boolean =>
  state.tabs.some(tab => tab.since > 0 && tab.status !== 'refused' && now - tab.since > asksAfterMs);

/** Starts watching; answers how to stop. */
export function openWatch(state: TerminalState, ports: TerminalPorts, asksAfterMs = 30_000): () => void {
  async function ask(): Promise<void> {
    if (globalThis.document?.visibilityState === 'hidden') return;
    for (const clusterId of new Set(state.tabs.map(tab => tab.clusterId))) {
      try {
        const sessions = await ports.sessions(clusterId);
        for (const tab of state.tabs) {
          const users = sessions.find(session => session.id === tab.sid)?.parties.map(party => party.user);
          if (users && users.join('\n') !== tab.users.join('\n')) tab.users = users;
        }
      } catch {
        return; // the line itself tells when the gateway is away; the next round asks again
      }
    }
  }
  const timer = setInterval(() => void ask(), PARTICIPANTS_MS);
  let reloadAt = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent): void => {
    if (isReloadKey(event) && !event.defaultPrevented) reloadAt = Date.now();
  };
  const onLeave = (event: BeforeUnloadEvent): void => {
    const now = Date.now();
    if (ports.signedIn() && now - reloadAt > RELOAD_KEY_MS && wouldLose(state, now, asksAfterMs))
      event.preventDefault();
  };
  globalThis.window?.addEventListener('keydown', onKey);
  globalThis.window?.addEventListener('beforeunload', onLeave);
  return () => {
    clearInterval(timer);
    globalThis.window?.removeEventListener('keydown', onKey);
    globalThis.window?.removeEventListener('beforeunload', onLeave);
  };
}
