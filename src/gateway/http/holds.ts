// Legal holds on recordings, for whoever may keep and release them.
import { createHold, listHolds, releaseHold } from '../../contract/holds.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveHolds(serve: Serve, { retention }: Services): void {
  serve(listHolds, async (_asked, { rights }) => ({
    holds: rights.may('legal_hold', 'list') ? [...(await retention.holds())] : [],
    mayHold: rights.may('legal_hold', 'create'),
    mayRelease: rights.may('legal_hold', 'delete'),
  }));
  serve(createHold, ({ body: { on, why } }, who) => retention.hold(on, why, who.user));
  serve(releaseHold, ({ params, body }, who) => retention.release(params.hold, body.why, who.user));
}
