// What the gateway counts and measures, in the text format that Prometheus reads. No label holds a name that people chose: what is
// measured stays bounded whatever they do.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Connector } from '../../ports/servers.ts';
import type { Shell } from '../../ports/shell.ts';

/** Kinds of sessions there are: the protocols of the gateway. */
const kinds = ['ssh', 'k8s', 'db', 'app', 'desktop'] as const;
/** Upper ends of the store's latencies, s: a read from memory takes under 1 ms, a commit as long as the disk. */
const LATENCIES_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export interface MetricsParts {
  /** Kinds of the sessions that run now. */
  readonly sessions: () => readonly string[];
  /** Statements that wait for the store, by queue. */
  readonly storeWaiting: () => Readonly<Record<string, number>>;
  /** Recordings that wait to be read for playback and search. */
  readonly recordingsWaiting: () => number;
  /** Recordings that wait to be sent to the bucket. */
  readonly recordingsUnsent: () => number;
}

export interface Metrics {
  /** Counts what was refused, by the code of its failure. */
  refused(code: string): void;
  /** Times one answer of the store. */
  stored(operation: 'read' | 'write', seconds: number): void;
  /** The same connectors, their sessions' bytes counted under the names that they have here. */
  counted<Protocol extends string>(connectors: Readonly<Record<Protocol, Connector>>): Record<Protocol, Connector>;
  /** What is read at the moment it is asked for. Once. */
  watch(parts: MetricsParts): void;
  /** All of it, as Prometheus reads it. */
  text(): Promise<string>;
  readonly contentType: string;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // The process: memory, CPU, open files, event loop delay, garbage collection.
  collectDefaultMetrics({ register: registry });
  const bytes = new Counter({
    name: 'postern_session_bytes_total',
    help: 'Bytes of terminal sessions, to and from the host',
    labelNames: ['protocol', 'direction'],
    registers,
  });
  const refusals = new Counter({
    name: 'postern_refusals_total',
    help: 'Calls that were refused or failed, by reason',
    labelNames: ['reason'],
    registers,
  });
  const latency = new Histogram({
    name: 'postern_store_seconds',
    help: 'Time the store took, waiting included',
    labelNames: ['operation'],
    buckets: LATENCIES_S,
    registers,
  });

  const count = (shell: Shell, protocol: string): Shell => ({
    ...shell,
    write(typed) {
      bytes.inc({ protocol, direction: 'to_host' }, typed.length);
      shell.write(typed);
    },
    onOutput: listener =>
      shell.onOutput((printed, from) => {
        bytes.inc({ protocol, direction: 'from_host' }, printed.length);
        listener(printed, from);
      }),
  });
  return {
    contentType: registry.contentType,
    refused: reason => refusals.inc({ reason }),
    stored: (operation, seconds) => latency.observe({ operation }, seconds),
    counted: <Protocol extends string>(connectors: Readonly<Record<Protocol, Connector>>) =>
      Object.fromEntries(
        Object.entries<Connector>(connectors).map(([protocol, { open }]) => [
          protocol,
          { open: async (target, request) => count(await open(target, request), protocol) } satisfies Connector,
        ]),
      ) as Record<Protocol, Connector>,
    watch({ sessions, storeWaiting, recordingsWaiting, recordingsUnsent }) {
      new Gauge({
        name: 'postern_sessions',
        help: 'Sessions that run on this gateway',
        labelNames: ['protocol'],
        registers,
        collect() {
          const running = sessions();
          for (const kind of kinds) this.set({ protocol: kind }, running.filter(one => one === kind).length);
        },
      });
      new Gauge({
        name: 'postern_store_waiting',
        help: 'Statements that wait for the store',
        labelNames: ['queue'],
        registers,
        collect() {
          for (const [queue, waiting] of Object.entries(storeWaiting())) this.set({ queue }, waiting);
        },
      });
      new Gauge({
        name: 'postern_recordings_waiting',
        help: 'Recordings that wait to be indexed',
        registers,
        collect() {
          this.set(recordingsWaiting());
        },
      });
      new Gauge({
        name: 'postern_recordings_unsent',
        help: 'Recordings that wait to be sent to the bucket',
        registers,
        collect() {
          this.set(recordingsUnsent());
        },
      });
    },
    text: () => registry.metrics(),
  };
}
