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

/** Events of enrolling a resource step by step: that it was begun, how each of its steps has ended, and that it is over. */
export const discoverEvents = {
  started: 'postern.ui.discover.started',
  connectAws: 'postern.ui.discover.integration.awsoidc.connect',
  enrollRds: 'postern.ui.discover.database.enroll.rds',
  deployService: 'postern.ui.discover.deployService',
  registerDatabase: 'postern.ui.discover.database.register',
  configureMtls: 'postern.ui.discover.database.configure.mtls',
  configureIamPolicy: 'postern.ui.discover.database.configure.iampolicy',
  installActiveDirectory: 'postern.ui.discover.desktop.activeDirectory.tools.install',
  configureActiveDirectory: 'postern.ui.discover.desktop.activeDirectory.configure',
  autoDiscoveredResources: 'postern.ui.discover.autoDiscoveredResources',
  configurePrincipals: 'postern.ui.discover.principals.configure',
  testConnection: 'postern.ui.discover.testConnection',
  completed: 'postern.ui.discover.completed',
} as const;

/** The `eventData` of all of them: the same id for one enrolment, and never what was typed. */
export const discovery = z.object({
  id: z.string().check(z.maxLength(64)),
  resource: z.string().check(z.regex(/^DISCOVER_RESOURCE_[A-Z0-9_]{1,60}$/)),
  stepStatus: z.enum([
    'DISCOVER_STATUS_SUCCESS',
    'DISCOVER_STATUS_SKIPPED',
    'DISCOVER_STATUS_ERROR',
    'DISCOVER_STATUS_ABORTED',
  ]),
  /** How what leads to it was brought there. */
  serviceDeploy: z.optional(
    z.object({
      method: z.enum(['DEPLOY_METHOD_UNSPECIFIED', 'DEPLOY_METHOD_AUTO', 'DEPLOY_METHOD_MANUAL']),
      type: z.enum(['DEPLOY_TYPE_UNSPECIFIED', 'DEPLOY_TYPE_INSTALL_SCRIPT', 'DEPLOY_TYPE_AMAZON_ECS']),
    }),
  ),
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
