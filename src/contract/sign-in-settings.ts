// How people sign in: with passwords of the gateway's own, by connectors, and which comes first.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { connectorKinds } from './connectors.ts';
import { name } from './shapes.ts';

/** How people sign in, where connectors are one of the ways. */
const signInSettings = z.object({
  /** Passwords of the gateway's own are accepted. */
  local: z.boolean(),
  /** The connector that the sign-in form offers first; null: the password. */
  first: z.nullable(z.object({ kind: z.enum(connectorKinds), name })),
});
export type SignInSettings = z.infer<typeof signInSettings>;

export const getSignInSettings = call('GET', 'signin', {
  summary: 'Whether passwords are accepted, and which connector comes first.',
  access: { resource: 'cluster_auth_preference', verb: 'read' },
  reply: signInSettings,
});
export const updateSignInSettings = call('PUT', 'signin', {
  summary: 'Say whether passwords are accepted, and which connector comes first.',
  access: { resource: 'cluster_auth_preference', verb: 'update' },
  body: signInSettings,
  reply: signInSettings,
});
