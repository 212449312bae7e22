// Signing in and out, and who the signed-in person is (specification, section 7).
import * as z from 'zod/mini';
import { type AclKey, aclKeys } from './acl.ts';
import { call } from './call.ts';
import { cluster } from './clusters.ts';
import { deviceTrustModes } from './device-trust.ts';
import { clusterParams, ok, time } from './shapes.ts';

/** Answer to a sign-in or a renewal. */
export const sessionReply = z.object({
  type: z.literal('bearer'),
  token: z.string(),
  /** Seconds until the bearer token ends. */
  expires_in: z.number(),
  sessionExpires: time,
  /** Milliseconds without activity until the console signs the person out; 0 = never. */
  sessionInactiveTimeout: z.number(),
});
export type SessionReply = z.infer<typeof sessionReply>;

const text = (most: number) => z.string().check(z.maxLength(most));

export const signIn = call('POST', 'sessions/web', {
  summary: 'Sign in with user name, password and, where the cluster asks for it, a code.',
  access: 'public',
  csrf: true,
  body: z.object({ user: text(255), pass: text(1024), second_factor_token: z.nullish(text(64)) }),
  reply: sessionReply,
});

export const signOut = call('DELETE', 'sessions/web', {
  summary:
    'Sign out: ends the web session, also with a bearer token that has run out. Done already for whoever has none.',
  access: 'public',
  reply: ok,
});

export const renewSession = call('POST', 'sessions/web/renew', {
  summary: 'A new bearer token and cookie; the old token lives on for two minutes so that other tabs can switch.',
  access: 'signedIn',
  isBeforeTrust: true,
  isAutomatic: true,
  body: z.nullish(
    z.object({
      requestId: z.nullish(text(255)),
      switchback: z.nullish(z.boolean()),
      reloadUser: z.nullish(z.boolean()),
    }),
  ),
  reply: sessionReply,
});

export const sessionStatus = call('GET', 'user/status', {
  summary:
    'Says ok while the session is valid, 403 otherwise. Asking is no activity: `idle` says how long there was none.',
  access: 'signedIn',
  isBeforeTrust: true,
  isAutomatic: true,
  /** Milliseconds since the person did something, as the console knows. */
  query: z.object({ idle: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(86_400_000))) }),
  reply: ok,
});

const aclEntry = z.object({
  list: z._default(z.boolean(), false),
  read: z._default(z.boolean(), false),
  edit: z._default(z.boolean(), false),
  create: z._default(z.boolean(), false),
  remove: z._default(z.boolean(), false),
  use: z._default(z.boolean(), false),
});
const noRights = { list: false, read: false, edit: false, create: false, remove: false, use: false };

/** The ACL of the user context: a missing entry means no rights; sharing and recording default to true (specification section 3). */
export const acl = z.object({
  ...(Object.fromEntries(aclKeys.map(key => [key, z._default(aclEntry, noRights)])) as Record<
    AclKey,
    z.ZodMiniDefault<typeof aclEntry>
  >),
  clipboard: z._default(z.boolean(), true),
  desktopSessionRecording: z._default(z.boolean(), true),
  directorySharing: z._default(z.boolean(), true),
});

export const userContext = z.object({
  authType: z.enum(['local', 'sso']),
  userName: z.string(),
  userAcl: acl,
  cluster,
  accessStrategy: z._default(z.object({ type: z.enum(['optional', 'always', 'reason']), prompt: z.string() }), {
    type: 'optional',
    prompt: '',
  }),
  accessCapabilities: z._default(
    z.object({ requestableRoles: z.array(z.string()), suggestedReviewers: z.array(z.string()) }),
    {
      requestableRoles: [],
      suggestedReviewers: [],
    },
  ),
  /** The access request that was assumed last. */
  accessRequestId: z.optional(z.string()),
  /** Ours: all that are, with when what they give ends. `things`: how many they are limited to; 0 = the roles are given whole. */
  assumed: z._default(
    z.array(z.object({ id: z.string(), roles: z.array(z.string()), things: z.number(), ends: time })),
    [],
  ),
  /** Ours: whether they may delegate agents; `ask`: what those do waits for them. */
  agents: z._default(z.enum(['off', 'ask', 'allow']), 'off'),
  /** Ours: what is asked of the device that this person signs in from, and the trusted device that this session is of. */
  deviceTrust: z._default(z.enum(deviceTrustModes), 'off'),
  trustedDevice: z.optional(z.object({ id: z.string(), assetTag: z.string() })),
  allowedSearchAsRoles: z._default(z.array(z.string()), []),
  /** Ours: false for whoever signs in with a passkey alone. */
  hasPassword: z._default(z.boolean(), true),
  /** The person's own roles, shown in the status line. */
  roles: z._default(z.array(z.string()), []),
});
export type UserContext = z.infer<typeof userContext>;

export const getUserContext = call('GET', 'sites/:clusterId/context', {
  summary: 'Who is signed in, and what they may do. Doubles as the probe whether the session is valid.',
  access: 'signedIn',
  isBeforeTrust: true,
  ofRoot: true,
  params: clusterParams,
  reply: userContext,
});

/** What a lock tells whoever came by single sign-on: base64url of UTF-8, for the page of a failed sign-in. */
export const REFUSED_COOKIE = '__Host-postern_refused';
/** The session's cookie: hex of JSON with the user's name and the session. */
export const SESSION_COOKIE = '__Host-session';
/** The cookie whose value every request that changes something repeats in the header X-CSRF-Token. */
export const CSRF_COOKIE = '__Host-postern_csrf';
