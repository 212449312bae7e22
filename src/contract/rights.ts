// Ours: what somebody may reach and who may reach something, and the one explanation of why, or why not.
import * as z from 'zod/mini';
import { verbs } from './acl.ts';
import { call } from './call.ts';
import { clusterParams, listQuery, name, page } from './shapes.ts';

/** What can be asked about, and the kind of thing that it is done to. */
export const accessActions = {
  ssh: 'node',
  db: 'db',
  kube: 'kube_cluster',
  desktop: 'windows_desktop',
  app: 'app',
} as const;
export type AccessAction = keyof typeof accessActions;
export const accessActionNames = Object.keys(accessActions) as [AccessAction, ...AccessAction[]];

/** A rule that decides, or what is missing of one, with its place in the role's YAML. `guards`, `unprepared` and `rules` decide nothing. */
const reason = z.object({
  kind: z.enum(['allows', 'denies', 'demands', 'missing', 'locked', 'guards', 'unprepared', 'rules']),
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
  /** How something is reached, or the verb of a rule. */
  action: z.enum([...accessActionNames, ...verbs]),
  /** Login, database user, group, desktop login or identity in a cloud; absent: any that there is. Rules and other applications know none. */
  principal: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  /** Id or name of the server, database, cluster, desktop or application; of a verb the kind that rules name, such as `role` or `roles`. */
  target: name,
});
export type AccessQuestion = z.infer<typeof accessQuestion>;

/** `root@db-3` as principal and target; null when it is not that. */
export function readPrincipalAt(typed: string): { readonly principal: string; readonly target: string } | null {
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

/** A role that gives something, and the line of its YAML that names it. */
const giver = z.object({
  name: z.string(),
  line: z.number(),
  /** What the access list is called that gives the role; absent: it is the person's own. */
  list: z.optional(z.string()),
});
export type Giver = z.infer<typeof giver>;
const reached = z.object({
  id: z.string(),
  title: z.string(),
  /** What may be used there: logins, database users, groups, identities in clouds. */
  principals: z.array(z.string()),
  /** Roles that give it. */
  roles: z.array(giver),
});
export type Reached = z.infer<typeof reached>;
export const listReached = call('GET', 'sites/:clusterId/rights/users/:name', {
  summary: 'What a user may reach, and by which roles. About others: for whoever may read users and roles.',
  access: 'signedIn',
  params: z.extend(clusterParams, { name }),
  query: z.extend(z.pick(listQuery, { limit: true, offset: true, startKey: true, search: true }), {
    action: z._default(z.enum(accessActionNames), 'ssh'),
  }),
  reply: page(reached),
});

const reacher = z.object({ user: z.string(), principals: z.array(z.string()), roles: z.array(giver) });
export type Reacher = z.infer<typeof reacher>;
/** What was asked about, and everybody who may reach it. */
const reachers = z.object({ id: z.string(), title: z.string(), items: z.array(reacher) });
export type Reachers = z.infer<typeof reachers>;
export const listReachers = call('GET', 'sites/:clusterId/rights/:action/:target', {
  summary: 'Who may reach something, as whom, and by which roles; needs the right to read roles too.',
  access: { resource: 'user', verb: 'list' },
  params: z.extend(clusterParams, { action: z.enum(accessActionNames), target: name }),
  reply: reachers,
});
