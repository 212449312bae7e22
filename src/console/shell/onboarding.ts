// The onboarding dialog: who has nothing to reach yet is told once how to add it (specification sections 2 and 4).
import { proxy } from 'valtio/vanilla';
import { type KeyValueStorage, keys, readJson, writeJson } from './storage.ts';

interface Discover {
  readonly hasResource: boolean;
  readonly notified: boolean;
}

/** What this browser kept; undefined when it is not what we kept there. */
export function storedDiscover(storage: KeyValueStorage): Discover | undefined {
  const stored = readJson(storage, keys.discover);
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { hasResource, notified } = stored as Partial<Record<keyof Discover, unknown>>;
  return typeof hasResource === 'boolean' ? { hasResource, notified: notified === true } : undefined;
}

export interface OnboardingPorts {
  readonly storage: KeyValueStorage;
  /** Whether anything can be reached; asked until there is something. */
  readonly hasResource: () => Promise<boolean>;
  /** Whether this person may add something: nobody is told to do what their roles refuse. */
  readonly mayAdd: () => boolean;
  /** Resolves as soon as no dialog is open: who is writing in one is not interrupted. */
  readonly untilFree: () => Promise<void>;
}

/** Shows when onboarding data exists with no resource, not yet notified and not dismissed. */
export function createOnboarding(ports: OnboardingPorts) {
  const { storage } = ports;
  const state = proxy({ shown: false });
  const answer = (): void => {
    state.shown = false;
    writeJson(storage, keys.discover, { hasResource: storedDiscover(storage)?.hasResource ?? false, notified: true });
  };
  return {
    state,
    /** Asks the gateway unless it is known. Throws what asking throws. */
    load: async (): Promise<void> => {
      const stored = storedDiscover(storage);
      if (stored?.hasResource === true || stored?.notified === true) return;
      const discover: Discover = { hasResource: await ports.hasResource(), notified: false };
      writeJson(storage, keys.discover, discover);
      if (discover.hasResource) return;
      await ports.untilFree();
      state.shown = ports.mayAdd();
    },
    /** Either button: the person was notified, and the dialog closes. */
    answer,
  };
}
export type Onboarding = ReturnType<typeof createOnboarding>;
