// One run as its page shows it: the servers, what they printed, and how far it is.
import { proxy } from 'valtio';
import type { RunEvents } from '../../client/command-run.ts';
import type { CommandRunAsked, RunOutput } from '../../contract/command-run.ts';
import type { RunServer } from './run-groups.ts';

type Server = { -readonly [Field in keyof RunServer]: RunServer[Field] };

export interface RunState {
  status: 'initial' | 'processing' | 'over';
  /** Why it did not go on; '' = every server has ended. */
  why: string;
  /** By id, in the order of the run. */
  servers: Record<string, Server>;
  total: number;
  /** What the assistant says of all of it, or why it says nothing; '' until then. */
  summary: string;
}

/** Starts a run on the wire; the answer stops it. */
export type StartRun = (params: CommandRunAsked, on: Omit<RunEvents, 'prove'>) => { stop(): void };

export function createRun(start: StartRun) {
  const state = proxy<RunState>({ status: 'initial', why: '', servers: {}, total: 0, summary: '' });
  let running: { stop(): void } | null = null;
  /** Bytes of a letter may come in two pieces. */
  const decoders = new Map<string, TextDecoder>();

  /** Servers that another run has left stay where `keep` says so, until the new one has them. */
  function run(params: CommandRunAsked, keep: (server: RunServer) => boolean = () => false): void {
    running?.stop();
    decoders.clear();
    const kept = Object.entries(state.servers).filter(([, server]) => keep(server));
    Object.assign(state, {
      status: 'processing',
      why: '',
      servers: Object.fromEntries(kept),
      total: kept.length,
      summary: '',
    });
    const own = start(params, {
      hosts(hosts, total) {
        state.total = kept.length + total;
        for (const { node_id: id, hostname, login } of hosts)
          state.servers[id] = { id, hostname, login, sid: '', text: '' };
      },
      began(id, sid) {
        const server = state.servers[id];
        if (server) server.sid = sid;
      },
      output(id, type, bytes) {
        const server = state.servers[id];
        // Of no server: it is about all of them.
        if (id === '') state.summary += decode(id, type, bytes);
        else if (server && type !== 'postern-error' && type !== 'summary') server.text += decode(id, type, bytes);
      },
      ended({ node_id: id, code, signal, error }) {
        const server = state.servers[id];
        if (server) server.end = { code, signal, error };
      },
      over(why) {
        running = null;
        state.status = 'over';
        state.why = why;
        for (const server of Object.values(state.servers))
          server.end ??= { code: null, signal: null, error: why || 'not run' };
      },
    });
    if (state.status === 'processing') running = own;
  }
  function decode(id: string, type: RunOutput['type'], bytes: Uint8Array): string {
    const key = `${type} ${id}`;
    const decoder = decoders.get(key) ?? new TextDecoder();
    decoders.set(key, decoder);
    return decoder.decode(bytes, { stream: true });
  }
  return { state, run, stop: () => running?.stop() };
}
