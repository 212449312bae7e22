// Sessions that are running now.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, name, ok, time } from './shapes.ts';

/** How a person takes part: a peer types, a moderator watches and may end it, an observer watches. */
export const modes = ['observer', 'moderator', 'peer'] as const;
export type Mode = (typeof modes)[number];

/** Whether a session waits for people that it may not begin without, runs, or is held until they are back. */
export const sessionStates = ['pending', 'running', 'paused'] as const;

export const participant = z.object({
  id: z.string(),
  remote_addr: z.string(),
  user: z.string(),
  server_id: z.string(),
  last_active: time,
  mode: z.optional(z.enum(modes)),
  /** Ours: who acts as this user; absent: nobody but they. */
  impersonator: z.optional(z.string()),
});
export const liveSession = z.object({
  /** Ours: `file`, a connection for files. */
  kind: z.enum(['ssh', 'k8s', 'db', 'app', 'desktop', 'file']),
  id: z.string(),
  namespace: z._default(z.string(), 'default'),
  parties: z.array(participant),
  terminal_params: z.object({ w: z.number(), h: z.number() }),
  login: z.string(),
  created: time,
  last_active: time,
  server_id: z.string(),
  server_hostname: z.string(),
  server_hostport: z._default(z.string(), ''),
  server_addr: z.string(),
  cluster_name: z.string(),
  kubernetes_cluster_name: z._default(z.string(), ''),
  desktop_name: z._default(z.string(), ''),
  database_name: z._default(z.string(), ''),
  app_name: z._default(z.string(), ''),
  owner: z.string(),
  moderated: z._default(z.boolean(), false),
  command: z._default(z.string(), ''),
  /** Ours. */
  state: z._default(z.enum(sessionStates), 'running'),
  /** Ours: the command that was run last, as far as its shell's output tells; '' where it is not known, or not this person's to see. */
  last_command: z._default(z.string(), ''),
  /** Ours: the agent that began it in its owner's place, and why, as it said; '': no agent did. */
  agent: z._default(z.string(), ''),
  agent_reason: z._default(z.string(), ''),
  /** Ours: the server's labels say production. */
  production: z._default(z.boolean(), false),
});
export type LiveSession = z.infer<typeof liveSession>;
export const listedSession = z.extend(liveSession, { participantModes: z.array(z.enum(modes)) });
export type ListedSession = z.infer<typeof listedSession>;

export const listSessions = call('GET', 'sites/:clusterId/sessions', {
  summary: 'Running sessions that this person owns or may join.',
  access: 'signedIn',
  params: clusterParams,
  reply: z.object({ sessions: z.array(listedSession) }),
});
export const getSession = call('GET', 'sites/:clusterId/sessions/:sid', {
  summary: 'One running session, as the list would show it.',
  access: 'signedIn',
  params: z.object({ clusterId: name, sid: name }),
  reply: z.object({ sessions: z.array(listedSession) }),
});
export const endSession = call('DELETE', 'sites/:clusterId/sessions/:sid', {
  summary: 'End a running session: its owner, or a moderator.',
  access: 'signedIn',
  params: z.object({ clusterId: name, sid: name }),
  reply: ok,
});
