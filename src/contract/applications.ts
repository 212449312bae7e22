// Sessions in applications: how a browser that is signed in to the console comes into one.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { assertion, challenge } from './mfa.ts';
import { name } from './shapes.ts';

/** Host name by which browsers know an application. */
const fqdn = z.string().check(z.minLength(1), z.maxLength(253, 'at most 253 characters'));
const found = z.object({
  fqdn: z.string(),
  /** Ours: of the AWS console, the roles that it may be used as. */
  awsRoles: z.optional(z.array(z.object({ arn: z.string(), display: z.string() }))),
});
/** In an address of the host of an AWS console: the role that is wanted, which the console's page is told of. */
export const AWS_ROLE_QUERY = 'postern-aws-role';

export const createAppSession = call('POST', 'sessions/app', {
  summary:
    'Begin a session in an application, or go on with the one that there is: cookies for its host, and a code for them.',
  access: 'signedIn',
  body: z.object({
    fqdn,
    cluster_name: z.nullish(name),
    public_addr: z.nullish(fqdn),
    /** The role that the AWS console is used as. */
    arn: z.nullish(z.string().check(z.maxLength(2048, 'at most 2048 characters'))),
    /** Where roles ask for a second factor for each session: the answer to the challenge of this application. */
    webauthnAssertionResponse: z.nullish(assertion),
  }),
  reply: z.object({
    fqdn: z.string(),
    cookie_value: z.string(),
    subject_cookie_value: z.string(),
    /** Ours: in place of the cookies, for a browser that is sent to the application with it. Good once, for a minute. */
    code: z.string(),
  }),
});
export const appKeyChallenge = call('POST', 'sessions/app/challenge', {
  summary:
    'What a hardware key is asked before a session in this one application, where roles ask for one for each session.',
  access: 'signedIn',
  body: z.object({ fqdn }),
  reply: challenge,
});
const oneApp = {
  summary: 'The host of an application that this person may use.',
  access: 'signedIn',
  reply: found,
} as const;
export const getApp = call('GET', 'apps/:fqdn', { ...oneApp, params: z.object({ fqdn }) });
/** The same as other clients ask for it. */
export const getAppAt = call('GET', 'apps/:fqdn/:clusterId/:publicAddr', {
  ...oneApp,
  params: z.object({ fqdn, clusterId: name, publicAddr: fqdn }),
});
