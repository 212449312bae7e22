// One command on many servers: the socket's parameters, and the JSON inside its frames.
import * as z from 'zod/mini';

/** Path of the socket; `access_token` and `params` are its query. */
export const commandRunPath = '/v1/webapi/command/:clusterId/execute';

/** Longest command, characters. */
const COMMAND_MOST_CHARACTERS = 4096;
/** Longest choice of servers, characters, as in lists. */
const RUN_QUERY_MOST_CHARACTERS = 4096;
/** Servers of one run, at most. */
export const RUN_HOSTS_MOST = 1000;
/** Servers that are worked on at once: what is meant when none is said, and the most. */
export const PARALLEL_DEFAULT = 25;
export const PARALLEL_MOST = 100;
/** Output of one server that is shown, bytes; all of it is recorded. */
export const RUN_OUTPUT_MOST_BYTES = 1024 * 1024;

const login = z.string().check(z.maxLength(255));
const id = z.string().check(z.regex(/^[A-Za-z0-9-]{0,64}$/, 'at most 64 letters, digits and -'));

export const commandRunParams = z.object({
  command: z
    .string()
    .check(
      z.maxLength(COMMAND_MOST_CHARACTERS, `at most ${COMMAND_MOST_CHARACTERS} characters`),
      z.regex(/\S/, 'give the command'),
      z.regex(/^[^\0]*$/, 'no NUL characters'),
    ),
  /** OS login on every server that `logins` does not name. */
  login: z._default(login, ''),
  /** Which servers, as the list is asked: those that this person sees and that the predicate selects. */
  query: z
    .string()
    .check(
      z.maxLength(RUN_QUERY_MOST_CHARACTERS, `at most ${RUN_QUERY_MOST_CHARACTERS} characters`),
      z.regex(/\S/, 'say which servers'),
    ),
  /** Of the assistant, where the command was proposed. */
  conversation_id: z._default(id, ''),
  /** Chosen by the client; audit events of the run carry it. */
  execution_id: z._default(id, ''),
  /** Ours: servers that are worked on at once. */
  parallel: z._default(z.number().check(z.int(), z.minimum(1), z.maximum(PARALLEL_MOST)), PARALLEL_DEFAULT),
  /** Ours: OS logins by id of the server, where they differ from `login`. */
  logins: z._default(z.record(z.string(), login), {}),
});
export type CommandRunAsked = z.input<typeof commandRunParams>;
export type CommandRunParams = z.infer<typeof commandRunParams>;

/** Output as it came, by where the command wrote it; or why there is none, in words; or, of no server, what the assistant says of it all. */
const outputTypes = ['stdout', 'stderr', 'postern-error', 'summary'] as const;
/** Payload of a raw frame. `payload` is base64. */
export const runOutput = z.object({
  node_id: z.string(),
  type: z.enum(outputTypes),
  payload: z.string(),
});
export type RunOutput = z.infer<typeof runOutput>;
/** Output in one frame, bytes: as base64 in its JSON it stays below the frame length that every client of this wire reads. */
export const RUN_PIECE_BYTES = 10_000;

const runHost = z.object({ node_id: z.string(), hostname: z.string(), login: z.string() });
export type RunHost = z.infer<typeof runHost>;
/** Ours, in audit frames before anything else: the servers of the run, RUN_HOSTS_PER_FRAME in each. Others ignore unknown events. */
export const runHosts = z.object({
  event: z.literal('run.hosts'),
  total: z.number(),
  parallel: z.number(),
  hosts: z.array(runHost),
});
export type RunHosts = z.infer<typeof runHosts>;
export const RUN_HOSTS_PER_FRAME = 20;

/** Payload of the close frame of one server. All but `node_id` is ours. */
export const runEnded = z.object({
  node_id: z.string(),
  /** Exit status; null: ended by a signal, or nothing ran to its end. */
  code: z._default(z.nullable(z.number()), null),
  signal: z._default(z.nullable(z.string()), null),
  /** Why there is no status; '' where there is one. */
  error: z._default(z.string(), ''),
});
export type RunEnded = z.infer<typeof runEnded>;
