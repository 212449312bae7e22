// `run` and a command of `ssh`: one command on servers, from anywhere, with their output as it comes.
import { randomUUID } from 'node:crypto';
import { startRun } from '../../client/command-run.ts';
import type { CommandRunAsked, RunEnded, RunOutput } from '../../contract/command-run.ts';
import { plainJson, plainLines, plainText } from '../output.ts';
import { SESSION_FLAG } from '../read.ts';
import { Refused, type Surface, type Typed, UsageError, type Verb } from '../verb.ts';
import { nodePorts } from './node-ports.ts';
import { open } from './opened.ts';
import { askKeyInBrowser, sayOnError } from './session-key.ts';
import { statusOf } from './terminal.ts';

/** What a command exits with that came to no end of its own, as of `ssh` itself. */
const NO_STATUS = 255;

/** A server of a run, by what became of it. */
interface Server {
  readonly hostname: string;
  readonly login: string;
  sid: string;
  ended: RunEnded | null;
  /** What it printed, where it is told at the end. */
  readonly output: { readonly type: RunOutput['type']; readonly bytes: Uint8Array }[];
}
interface Told {
  /** Each piece as it comes. */
  output(server: Server, type: RunOutput['type'], bytes: Uint8Array): void;
  ended(server: Server): void;
}

/** Runs it and answers the servers. Throws Refused when the run as a whole does not come about or is broken off. */
async function runAt(typed: Typed, params: CommandRunAsked, told: Told): Promise<readonly Server[]> {
  const { session, clusterId } = await open(typed);
  const servers = new Map<string, Server>();
  const over = Promise.withResolvers<string>();
  const run = startRun(clusterId, { ...params, execution_id: randomUUID() }, nodePorts(session, clusterId), {
    hosts(hosts) {
      for (const { node_id, hostname, login } of hosts)
        servers.set(node_id, { hostname, login, sid: '', ended: null, output: [] });
    },
    began(node, sid) {
      const server = servers.get(node);
      if (server) server.sid = sid;
    },
    output(node, type, bytes) {
      const server = servers.get(node);
      if (server) told.output(server, type, bytes);
    },
    ended(ended) {
      const server = servers.get(ended.node_id);
      if (!server) return;
      server.ended = ended;
      told.ended(server);
    },
    prove: (challenge, onGone) => askKeyInBrowser(session.url, challenge, sayOnError, onGone),
    over: over.resolve,
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, run.stop);
  try {
    const why = await over.promise;
    if (why !== '') {
      // What became of each is told, also of those that were broken off.
      for (const [node_id, server] of servers) {
        if (server.ended) continue;
        server.ended = { node_id, code: null, signal: null, error: why };
        told.ended(server);
      }
      throw new Refused(plainText(why));
    }
    return [...servers.values()];
  } finally {
    for (const signal of signals) process.off(signal, run.stop);
  }
}

const statusAt = ({ ended }: Server): number =>
  ended === null || (ended.code === null && ended.signal === null) ? NO_STATUS : statusOf(ended);

/** Gives out whole lines; what is left at the end counts as one. */
function createLines(give: (line: string) => void): { push(bytes: Uint8Array): void; end(): void } {
  const decoder = new TextDecoder();
  let rest = '';
  const cut = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) give(line);
  };
  return {
    push: bytes => cut(decoder.decode(bytes, { stream: true })),
    end() {
      cut(decoder.decode());
      if (rest !== '') cut('\n');
    },
  };
}

const textOf = ({ output }: Server, type: RunOutput['type']): string =>
  Buffer.concat(output.filter(piece => piece.type === type).map(({ bytes }) => bytes)).toString('utf8');

/** A line of JSON for each server, once it has ended. */
const inJson = (print: Surface['print']): Told => ({
  output: (server, type, bytes) => void server.output.push({ type, bytes }),
  ended: server =>
    print(
      plainJson({
        host: server.hostname,
        login: server.login,
        session: server.sid,
        code: server.ended?.code ?? null,
        signal: server.ended?.signal ?? null,
        error: server.ended?.error ?? '',
        stdout: textOf(server, 'stdout'),
        stderr: textOf(server, 'stderr'),
      }).replace(/\n\s*/g, ' '),
    ),
});

