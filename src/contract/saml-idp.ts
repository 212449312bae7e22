// Signing in to service providers by SAML: this gateway is their identity provider. Service providers are applications with `spec.saml`.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { assertion, challenge } from './mfa.ts';
import { name } from './shapes.ts';

/** What the launcher's page is called in place of a host, when it is asked to sign somebody in by SAML: no host has this name. */
export const SAML_LAUNCH = '~saml';
/** Where service providers find what this gateway says about itself. */
export const SAML_METADATA_PATH = '/enterprise/saml-idp/metadata';
/** Where service providers send browsers with a request, by the binding HTTP-Redirect. */
export const SAML_SSO_PATH = '/enterprise/saml-idp/sso';
/** Begins with us: the path ends with the name of the application. */
export const samlLoginPath = (app: string): string => `/enterprise/saml-idp/login/${encodeURIComponent(app)}`;

/** Either the query that a service provider has sent the browser with, exactly as it came, or the name of an application. */
const asked = {
  query: z.optional(z.string().check(z.maxLength(16_384, 'at most 16384 characters'))),
  app: z.optional(name),
};

export const samlSignIn = call('POST', 'saml-idp/sign-in', {
  summary: 'Sign in to a service provider: an address that posts a signed assertion there, good once, for a minute.',
  access: 'signedIn',
  body: z.object({
    ...asked,
    /** Where roles, or the service provider, ask for a second factor now: the answer to the challenge. */
    webauthnAssertionResponse: z.nullish(assertion),
  }),
  reply: z.object({ name: z.string(), address: z.string() }),
});
export const samlKeyChallenge = call('POST', 'saml-idp/challenge', {
  summary: 'What a hardware key is asked before signing in to this one service provider.',
  access: 'signedIn',
  body: z.object(asked),
  reply: challenge,
});
