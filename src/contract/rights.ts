// Ours: what somebody may reach and who may reach something, and the one explanation of why, or why not.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, countUpTo, name } from './shapes.ts';

/** What can be asked about, and the kind of thing that it is done to. */
export const accessActions = { ssh: 'node', db: 'db', kube: 'kube_cluster', desktop: 'windows_desktop' } as const;
export type AccessAction = keyof typeof accessActions;
export const accessActionNames = Object.keys(accessActions) as [AccessAction, ...AccessAction[]];

/** A rule that decides, or what is missing of one, with its place in the role's YAML. */
const reason = z.object({
  kind: z.enum(['allows', 'denies', 'demands', 'missing', 'locked']),
  /** Empty where it is no role's. */
  role: z.string(),
  /** From 1; 0 where there is no role. */
  line: z.number(),
  column: z.number(),
  /** A sentence. */
  text: z.string(),
});
export type Reason = z.infer<typeof reason>;
const explanation = z.object({
  allowed: z.boolean(),
  /** One sentence. */
  text: z.string(),
  /** What decided first comes first. */
  reasons: z.array(reason),
});
export type Explanation = z.infer<typeof explanation>;

export const accessQuestion = z.object({
  user: name,
  action: z.enum(accessActionNames),
  /** Login, database user, group or desktop login. */
  principal: z.string().check(z.minLength(1), z.maxLength(255)),
  /** Id or name of the server, database, cluster or desktop. */
  target: name,
});
export type AccessQuestion = z.infer<typeof accessQuestion>;

/** `root@db-3` as principal and target; null when it is not that. */
export function readPrincipalAt(typed: string): Pick<AccessQuestion, 'principal' | 'target'> | null {
  const at = typed.lastIndexOf('@');
  const [principal, target] = [typed.slice(0, at), typed.slice(at + 1)];
  return at < 1 || target === '' ? null : { principal, target };
}

export const explainAccess = call('GET', 'sites/:clusterId/rights/explain', {
  summary: 'Whether somebody may, and which rules say so. About others: for whoever may read users and roles.',
  access: 'signedIn',
  params: clusterParams,
  query: z.extend(accessQuestion, { user: z.optional(name) }),
  reply: explanation,
});

const reached = z.object({
  id: z.string(),
  title: z.string(),
  /** What may be used there: logins, database users, groups. */
  principals: z.array(z.string()),
  /** Roles that give it. */
  roles: z.array(z.string()),
});
export type Reached = z.infer<typeof reached>;
export const listReached = call('GET', 'sites/:clusterId/rights/users/:name', {
  summary: 'What a user may reach, and by which roles; needs the right to read roles too.',
  access: { resource: 'user', verb: 'read' },
  params: z.extend(clusterParams, { name }),
  query: z.object({
    action: z._default(z.enum(accessActionNames), 'ssh'),
    limit: z.optional(countUpTo(1000)),
    startKey: z.optional(z.string().check(z.maxLength(2048))),
    search: z.optional(z.string().check(z.maxLength(1024))),
  }),
  reply: z.object({ items: z.array(reached), startKey: z.string(), totalCount: z.number() }),
});

const reacher = z.object({ user: z.string(), principals: z.array(z.string()), roles: z.array(z.string()) });
export type Reacher = z.infer<typeof reacher>;
export const listReachers = call('GET', 'sites/:clusterId/rights/:action/:target', {
  summary: 'Who may reach something, as whom, and by which roles; needs the right to read roles too.',
  access: { resource: 'user', verb: 'list' },
  params: z.extend(clusterParams, { action: z.enum(accessActionNames), target: name }),
  reply: z.array(reacher),
});
