// Join tokens: whoever holds one lets a machine join the cluster, as what the token says, until it ends, is used up or is revoked.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { parseDuration } from './duration.ts';
import { labelName, labels, labelValue, name, ok, time } from './shapes.ts';

/** What a machine can join as, in the wire's words. Those without a script are kept for what dials in otherwise. */
export const joinRoles = [
  'Node',
  'App',
  'Db',
  'Kube',
  'WindowsDesktop',
  'Discovery',
  'Trusted_cluster',
  'Bot',
] as const;
export type JoinRole = (typeof joinRoles)[number];
/** The roles that a script joins as, and that script. */
export const joinScripts = {
  Node: 'install-node.sh',
  App: 'install-app.sh',
  Db: 'install-database.sh',
} as const satisfies Partial<Record<JoinRole, string>>;
export type ScriptedRole = keyof typeof joinScripts;
export const isScripted = (role: JoinRole): role is ScriptedRole => Object.hasOwn(joinScripts, role);
/** What people call what joins. */
export const joinedThings: Readonly<Record<JoinRole, string>> = {
  Node: 'servers',
  App: 'applications',
  Db: 'databases',
  Kube: 'Kubernetes clusters',
  WindowsDesktop: 'desktops',
  Discovery: 'discovery',
  Trusted_cluster: 'leaf clusters',
  Bot: 'bots',
};

/** Life of a token unless it says otherwise, and at most, ms. */
export const JOIN_TOKEN_MS = 4 * 3_600_000;
export const JOIN_TOKEN_MOST_MS = 365 * 24 * 3_600_000;
/** A machine looks for what it registered by this label. */
export const RESOURCE_ID_LABEL = 'postern.internal/resource-id';

const role = z.pipe(
  z.string(),
  z.transform((text, context) => {
    // Files and clients write `node` and `Node`.
    const known = joinRoles.find(one => one.toLowerCase() === text.toLowerCase());
    if (known) return known;
    context.issues.push({ code: 'custom', input: text, message: `one of ${joinRoles.join(', ')}` });
    return z.NEVER;
  }),
);
export const tokenRoles = z
  .array(role)
  .check(z.minLength(1, 'at least one role'), z.maxLength(joinRoles.length, `at most ${joinRoles.length} roles`));
export const tokenUses = z.int().check(z.minimum(1, 'a whole number from 1'), z.maximum(100_000, 'at most 100000'));
/** Label -> values, as the wire has selectors. */
export const matcherLabels = z
  .record(labelName, z.union([labelValue, z.array(labelValue).check(z.maxLength(64, 'at most 64 values'))]))
  .check(z.refine(map => Object.keys(map).length <= 64, 'at most 64 labels'));
/** Public: it names the token in lists and in the audit log, and is the part of its text before the dot. */
export const tokenName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'at most 63 lower-case letters, digits and dashes'));

/** Name of a bot: that of its user is `bot-` and this. */
export const botName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9-]{0,58}$/, 'at most 59 lower-case letters, digits and dashes'));
/** How long a token lasts, such as `4h`. */
export const tokenTtl = z.string().check(
  z.refine(text => {
    const ms = parseDuration(text) ?? 0;
    return ms >= 1000 && ms <= JOIN_TOKEN_MOST_MS;
  }, 'a time such as 4h, at most a year'),
);

export const joinToken = z.object({
  name: z.string(),
  roles: z.array(z.enum(joinRoles)),
  method: z.string(),
  /** Which bot joins with it; absent: none does. */
  bot: z.optional(z.string()),
  /** What a machine that joins with it is labelled with. */
  labels,
  /** How many may still join; null: as many as there are. */
  usesLeft: z.nullable(z.number()),
  /** How many have joined. */
  used: z.number(),
  expiry: z.nullable(time),
  created: time,
  createdBy: z.string(),
});
export type JoinToken = z.infer<typeof joinToken>;

export const listJoinTokens = call('GET', 'tokens', {
  summary: 'Join tokens that have not ended; without what is secret of them.',
  access: { resource: 'token', verb: 'list' },
  reply: z.array(joinToken),
});
export const deleteJoinToken = call('DELETE', 'tokens/:name', {
  summary: 'Revoke a join token: nothing joins with it any more. What has joined stays.',
  access: { resource: 'token', verb: 'delete' },
  params: z.object({ name }),
  reply: ok,
});
