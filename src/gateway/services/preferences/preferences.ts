// What a person chose for themselves, saved views among it.
import * as z from 'zod/mini';
import { type Preferences, preferences } from '../../../contract/preferences.ts';
import type { Who } from '../../ports/who.ts';
import type { StoredPreferences } from '../../store/store.ts';

export interface PersonalPreferences {
  read(who: Pick<Who, 'userId'>): Promise<Preferences>;
  /** Replaces the given parts; what is left out stays as it is. */
  change(who: Pick<Who, 'userId'>, given: Partial<Preferences>): Promise<void>;
}

export function createPreferences(stored: StoredPreferences): PersonalPreferences {
  const read: PersonalPreferences['read'] = async ({ userId }) => {
    // Preferences of an older shape must not lock a person out of the console: they start anew.
    const kept = z.safeParse(preferences, (await stored.get(userId)) ?? {});
    return kept.success ? kept.data : z.parse(preferences, {});
  };
  return {
    read,
    change: async (who, given) => stored.put(who.userId, { ...(await read(who)), ...given }),
  };
}
