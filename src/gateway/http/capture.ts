// What people clicked: into the log, and counted.
import { captureEvent, precaptureEvent } from '../../contract/capture.ts';
import { OK } from '../../contract/shapes.ts';
import { getTelemetry } from '../../contract/telemetry.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveCapture(serve: Serve, { telemetry }: Services): void {
  serve(captureEvent, ({ body: { event, alert, eventData }, request }, who) => {
    request.log.info({ event, alert, eventData, user: who.user }, 'clicked');
    telemetry.clicked(event, alert, eventData);
    return OK;
  });
  // Whoever is not signed in may claim any name: it is not written down.
  serve(precaptureEvent, ({ body: { event, mfaType, loginFlow }, request }) => {
    request.log.info({ event, mfaType, loginFlow }, 'clicked');
    telemetry.clickedEarly(event);
    return OK;
  });
  serve(getTelemetry, () => telemetry.shown());
}
