// What a person chose for themselves.
import * as z from 'zod/mini';
import { getPreferences, type Preferences, preferences, putPreferences } from '../../contract/preferences.ts';
import { OK } from '../../contract/shapes.ts';
import type { Who } from '../ports.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function servePreferences(serve: Serve, { store }: Services): void {
  async function read({ userId }: Who): Promise<Preferences> {
    // Preferences of an older shape must not lock a person out of the console: they start anew.
    const kept = z.safeParse(preferences, (await store.preferences.get(userId)) ?? {});
    return kept.success ? kept.data : z.parse(preferences, {});
  }

  serve(getPreferences, (_asked, who) => read(who));
  serve(putPreferences, async ({ body, request }, who) => {
    // Clients send the parts that they know; what they leave out stays as it is.
    const given = Object.entries(body).filter(([part]) => Object.hasOwn(request.body as object, part));
    await store.preferences.put(who.userId, { ...(await read(who)), ...Object.fromEntries(given) });
    return OK;
  });
}
