// What a person chose for themselves (contract/api.md 1.6).
import * as z from 'zod/mini';
import { getPreferences, preferences, putPreferences } from '../../contract/preferences.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function servePreferences(serve: Serve, { store }: Services): void {
  serve(getPreferences, async (_asked, who) => {
    // Preferences of an older shape must not lock a person out of the console: they start anew.
    const kept = z.safeParse(preferences, (await store.preferences.get(who.user)) ?? {});
    return kept.success ? kept.data : z.parse(preferences, {});
  });
  serve(putPreferences, async ({ body }, who) => {
    await store.preferences.put(who.user, body);
    return OK;
  });
}
