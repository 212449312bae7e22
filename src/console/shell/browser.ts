// The browser behind the ports of session, inactivity and preferences: time, storage, other tabs.
import type { SharedValue } from '../../client/session.ts';
import { readJson, writeJson } from './storage.ts';

/** Runs again and again; the answer stops it. */
export function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}

/** Hears what other tabs change in the storage. */
export function onStorage(changed: (key: string | null, value: string | null) => void): () => void {
  const listener = (event: StorageEvent): void => {
    if (event.storageArea === localStorage) changed(event.key, event.newValue);
  };
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

/** A value in the storage that all tabs of this browser share. */
export const sharedValue = (key: string): SharedValue => ({
  read: () => readJson(localStorage, key),
  write: value => writeJson(localStorage, key, value),
  clear: () => localStorage.removeItem(key),
});

/** A value that the gateway put into the page; the bearer token's is taken out, so that nothing else reads it. */
export function readMeta(name: string, take = false): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
  if (take) meta?.remove();
  return meta?.content || undefined;
}
