// Trying a connector: somebody goes through it in a browser, and nobody is signed in.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { connectorKinds } from './connectors.ts';
import { name } from './shapes.ts';

/** A test is over after so long, ms: five minutes until the browser leaves, and five until it comes back. */
export const SIGN_IN_TEST_MS = 600_000;

export const beginSignInTest = call('POST', 'signin/test', {
  summary: 'Begin to try a connector without signing in: where a browser goes, within five minutes.',
  access: { resource: 'auth_connector', verb: 'update' },
  body: z.object({ kind: z.enum(connectorKinds), name }),
  reply: z.object({ id: z.string(), url: z.string() }),
});
const signInTest = z.object({
  /** False while the browser is at the provider. */
  done: z.boolean(),
  /** Why nobody would be signed in. */
  refused: z.optional(z.string()),
  user: z.optional(z.string()),
  roles: z.optional(z.array(z.string())),
  attributes: z.optional(z.record(z.string(), z.array(z.string()))),
  /** Login rules that were applied to the attributes, and the traits that the session would have. */
  loginRules: z.optional(z.array(z.string())),
  traits: z.optional(z.record(z.string(), z.array(z.string()))),
});
export type SignInTest = z.infer<typeof signInTest>;
export const getSignInTest = call('GET', 'signin/test/:id', {
  summary: 'What came of it, once: what the provider says of the person, and the roles that this gives.',
  access: { resource: 'auth_connector', verb: 'update' },
  params: z.object({ id: name }),
  reply: signInTest,
});
