// What a person chose for themselves.
import { getPreferences, putPreferences } from '../../contract/preferences.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function servePreferences(serve: Serve, { preferences }: Services): void {
  serve(getPreferences, (_asked, who) => preferences.read(who));
  serve(putPreferences, async ({ body, request }, who) => {
    // Clients send the parts that they know; the defaults of the others are not what they chose.
    const given = Object.entries(body).filter(([part]) => Object.hasOwn(request.body as object, part));
    await preferences.change(who, Object.fromEntries(given));
    return OK;
  });
}
