// Signs a person out who has been away too long (specification section 4, "Inactivity").
import { type KeyValueStorage, keys, readJson, writeJson } from './storage.ts';

/** How often it is checked. */
const INACTIVITY_CHECK_MS = 30_000;
/** The console is early by this much, so that it acts before the gateway does. */
const EARLY_MS = 30_000;
/** Activity is written down at most this often. */
const ACTIVITY_EVERY_MS = 15_000;
/** What counts as activity: what a person does, never what a terminal prints. */
export const activityEvents = ['keydown', 'pointermove', 'pointerdown'] as const;

export interface InactivityPorts {
  readonly storage: KeyValueStorage;
  readonly now: () => number;
  /** Milliseconds; 0 disables the check. */
  readonly timeoutMs: () => number;
  readonly timedOut: () => void;
  readonly every: (ms: number, run: () => void) => () => void;
  readonly onActivity: (listener: () => void) => () => void;
}

/** Whether someone who was last active then is out now. */
export function isTooLong(lastActive: number, now: number, timeoutMs: number): boolean {
  return timeoutMs > 0 && now - lastActive > timeoutMs - EARLY_MS;
}

/** Checks on entry and then every 30 s. The last activity is shared by all tabs. Dispose ends it. */
export function openInactivity(ports: InactivityPorts): () => void {
  const { storage, now } = ports;
  const lastActive = (): number | undefined => {
    const stored = readJson(storage, keys.lastActive);
    return typeof stored === 'number' && stored > 0 ? stored : undefined;
  };
  const check = (): boolean => {
    const last = lastActive();
    if (last === undefined || !isTooLong(last, now(), ports.timeoutMs())) return false;
    ports.timedOut();
    return true;
  };
  if (check()) return () => {};
  writeJson(storage, keys.lastActive, now());
  let written = now();
  const stopChecking = ports.every(INACTIVITY_CHECK_MS, check);
  const stopHearing = ports.onActivity(() => {
    if (now() - written < ACTIVITY_EVERY_MS) return;
    written = now();
    writeJson(storage, keys.lastActive, written);
  });
  return () => {
    stopChecking();
    stopHearing();
  };
}
