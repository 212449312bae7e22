// An agent as the store keeps it, and as it is read back.
import * as z from 'zod/mini';
import { type Agent, type AgentState, agentKinds } from '../../../contract/agents.ts';
import type { NewResource, Resource } from '../../store/store.ts';

/** How long an agent is kept after its time is up, ms: so long it can be renewed. */
const KEPT_MS = 30 * 86_400_000;

const spec = z.object({
  ownerId: z.string(),
  owner: z.string(),
  /** SHA-256 of the secret part of its token, hex. */
  hash: z.string(),
  roles: z.array(z.string()),
  kinds: z.array(z.enum(agentKinds)),
  labels: z.record(z.string(), z.string()),
  logins: z.array(z.string()),
  asks: z.boolean(),
  isStopped: z.boolean(),
  /** Its time is up then. */
  until: z.string(),
  calls: z.number(),
  used: z.number(),
  lastCall: z.nullable(z.object({ at: z.string(), tool: z.string(), reason: z.string() })),
});
export interface StoredAgent extends z.output<typeof spec> {
  readonly id: string;
  readonly name: string;
  readonly created: Date;
  /** Of the row; a new one has none. */
  readonly revision: number;
}

/** Null for a row that holds no agent. */
export function readAgent({ name, title, created, revision, spec: kept }: Resource): StoredAgent | null {
  const read = z.safeParse(spec, kept);
  return read.success ? { ...read.data, id: name, name: title, created, revision } : null;
}

export function agentResource({ id, name, created: _created, revision: _revision, ...kept }: StoredAgent): NewResource {
  return {
    kind: 'agent',
    name: id,
    title: name,
    description: '',
    address: '',
    subtype: '',
    labels: {},
    words: [],
    spec: kept,
    expires: new Date(Date.parse(kept.until) + KEPT_MS),
  };
}

export function stateOf({ isStopped, until, calls, used }: StoredAgent, now: Date): AgentState {
  if (isStopped) return 'stopped';
  if (Date.parse(until) <= now.getTime()) return 'ended';
  return used >= calls ? 'spent' : 'active';
}

/** As lists show it to somebody. */
export const shownAgent = (one: StoredAgent, userId: string, now: Date): Agent => ({
  id: one.id,
  name: one.name,
  owner: one.owner,
  roles: one.roles,
  kinds: one.kinds,
  labels: one.labels,
  logins: one.logins,
  asks: one.asks,
  state: stateOf(one, now),
  until: one.until,
  calls: one.calls,
  used: one.used,
  created: one.created.toISOString(),
  lastCall: one.lastCall,
  isOwn: one.ownerId === userId,
});
