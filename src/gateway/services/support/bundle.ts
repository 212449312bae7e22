// The bundle for support: facts by which somebody elsewhere can tell what is wrong, and nothing that would let them in.
import { arch, availableParallelism, freemem, platform, release, totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Alert } from '../../../contract/clusters.ts';
import type { SupportBundle } from '../../../contract/support.ts';
import type { Who } from '../../ports/who.ts';
import type { ResourceKind, Store } from '../../store/store.ts';
import type { Readiness } from '../readiness.ts';
import type { RecentLog } from './recent-log.ts';

/** Kinds whose number tells something about what a gateway is asked to do. */
const counted = [
  'role',
  'node',
  'app',
  'db',
  'kube_cluster',
  'windows_desktop',
  'lock',
  'tunnel',
] as const satisfies readonly ResourceKind[];
const NANOSECONDS = 1e6;

export interface SupportParts {
  readonly store: Pick<Store, 'resources' | 'users' | 'dialect' | 'waiting'>;
  readonly gatewayId: string;
  readonly version: string;
  readonly clusterName: string;
  /** Settings as they may be shown. */
  readonly given: Readonly<SupportBundle['settings']>;
  readonly ready: () => Promise<Readiness>;
  /** The kind of each live session. */
  readonly sessions: () => readonly string[];
  readonly recordings: { waiting(): number; unsent(): number };
  readonly alerts: { shownTo(who: Who): Promise<readonly Alert[]> };
  readonly log: Pick<RecentLog, 'lines'>;
  readonly clock: () => Date;
}
export interface Support {
  /** Alerts are those that the person sees. */
  bundle(who: Who): Promise<SupportBundle>;
}

export function createSupport(parts: SupportParts): Support {
  const { store, recordings, clock } = parts;
  // Measured only from the first bundle on: until then it would cost every gateway a timer.
  let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;
  const numberOf = async (kind: ResourceKind): Promise<number> =>
    (await store.resources.list(kind, { limit: 1, selection: null, count: true })).totalCount;
  function delayP99(): number {
    if (!delays) {
      delays = monitorEventLoopDelay();
      delays.enable();
      return 0;
    }
    const ms = delays.percentile(99) / NANOSECONDS;
    delays.reset();
    return Number.isFinite(ms) ? Math.round(ms * 10) / 10 : 0;
  }
  return {
    async bundle(who) {
      const [ready, users, alerts, ...numbers] = await Promise.all([
        parts.ready(),
        store.users.list(),
        parts.alerts.shownTo(who),
        ...counted.map(numberOf),
      ]);
      return {
        made: clock().toISOString(),
        gateway: {
          id: parts.gatewayId,
          version: parts.version,
          node: process.version,
          system: `${platform()} ${arch()} ${release()}`,
          processors: availableParallelism(),
          memoryBytes: totalmem(),
          freeMemoryBytes: freemem(),
          residentBytes: process.memoryUsage.rss(),
          upSeconds: Math.round(process.uptime()),
          eventLoopP99Ms: delayP99(),
        },
        cluster: parts.clusterName,
        settings: [...parts.given],
        readiness: Object.fromEntries(Object.entries(ready).map(([part, problem]) => [part, problem ?? 'ok'])),
        store: {
          dialect: store.dialect,
          waiting: { ...store.waiting() },
          users: users.length,
          resources: Object.fromEntries(counted.map((kind, index) => [kind, numbers[index] ?? 0])),
        },
        sessions: tally(parts.sessions()),
        recordings: { waiting: recordings.waiting(), unsent: recordings.unsent() },
        alerts: alerts.map(({ spec: { severity, message } }) => ({ severity, message })),
        log: parts.log.lines(),
      };
    },
  };
}

function tally(words: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const word of words) found[word] = (found[word] ?? 0) + 1;
  return found;
}
