// The tools of agents: what each takes, and what it does as the agent. Every use is counted and in the audit log, whatever became of it.
import * as z from 'zod/mini';
import { AGENT_REASON_MOST_CHARACTERS, type AgentKind } from '../../contract/agents.ts';
import { EVENTS_MOST } from '../../contract/audit.ts';
import { described } from '../../contract/document-parts.ts';
import { Failure } from '../../contract/failure.ts';
import { visible, visibleLines } from '../../contract/visible-text.ts';
import { wordsFilter } from '../../contract/words.ts';
import { check } from '../http/check.ts';
import type { Services } from '../http/services.ts';
import { ConnectError } from '../ports/reach.ts';
import type { Who } from '../ports/who.ts';
import { StatementError } from '../services/protocols/databases/prompt/engine.ts';
import { describe, listPods } from '../services/protocols/kubernetes/pods.ts';
import { runAgentCommand } from '../services/sessions/agent-command.ts';
import { marked } from './agent-data.ts';

/** Rows of a list, and of an answer of a database, and how many unless somebody says. */
const ITEMS_MOST = 100;
const ITEMS_DEFAULT = 50;
const ROWS_MOST = 1000;
const ROWS_DEFAULT = 100;
/** One value of a row, or one item of a list, characters. */
const VALUE_MOST_CHARACTERS = 4096;
/** What runs is ended after this, s. */
const TIMEOUT_DEFAULT_S = 60;
const TIMEOUT_MOST_S = 600;
const COMMAND_MOST_CHARACTERS = 16_384;

const oneLine = (most: number) => z.string().check(z.maxLength(most, `at most ${most} characters`), visible);
const reason = described(
  'Why you do this, in a sentence: your person, reviewers and the audit log read it.',
  oneLine(AGENT_REASON_MOST_CHARACTERS).check(z.minLength(3, 'say why, in a sentence')),
);
const search = described('Words that are looked for in names, addresses and labels.', z.optional(oneLine(200)));
const startKey = described('`next` of the page before.', z.optional(oneLine(2048)));
const limit = described(
  `How many, at most ${ITEMS_MOST}.`,
  z.optional(z.int().check(z.minimum(1), z.maximum(ITEMS_MOST))),
);
const found = z.strictObject({ reason, search, limit, startKey });
const between = {
  from: described('Such as 2026-01-31T08:00:00Z; absent: a month ago.', z.optional(z.iso.datetime())),
  to: described('Absent: now.', z.optional(z.iso.datetime())),
};
const timeout = described(
  `Seconds after which it is ended, at most ${TIMEOUT_MOST_S}.`,
  z.optional(z.int().check(z.minimum(1), z.maximum(TIMEOUT_MOST_S))),
);

const cluster = described('Name of the cluster, as find_clusters lists it.', oneLine(255).check(z.minLength(1)));

/** What a tool is used with. */
export interface ToolUse {
  /** The agent does not want it any more, or is gone. */
  readonly signal: AbortSignal;
  readonly remoteAddr: string;
  /** Tells the agent that something waits, and why. */
  waits(text: string): void;
}
interface Answer {
  readonly text: string;
  /** The same for programs, without other people's words. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}
interface Acting extends ToolUse {
  readonly who: Who;
  /** Puts it before the agent's person where that is asked for, and answers the agent as it is then. */
  approved(wish: Omit<Parameters<Services['askOwner']>[0], 'who' | 'signal' | 'waits' | 'again'>): Promise<Who>;
}
interface Tool<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly name: string;
  readonly kind: AgentKind;
  readonly title: string;
  readonly description: string;
  readonly schema: Schema;
  /** It changes nothing. */
  readonly isReading: boolean;
  run(given: z.output<Schema>, acting: Acting, services: Services): Promise<Answer>;
}
const tool = <Schema extends z.ZodMiniType>(row: Tool<Schema>): Tool => row as unknown as Tool;

const cut = (text: string): string =>
  text.length > VALUE_MOST_CHARACTERS ? `${text.slice(0, VALUE_MOST_CHARACTERS)}…` : text;
