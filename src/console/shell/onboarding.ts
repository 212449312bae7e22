// The onboarding dialog: who has nothing to reach yet is told once how to add it (specification sections 2 and 4).
import { proxy } from 'valtio/vanilla';
import { type Kept, keys, readJson, writeJson } from './storage.ts';

interface Discover {
  readonly hasResource: boolean;
  readonly notified: boolean;
}

/** What this browser kept; undefined when it is not what we kept there. */
export function keptDiscover(storage: Kept): Discover | undefined {
  const kept = readJson(storage, keys.discover);
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { hasResource, notified } = kept as Partial<Record<keyof Discover, unknown>>;
  return typeof hasResource === 'boolean' ? { hasResource, notified: notified === true } : undefined;
}

export interface OnboardingPorts {
  readonly storage: Kept;
  /** Whether anything can be reached; asked until there is something. */
  readonly hasResource: () => Promise<boolean>;
  /** Whether this person may add something: nobody is told to do what their roles refuse. */
  readonly mayAdd: () => boolean;
}

/** Shows when onboarding data exists with no resource, not yet notified and not dismissed. */
export function createOnboarding(ports: OnboardingPorts) {
  const { storage } = ports;
  const state = proxy({ shown: false });
  const answer = (): void => {
    state.shown = false;
    writeJson(storage, keys.discover, { hasResource: keptDiscover(storage)?.hasResource ?? false, notified: true });
  };
  return {
    state,
    /** Asks the gateway unless it is known. Throws what asking throws. */
    load: async (): Promise<void> => {
      const kept = keptDiscover(storage);
      if (kept?.hasResource === true || kept?.notified === true) return;
      const discover: Discover = { hasResource: await ports.hasResource(), notified: false };
      writeJson(storage, keys.discover, discover);
      state.shown = !discover.hasResource && ports.mayAdd();
    },
    /** Either button: the person was notified, and the dialog closes. */
    answer,
  };
}
export type Onboarding = ReturnType<typeof createOnboarding>;
