// Fakes of the browser for the shell's tests: a storage over a map, a clock that is moved by hand.
import type { KeyValueStorage } from './storage.ts';

/** A storage, with the two tabs' view of it when shared. */
export function fakeStorage(given: Readonly<Record<string, string>> = {}): KeyValueStorage {
  const held = new Map(Object.entries(given));
  return {
    getItem: key => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: key => void held.delete(key),
    key: index => [...held.keys()][index] ?? null,
    get length() {
      return held.size;
    },
  };
}

export function fakeClock(start = 1_000_000) {
  let now = start;
  return {
    now: () => now,
    pass: (ms: number): void => {
      now += ms;
    },
  };
}