/** A page of a list, one line for each item. */
const listed = (from: string, items: readonly unknown[], next: string): Answer => ({
  text: `${items.length} found${next === '' ? '' : `; more with startKey ${JSON.stringify(next)}`}.\n${marked(from, items.map(item => cut(JSON.stringify(item))).join('\n'))}`,
  facts: { count: items.length, next },
});
const query = ({ search: words, limit: most = ITEMS_DEFAULT, startKey: key }: z.output<typeof found>) => ({
  limit: most,
  ...(words && { search: words }),
  ...(key && { startKey: key }),
});
const may = (who: Who, resource: Parameters<Who['rights']['may']>[0]): void => {
  if (!who.rights.may(resource, 'list'))
    throw new Failure('denied', `access denied: nothing lets this agent "list" "${resource}"`);
};
const labelsOf = (labels: readonly { readonly name: string; readonly value: string }[]) =>
  Object.fromEntries(labels.map(({ name, value }) => [name, value]));
const timesOf = ({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }, now: Date) => {
  const end = to === undefined ? now : new Date(to);
  const start = from === undefined ? new Date(end.getTime() - 30 * 86_400_000) : new Date(from);
  if (start > end) throw new Failure('bad_request', 'from: must not be after to');
  return { from: start, to: end, types: [], descending: true };
};

