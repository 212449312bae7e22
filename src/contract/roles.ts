// Roles as YAML resources.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { name, ok } from './shapes.ts';

/** A resource that people read and write as YAML. `id` is `kind:name`. */
export const resourceItem = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  content: z.string(),
  /** Ours: what of it is kept and not enforced yet, said when it was written. */
  notes: z.optional(z.array(z.string())),
});
export type ResourceItem = z.infer<typeof resourceItem>;
/** Body of calls that write one. */
export const content = z.object({ content: z.string().check(z.minLength(1), z.maxLength(262_144)) });
const params = z.object({ name });

export const listRoles = call('GET', 'roles', {
  summary: 'All roles.',
  access: { resource: 'role', verb: 'list' },
  reply: z.array(resourceItem),
});
export const getRole = call('GET', 'roles/:name', {
  summary: 'One role. One needs no right to read those that one holds.',
  access: 'signedIn',
  params,
  reply: resourceItem,
});
export const createRole = call('POST', 'roles', {
  summary: 'Create a role from YAML.',
  access: { resource: 'role', verb: 'create' },
  body: content,
  reply: resourceItem,
});
export const updateRole = call('PUT', 'roles/:name', {
  summary: 'Replace a role; renaming is refused.',
  access: { resource: 'role', verb: 'update' },
  params,
  body: content,
  reply: resourceItem,
});
export const updateNamedRole = call('PUT', 'roles', {
  summary: 'Replace the role that the body names, by `name` or in its YAML.',
  access: { resource: 'role', verb: 'update' },
  body: z.extend(content, { name: z.optional(name) }),
  reply: resourceItem,
});
export const deleteRole = call('DELETE', 'roles/:name', {
  summary: 'Delete a role that nobody holds.',
  access: { resource: 'role', verb: 'delete' },
  params,
  reply: ok,
});

export const listPresetRoles = call('GET', 'presetroles', {
  summary: 'The roles that come with the product.',
  access: 'public',
  reply: z.array(resourceItem),
});
