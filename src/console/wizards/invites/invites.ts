// People that somebody names before they have come in; they are invited as soon as the console has started.
import * as z from 'zod/mini';

const names = z.array(z.string()).check(z.maxLength(100));
/** Whom to invite, and what all of them get. */
export const invites = z.object({ people: names, roles: names, logins: names });
export type Invites = { readonly [Field in keyof z.infer<typeof invites>]: readonly string[] };
export const noInvites: Invites = { people: [], roles: ['access'], logins: [] };
/** Roles that every cluster begins with. */
export const firstRoles = ['access', 'editor', 'auditor'] as const;
