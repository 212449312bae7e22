// Users, their passwords, and the one-time tokens that invite or reset them.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { name, ok, time } from './shapes.ts';
import { visible } from './visible-text.ts';

const words = z.array(z.string().check(z.minLength(1), z.maxLength(255), visible)).check(z.maxLength(1000));

/** Name of a trait. */
export const traitName = z
  .string()
  .check(z.regex(/^(?!__proto__$)[A-Za-z0-9_.:/-]{1,255}$/, 'a trait name of 1 to 255 letters, digits and _ . : / -'));

export const traits = z.object({
  logins: z.optional(z.nullable(words)),
  databaseUsers: z.optional(z.nullable(words)),
  databaseNames: z.optional(z.nullable(words)),
  kubeUsers: z.optional(z.nullable(words)),
  kubeGroups: z.optional(z.nullable(words)),
  windowsLogins: z.optional(z.nullable(words)),
  awsRoleArns: z.optional(z.nullable(words)),
});
/** Trait name on the wire -> trait name in role templates such as `{{internal.logins}}`. */
export const traitNames = {
  logins: 'logins',
  databaseUsers: 'db_users',
  databaseNames: 'db_names',
  kubeUsers: 'kubernetes_users',
  kubeGroups: 'kubernetes_groups',
  windowsLogins: 'windows_logins',
  awsRoleArns: 'aws_role_arns',
} as const satisfies Record<keyof z.infer<typeof traits>, string>;

export const user = z.object({
  name: z.string(),
  roles: z.array(z.string()),
  authType: z.enum(['local', 'github', 'oidc', 'saml']),
  traits: z.optional(traits),
  allTraits: z._default(z.record(z.string(), z.array(z.string())), {}),
  isBot: z._default(z.boolean(), false),
  /** Ours; absent: never. */
  lastSignIn: z.optional(time),
  /** Ours: until when too many failed sign-ins keep the name out; absent: they do not. */
  lockedUntil: z.optional(time),
});
export type User = z.infer<typeof user>;

/** Why nobody invites or resets whoever signs in elsewhere; undefined where there is something to reset. */
export const noPasswordHere = ({
  name,
  authType,
  isBot,
}: Pick<User, 'name' | 'authType' | 'isBot'>): string | undefined =>
  isBot
    ? `"${name}" is a bot: it joins with a token and has no password`
    : authType === 'local'
      ? undefined
      : `user "${name}" signs in through ${authType} and has no password here`;

const userBody = z.object({
  name,
  roles: z.array(name).check(z.minLength(1), z.maxLength(100)),
  traits: z.nullish(traits),
  allTraits: z.nullish(z.record(traitName, words)),
});
export type UserBody = z.infer<typeof userBody>;
const userParams = z.object({ name });

export const listUsers = call('GET', 'users', {
  summary: 'All users.',
  access: { resource: 'user', verb: 'list' },
  reply: z.array(user),
});
export const getUser = call('GET', 'users/:name', {
  summary: 'One user.',
  access: { resource: 'user', verb: 'read' },
  params: userParams,
  reply: user,
});
export const createUser = call('POST', 'users', {
  summary: 'Create a user.',
  access: { resource: 'user', verb: 'create' },
  body: userBody,
  reply: user,
});
export const updateUser = call('PUT', 'users', {
  summary: "Replace a user's roles; a trait that is left out stays, an empty one is cleared.",
  access: { resource: 'user', verb: 'update' },
  body: userBody,
  reply: user,
});
export const checkUser = call('POST', 'users/check', {
  summary:
    'What replacing the roles would do to whoever asks; refuses what replacing would refuse, and changes nothing.',
  access: { resource: 'user', verb: 'update' },
  body: userBody,
  /** Whether whoever asks may edit users and roles now, and could not afterwards. */
  reply: z.object({ losesAdministration: z.boolean() }),
});
export const deleteUser = call('DELETE', 'users/:name', {
  summary: 'Delete a user.',
  access: { resource: 'user', verb: 'delete' },
  params: userParams,
  reply: ok,
});

/** Lifetimes of one-time tokens, milliseconds. */
export const TOKEN_LIFETIMES_MS = { invite: 3_600_000, password: 8 * 3_600_000 } as const;

export const createResetToken = call('POST', 'users/password/token', {
  summary: 'A one-time link that invites a user or resets their sign-in. A reset deletes the password and devices.',
  access: { resource: 'user', verb: 'update' },
  body: z.object({ name, type: z.enum(['invite', 'password']) }),
  reply: z.object({ tokenId: z.string(), user: z.string(), expiry: time }),
});
/** The console's floor (specification section 5); the gateway may ask for more. */
export const PASSWORD_LEAST_CHARACTERS = 6;