export const tools: readonly Tool[] = [
  tool({
    name: 'find_servers',
    kind: 'server',
    title: 'Find servers',
    description: 'Lists servers that you may see, with the logins that you may use on each.',
    schema: found,
    isReading: true,
    async run(given, { who }, { servers }) {
      may(who, 'node');
      const { items, startKey: next } = await servers.list(who, query(given));
      return listed(
        'the list of servers',
        items.map(({ id, hostname, tags, sshLogins }) => ({ id, hostname, labels: labelsOf(tags), logins: sshLogins })),
        next,
      );
    },
  }),
  tool({
    name: 'find_databases',
    kind: 'database',
    title: 'Find databases',
    description: 'Lists databases that you may see, with the database users and names that you may use.',
    schema: found,
    isReading: true,
    async run(given, { who }, { reachable }) {
      may(who, 'db_server');
      const { items, startKey: next } = await reachable.databases(who, query(given));
      return listed(
        'the list of databases',
        items.map(({ name, protocol, labels, database_users: users, database_names: names }) => ({
          ...{ name, protocol, labels: labelsOf(labels), users, names },
        })),
        next,
      );
    },
  }),
  tool({
    name: 'find_clusters',
    kind: 'cluster',
    title: 'Find Kubernetes clusters',
    description: 'Lists Kubernetes clusters that you may see.',
    schema: found,
    isReading: true,
    async run(given, { who }, { reachable }) {
      may(who, 'kube_server');
      const { items, startKey: next } = await reachable.kubes(who, query(given));
      return listed(
        'the list of clusters',
        items.map(({ name, labels }) => ({ name, labels: labelsOf(labels) })),
        next,
      );
    },
  }),
  tool({
    name: 'find_pods',
    kind: 'cluster',
    title: 'Find pods',
    description: 'Lists pods of a Kubernetes cluster that you may see, with their status and containers.',
    schema: z.strictObject({
      reason,
      cluster,
      namespace: described('Absent: all that you may see.', z.optional(oneLine(253))),
      search: described('Words that are looked for in names and namespaces.', z.optional(oneLine(200))),
      limit,
    }),
    isReading: true,
    async run(
      { cluster: name, namespace = '', search: words = '', limit: most = ITEMS_DEFAULT },
      { who },
      { clusters },
    ) {
      const fits = wordsFilter(words);
      const { pods } = await listPods(await clusters.open(who, name, ''), name, namespace);
      const all = pods.filter(pod => fits(`${pod.name} ${pod.namespace}`));
      const said = listed(
        `the cluster ${name}`,
        all
          .slice(0, most)
          .map(({ name: pod, namespace: space, status, ready, restarts, node, created, containers }) => ({
            ...{ name: pod, namespace: space, status, ready, restarts, node, created },
            containers: containers.map(one => one.name),
          })),
        '',
      );
      return { ...said, facts: { count: Math.min(all.length, most), total: all.length } };
    },
  }),
  tool({
    name: 'read_pod',
    kind: 'cluster',
    title: 'Read a pod',
    description: 'Answers one pod of a Kubernetes cluster as YAML: what it is made of, and its status.',
    schema: z.strictObject({
      reason,
      cluster,
      namespace: described('Namespace of the pod.', oneLine(253).check(z.minLength(1))),
      pod: described('Name of the pod.', oneLine(253).check(z.minLength(1))),
    }),
    isReading: true,
    async run({ cluster: name, namespace, pod }, { who }, { clusters }) {
      const { yaml } = await describe(await clusters.open(who, name, ''), name, { namespace, pod });
      return { text: marked(`the cluster ${name}`, yaml), facts: { cluster: name, namespace, pod } };
    },
  }),
  tool({
    name: 'find_recordings',
    kind: 'recording',
    title: 'Find recordings',
    description: 'Lists recorded sessions that you may see, the newest first.',
    schema: z.strictObject({ reason, search, limit, startKey, ...between }),
    isReading: true,
    async run(given, { who }, { auditAccess, clock }) {
      may(who, 'session');
      const { events, startKey: next } = await auditAccess.recordings(who, {
        ...query(given),
        ...timesOf(given, clock()),
      });
      return listed('the audit log', events, next);
    },
  }),
  tool({
    name: 'find_audit_events',
    kind: 'audit',
    title: 'Find audit events',
    description: 'Lists events of the audit log that you may see, the newest first.',
    schema: z.strictObject({ reason, search, limit, startKey, ...between }),
    isReading: true,
    async run(given, { who }, { auditAccess, clock }) {
      may(who, 'event');
      const most = Math.min(given.limit ?? ITEMS_DEFAULT, EVENTS_MOST);
      const { events, startKey: next } = await auditAccess.events(who, {
        ...query(given),
        ...timesOf(given, clock()),
        limit: most,
      });
      return listed('the audit log', events, next);
    },
  }),
  tool({
    name: 'run_command',
    kind: 'server',
    title: 'Run a command on a server',
    description:
      'Runs one shell command on a server as a recorded session of your person, without a terminal and without input. It may wait for approval.',
    schema: z.strictObject({
      reason,
      server: described('Id or hostname of the server.', oneLine(255).check(z.minLength(1))),
      login: described('User on the server; absent: the only one that you may use.', z.optional(oneLine(255))),
      command: described(
        'What a shell of the server runs.',
        z.string().check(z.minLength(1), z.maxLength(COMMAND_MOST_CHARACTERS), visibleLines),
      ),
      timeoutSeconds: timeout,
    }),
    isReading: false,
    async run({ server, login: named, command, timeoutSeconds = TIMEOUT_DEFAULT_S }, acting, { servers, sessions }) {
      const target = await servers.target(acting.who, server);
      const allowed = acting.who.rights.logins(target.labels);
      const login = named ?? (allowed.length === 1 ? (allowed[0] ?? '') : '');
      if (login === '')
        throw new Failure('bad_request', `login: say which: ${allowed.join(', ') || 'none is allowed'}`);
      const who = await acting.approved({
        on: { name: target.hostname, labels: target.labels, protocol: 'ssh' },
        as: login,
        dbName: '',
        text: command,
      });
      const { signal } = acting;
      const ran = await runAgentCommand(sessions, {
        ...{ who, target, login, line: command, signal, timeoutMs: timeoutSeconds * 1000 },
      });
      const { sid, code, signal: by, error, bytes } = ran;
      const end =
        error !== '' ? error : by !== '' ? `It was ended by signal ${by}.` : `It ended with exit code ${code}.`;
      const parts = (['stdout', 'stderr'] as const).flatMap(from =>
        ran[from] === '' ? [] : [`${from}:`, marked(`what the command printed on ${target.hostname}`, ran[from])],
      );
      return {
        text: [`${end} Its session is ${sid}.`, ...(parts.length > 0 ? parts : ['It printed nothing.'])].join('\n'),
        facts: { session: sid, exitCode: code, signal: by, error, bytes },
        isError: error !== '',
      };
    },
  }),
  tool({
    name: 'run_statement',
    kind: 'database',
    title: 'Run a statement on a database',
    description:
      'Runs one statement on a database as a recorded session of your person. Guards of roles may refuse it, hide columns, or keep it for a reviewer.',
    schema: z.strictObject({
      reason,
      database: described(
        'Name of the database server, as find_databases lists it.',
        oneLine(255).check(z.minLength(1)),
      ),
      user: described('Database user; absent: the only one that you may use.', z.optional(oneLine(255))),
      name: described('Which of its databases; absent: the one that is called as the user.', z.optional(oneLine(255))),
      statement: described(
        'One statement.',
        z.string().check(z.minLength(1), z.maxLength(COMMAND_MOST_CHARACTERS), visibleLines),
      ),
      rows: described(
        `How many rows are answered, at most ${ROWS_MOST}.`,
        z.optional(z.int().check(z.minimum(1), z.maximum(ROWS_MOST))),
      ),
      timeoutSeconds: timeout,
    }),
    isReading: false,
    async run(given, acting, { reachable, runStatement }) {
      const { database: name, statement, timeoutSeconds = TIMEOUT_DEFAULT_S, rows: rowsMost = ROWS_DEFAULT } = given;
      const { database_users: users, labels, protocol } = await reachable.database(acting.who, name);
      const dbUser = given.user ?? (users.length === 1 && users[0] !== '*' ? (users[0] ?? '') : '');
      if (dbUser === '') throw new Failure('bad_request', `user: say which: ${users.join(', ') || 'none is allowed'}`);
      const dbName = given.name ?? (protocol === 'postgres' ? dbUser : '');
      const who = await acting.approved({
        on: { name, labels: labelsOf(labels), protocol },
        as: dbUser,
        dbName,
        text: statement,
      });
      const notices: string[] = [];
      const { sid, answer } = await runStatement({
        ...{ who, database: name, dbUser, dbName, text: statement, rowsMost },
        timeoutMs: timeoutSeconds * 1000,
        signal: acting.signal,
        notice(text) {
          if (notices.length < 20) notices.push(cut(text));
          acting.waits(text);
        },
      });
      const { columns, rows, hasMore, tag } = answer;
      const lines = [columns.map(column => column.name), ...rows].map(row =>
        row.map(value => (value === null ? 'NULL' : cut(value).replaceAll('\t', ' '))).join('\t'),
      );
      const said =
        columns.length === 0
          ? `Done${tag === '' ? '' : `: ${tag}`}.`
          : `${rows.length} rows${hasMore ? '; there are more' : ''}.`;
      const data = [...notices, ...(columns.length > 0 ? lines : [])];
      return {
        text: [
          `${said} Its session is ${sid}.`,
          ...(data.length > 0 ? [marked(`the database ${name}`, data.join('\n'))] : []),
        ].join('\n'),
        facts: { session: sid, rows: rows.length, hasMore, tag },
      };
    },
  }),
];

