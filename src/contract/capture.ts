// What people clicked, told once and not waited for. It goes into the gateway's own log and nowhere else.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { ok } from './shapes.ts';

const short = z.string().check(z.maxLength(255));
const event = z
  .string()
  .check(z.maxLength(100), z.regex(/^postern\.ui\.[A-Za-z.]+$/, 'a name such as postern.ui.banner.click'));
const BODY_MOST_BYTES = 8192;

/** Events that the console tells. */
export const captureEvents = {
  bannerClick: 'postern.ui.banner.click',
  addFirstResource: 'postern.ui.onboard.addFirstResource.click',
  addFirstResourceLater: 'postern.ui.onboard.addFirstResourceLater.click',
  callToAction: 'postern.ui.callToAction.click',
  enrollStart: 'postern.ui.integrationEnroll.start',
  enrollComplete: 'postern.ui.integrationEnroll.complete',
  completeGoToDashboard: 'postern.ui.onboard.completeGoToDashboard.click',
} as const;

/** What a call to action was about: the `eventData` of its event. */
export const callsToAction = {
  authConnectors: 1,
  activeSessions: 2,
  accessRequests: 3,
  premiumSupport: 4,
  trustedDevices: 5,
} as const;

/** The `eventData` of both events of an enrolment: the same id, and what is enrolled by the name of the wire. */
export const enrolment = z.object({
  id: z.string().check(z.maxLength(64)),
  kind: z.string().check(z.regex(/^INTEGRATION_ENROLL_KIND_[A-Z_]{1,40}$/)),
});

/** Events of the pages and dialogs that people meet first. */
export const precaptureEvents = {
  setCredential: 'postern.ui.onboard.setCredential.submit',
  registerChallenge: 'postern.ui.onboard.registerChallenge.submit',
  recoveryCodesCopy: 'postern.ui.recoveryCodesCopy.click',
  recoveryCodesPrint: 'postern.ui.recoveryCodesPrint.click',
  recoveryCodesContinue: 'postern.ui.recoveryCodesContinue.click',
  questionnaireSubmit: 'postern.ui.onboard.questionnaire.submit',
} as const;

export const captureEvent = call('POST', 'capture', {
  summary: 'Something that a signed-in person clicked, for the log.',
  access: 'signedIn',
  body: z.object({ event, alert: z.nullish(short), eventData: z.optional(z.unknown()) }),
  reply: ok,
  bodyLimitBytes: BODY_MOST_BYTES,
});

export const precaptureEvent = call('POST', 'precapture', {
  summary: 'Something that was clicked on an invite or reset page, for the log.',
  access: 'public',
  body: z.object({
    event,
    username: short,
    alert: z.nullish(short),
    mfaType: z.nullish(short),
    loginFlow: z.nullish(short),
  }),
  reply: ok,
  bodyLimitBytes: BODY_MOST_BYTES,
});
