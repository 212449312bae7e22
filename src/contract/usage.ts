// What the cluster is used for, by the month and from its own audit log: what a bill by use would be made from.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, countUpTo } from './shapes.ts';

/** Months that can be asked for at once. */
const MONTHS_MOST = 24;
const count = z.number();

const month = z.object({
  /** Such as `2026-11`; months are those of UTC. */
  month: z.string(),
  /** Whether it has ended: its numbers stay as they are. */
  isOver: z.boolean(),
  /** People who signed in or began a session. */
  people: count,
  /** Sessions that began. */
  sessions: z.object({ server: count, database: count, cluster: count, application: count, desktop: count }),
});
export type UsageMonth = z.infer<typeof month>;

export const usage = z.object({
  /** The newest first. */
  months: z.array(month),
  /** What can be reached now, by kind. */
  resources: z.object({ servers: count, databases: count, clusters: count, applications: count, desktops: count }),
});
export type Usage = z.infer<typeof usage>;

/** By the specification (section 1) for clusters that are billed; counted here, sent nowhere. */
export const getUsage = call('GET', 'sites/:clusterId/billing/usage', {
  summary: 'People, sessions and resources by the month. 404 where the deployment has no billing.',
  access: { resource: 'billing', verb: 'list' },
  params: clusterParams,
  query: z.object({ months: z._default(countUpTo(MONTHS_MOST), 12) }),
  reply: usage,
});