/** What an agent is told in a tool's place when it could not be used. */
export function sentenceOf(error: unknown): string | null {
  if (error instanceof StatementError) return marked('the database', error.lines.join('\n'));
  if (error instanceof Failure || error instanceof ConnectError) return error.message;
  return null;
}

/** Uses a tool as the agent of this id. Throws what `sentenceOf` words, and whatever else went wrong. */
export async function runTool(
  services: Services,
  agentId: string,
  asked: { readonly name: string; readonly given: unknown },
  use: ToolUse,
): Promise<Answer> {
  const { agents, audit, askOwner } = services;
  const row = tools.find(({ name }) => name === asked.name);
  if (!row) throw new Failure('not_found', `there is no tool "${asked.name.slice(0, 100)}"`);
  const given = check(row.schema, asked.given ?? {}, 'arguments') as { readonly reason: string };
  const calling = await agents.begin(agentId, { tool: row.name, reason: given.reason, remoteAddr: use.remoteAddr });
  const { who, asks } = calling;
  const note = (code: string, more: Readonly<Record<string, unknown>>): Promise<unknown> =>
    audit.emit({
      code,
      ...{ user: who.user, user_id: who.userId, 'addr.remote': who.remoteAddr, tool: row.name },
      ...{ agent: who.agent?.name, agent_id: agentId, agent_reason: given.reason },
      ...more,
    });
  const approved: Acting['approved'] = async wish => {
    if (asks) await askOwner({ ...wish, ...use, who, again: () => agents.again(calling) });
    return (await agents.again(calling)).who;
  };
  try {
    const answer = await row.run(given, { ...use, who, approved }, services);
    const { session } = answer.facts;
    await note(answer.isError ? 'TAG04W' : 'TAG04I', {
      success: !answer.isError,
      ...(typeof session === 'string' && { sid: session }),
      ...(answer.isError && { error: String(answer.facts.error ?? '') }),
    });
    return answer;
  } catch (error) {
    const said = error instanceof StatementError ? error.message : sentenceOf(error);
    await note('TAG04W', { success: false, error: said ?? 'it failed at the gateway' });
    throw error;
  }
}