async function runVerb(typed: Typed, { print }: Surface): Promise<number> {
  const [query = '', ...command] = typed.words;
  const login = typed.one('--login') ?? '';
  const parallel = typed.one('--parallel');
  if (parallel !== undefined && !/^[1-9]\d{0,2}$/.test(parallel))
    throw new UsageError(`run: --parallel: "${parallel}": a number from 1 to 100 expected`);
  const params = {
    query,
    command: command.join(' '),
    login,
    ...(parallel !== undefined && { parallel: Number(parallel) }),
  };
  if (typed.has('--json')) {
    const servers = await runAt(typed, params, inJson(print));
    return Math.max(0, ...servers.map(statusAt));
  }
  const lines = new Map<string, ReturnType<typeof createLines>>();
  const linesOf = ({ hostname }: Server, type: RunOutput['type']) => {
    const key = `${type} ${hostname}`;
    const write = (line: string): void => {
      const text = `${plainText(hostname)}: ${plainLines(line.replace(/\r$/, ''))}`;
      if (type === 'stdout') print(text);
      else process.stderr.write(`${text}\n`);
    };
    const found = lines.get(key) ?? createLines(write);
    lines.set(key, found);
    return found;
  };
  const servers = await runAt(typed, params, {
    output: (server, type, bytes) => linesOf(server, type).push(bytes),
    ended(server) {
      for (const type of ['stdout', 'stderr', 'postern-error'] as const) linesOf(server, type).end();
    },
  });
  const failed = servers.filter(server => statusAt(server) !== 0);
  if (failed.length > 0)
    process.stderr.write(
      `postern: ${failed.length} of ${servers.length} failed: ${failed
        .map(server => `${plainText(server.hostname)} (${statusAt(server)})`)
        .join(', ')}\n`,
    );
  return Math.max(0, ...servers.map(statusAt));
}

export const runManyVerb: Verb = {
  verb: 'run',
  words: ['QUERY', 'COMMAND…'],
  help: 'Runs a command on all servers that a predicate selects, and exits with the worst of their statuses',
  flags: [
    { name: '--login', argument: 'LOGIN', help: 'OS login on the servers', needed: true },
    { name: '--parallel', argument: 'N', help: 'Servers that are worked on at once; 25 unless said' },
    { name: '--json', help: 'A line of JSON for each server, with its output, as it ends' },
    SESSION_FLAG,
  ],
  failed: NO_STATUS,
  more: async () => [
    'Such as: postern run \'labels["env"] == "prod"\' --login root -- systemctl is-active nginx',
    'What begins with a dash comes after --. Each server is a session of its own: recorded, and in the audit log.',
  ],
  run: runVerb,
};

/**
 * Runs a command on one server as `ssh` does: its output is the output, byte for byte, and its status the status. As JSON it is one line, as
 * of `run`.
 */
export async function runOnServer(
  typed: Typed,
  { print }: Pick<Surface, 'print'>,
  { hostname, login, command }: { readonly hostname: string; readonly login: string; readonly command: string },
): Promise<number> {
  const text = JSON.stringify(hostname);
  const [server, another] = await runAt(
    typed,
    { query: `name == ${text}`, login, command },
    typed.one('--output') === 'json'
      ? inJson(print)
      : {
          output(_server, type, bytes) {
            const to = type === 'stdout' ? process.stdout : process.stderr;
            to.write(type === 'postern-error' ? `postern: ${plainText(Buffer.from(bytes).toString())}\n` : bytes);
          },
          ended: () => undefined,
        },
  );
  if (another) throw new Refused(`several servers are called ${text}: use run`);
  return server ? statusAt(server) : NO_STATUS;
}
