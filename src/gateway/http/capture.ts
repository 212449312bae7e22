// What people clicked, into the log: nothing is kept and nothing leaves the gateway.
import { captureEvent, precaptureEvent } from '../../contract/capture.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';

export function serveCapture(serve: Serve): void {
  serve(captureEvent, ({ body: { event, alert, eventData }, request }, who) => {
    request.log.info({ event, alert, eventData, user: who.user }, 'clicked');
    return OK;
  });
  // Whoever is not signed in may claim any name: it is not written down.
  serve(precaptureEvent, ({ body: { event, mfaType, loginFlow }, request }) => {
    request.log.info({ event, mfaType, loginFlow }, 'clicked');
    return OK;
  });
}
