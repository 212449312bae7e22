// Agents: a program that a person lets work in her place, with fewer rights, until a time, for so many calls.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { parseDuration } from './duration.ts';
import { clusterParams, labelName, labelValue, name, ok, time } from './shapes.ts';
import { visible } from './visible-text.ts';

/** Where agents connect: the Model Context Protocol over streamable HTTP. */
export const AGENTS_PATH = '/mcp';

/** Life of an agent, and calls that it may make, unless somebody says otherwise, and at most. */
export const AGENT_MS = 2 * 3_600_000;
export const AGENT_MOST_MS = 30 * 86_400_000;
export const AGENT_CALLS = 100;
export const AGENT_CALLS_MOST = 100_000;
/** Of why an agent makes a call, characters. */
export const AGENT_REASON_MOST_CHARACTERS = 500;

/** What an agent may look for and use. */
export const agentKinds = ['server', 'database', 'cluster', 'recording', 'audit'] as const;
export type AgentKind = (typeof agentKinds)[number];
/** `ended`: its time is up; `spent`: its calls are. */
export const agentStates = ['active', 'stopped', 'ended', 'spent'] as const;
export type AgentState = (typeof agentStates)[number];

export const agentName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'at most 63 lower-case letters, digits and . _ -, such as deploy-bot'));
const word = z.string().check(z.minLength(1), z.maxLength(255), visible);
const words = (what: string) => z.array(word).check(z.maxLength(50, `at most 50 ${what}`));
const agentLabels = z
  .record(labelName, labelValue)
  .check(z.refine(map => Object.keys(map).length <= 16, 'at most 16 labels'));
const life = z.string().check(
  z.refine(text => {
    const ms = parseDuration(text) ?? 0;
    return ms >= 1000 && ms <= AGENT_MOST_MS;
  }, 'a time such as 2h, at most 30 days'),
);
const budget = z
  .int()
  .check(z.minimum(1, 'a whole number from 1'), z.maximum(AGENT_CALLS_MOST, `at most ${AGENT_CALLS_MOST}`));

export const agent = z.object({
  id: z.string(),
  name: z.string(),
  /** Who delegated it. */
  owner: z.string(),
  /** Of the owner's roles, those that it works with. */
  roles: z.array(z.string()),
  kinds: z.array(z.enum(agentKinds)),
  /** Only what carries all of them; empty: whatever the roles select. */
  labels: z.record(z.string(), z.string()),
  /** Only as these logins and database users; empty: whatever the roles name. */
  logins: z.array(z.string()),
  /** Its commands and statements wait for its owner, whatever roles say. */
  asks: z.boolean(),
  state: z.enum(agentStates),
  until: time,
  /** Calls that it may make in all, and has made. */
  calls: z.number(),
  used: z.number(),
  created: time,
  lastCall: z.nullable(z.object({ at: time, tool: z.string(), reason: z.string() })),
  isOwn: z.boolean(),
});
export type Agent = z.infer<typeof agent>;

/** What an agent is connected with. The token is shown this once; the gateway keeps its digest. */
const madeAgent = z.object({
  agent,
  /** Absent: that of before still counts. */
  token: z.optional(z.string()),
  /** Address of the gateway's MCP server. */
  url: z.string(),
});
export type MadeAgent = z.infer<typeof madeAgent>;

const idParams = z.extend(clusterParams, { id: name });

export const listAgents = call('GET', 'sites/:clusterId/agents', {
  summary: "One's own agents, and those of everybody for whoever may lock people.",
  access: 'signedIn',
  params: clusterParams,
  reply: z.object({ items: z.array(agent) }),
});
export const createAgent = call('POST', 'sites/:clusterId/agents', {
  summary: 'Delegate an agent with fewer rights than one has. Its token is shown this once.',
  access: 'signedIn',
  params: clusterParams,
  body: z.object({
    name: agentName,
    /** Absent: all of one's roles; then kinds, labels or logins must narrow them. */
    roles: z.optional(words('roles')),
    kinds: z.optional(z.array(z.enum(agentKinds)).check(z.minLength(1, 'at least one kind'))),
    labels: z._default(agentLabels, {}),
    logins: z._default(words('logins'), []),
    asks: z._default(z.boolean(), false),
    for: z._default(life, '2h'),
    calls: z._default(budget, AGENT_CALLS),
  }),
  reply: madeAgent,
});
export const renewAgent = call('PUT', 'sites/:clusterId/agents/:id', {
  summary: "Give one's own agent time and calls anew, also one that was stopped; `newToken`: the one before ends.",
  access: 'signedIn',
  params: idParams,
  body: z.object({
    for: z._default(life, '2h'),
    calls: z._default(budget, AGENT_CALLS),
    newToken: z._default(z.boolean(), false),
  }),
  reply: madeAgent,
});
export const stopAgent = call('POST', 'sites/:clusterId/agents/:id/stop', {
  summary: 'Stop an agent: what it runs ends at once, and it makes no call until it is renewed.',
  access: 'signedIn',
  params: idParams,
  reply: ok,
});
export const deleteAgent = call('DELETE', 'sites/:clusterId/agents/:id', {
  summary: "Delete one's own agent, or another's with the right to lock people: what it runs ends at once.",
  access: 'signedIn',
  params: idParams,
  reply: ok,
});
