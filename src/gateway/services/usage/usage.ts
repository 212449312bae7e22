// How much the cluster is used, counted from the audit log: nothing is kept beside it but the numbers of months that have ended.
import type { WebConfig } from '../../../contract/config.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Usage, UsageMonth } from '../../../contract/usage.ts';
import type { Events, ResourceKind, Resources, Settings } from '../../store/store.ts';

/** What counts, by its type in the log: null for what only says that somebody was there. */
const counted = {
  'user.login': null,
  'session.start': 'server',
  'db.session.start': 'database',
  'app.session.start': 'application',
  'windows.desktop.session.start': 'desktop',
} as const satisfies Record<string, keyof UsageMonth['sessions'] | null>;
const kinds = {
  servers: 'node',
  databases: 'db',
  clusters: 'kube_cluster',
  applications: 'app',
  desktops: 'windows_desktop',
} as const satisfies Record<keyof Usage['resources'], ResourceKind>;

const PAGE = 5000;
/** What is in the log of a month that has ended may still come from a gateway with another clock, ms. */
const SETTLED_MS = 3_600_000;

export interface UsageParts {
  readonly events: Pick<Events, 'search'>;
  readonly resources: Pick<Resources, 'list'>;
  readonly settings: Pick<Settings, 'get' | 'put'>;
  readonly deployment: Pick<WebConfig, 'isCloud' | 'isDashboard'>;
  readonly clock: () => Date;
}
export interface UsageCounts {
  /** The last so many months. Throws Failure not_found where nobody is billed. */
  of(months: number): Promise<Usage>;
}

/** What has been counted of the month that runs, and from where it goes on. */
interface Running {
  readonly month: string;
  readonly people: Set<string>;
  readonly sessions: UsageMonth['sessions'];
  /** Of the log: everything before it is counted. */
  until: Date;
}

export function createUsage({ events, resources, settings, deployment, clock }: UsageParts): UsageCounts {
  let running: Running | undefined;
  let counting: Promise<unknown> = Promise.resolve();

  async function countUntil(state: Running, to: Date): Promise<void> {
    for await (const { type, raw } of everyEvent(events, state.until, to)) {
      const kind = counted[type as keyof typeof counted];
      const { user, success, proto } = raw;
      if (success === false) continue;
      // Programs in containers are sessions of their own kind.
      if (typeof user === 'string') state.people.add(user);
      if (kind) state.sessions[kind === 'server' && proto === 'kube' ? 'cluster' : kind] += 1;
    }
    state.until = to;
  }
  const begun = (month: string): Running => ({
    month,
    people: new Set(),
    sessions: { server: 0, database: 0, cluster: 0, application: 0, desktop: 0 },
    until: startOf(month),
  });
  const shown = ({ month, people, sessions }: Running, isOver: boolean): UsageMonth => ({
    month,
    isOver,
    people: people.size,
    sessions: { ...sessions },
  });

  async function past(month: string, now: Date): Promise<UsageMonth> {
    const key = `usage:${month}`;
    const kept = (await settings.get(key)) as UsageMonth | null;
    if (kept) return kept;
    const state = begun(month);
    const end = startOf(after(month, 1));
    await countUntil(state, end);
    const made = shown(state, true);
    if (now.getTime() >= end.getTime() + SETTLED_MS) await settings.put(key, made);
    return made;
  }
  async function present(month: string, now: Date): Promise<UsageMonth> {
    const state = running?.month === month ? running : begun(month);
    running = state;
    // What is being written at this moment is counted the next time.
    await countUntil(state, new Date(Math.max(state.until.getTime(), now.getTime() - 1000)));
    return shown(state, false);
  }
  const numberOf = async (kind: ResourceKind): Promise<number> =>
    (await resources.list(kind, { limit: 1, selection: null, count: true })).totalCount;

  async function of(most: number): Promise<Usage> {
    const now = clock();
    const month = now.toISOString().slice(0, 7);
    const months = [await present(month, now)];
    for (let ago = 1; ago < most; ago += 1) months.push(await past(after(month, -ago), now));
    const names = Object.keys(kinds) as (keyof typeof kinds)[];
    const numbers = await Promise.all(names.map(async name => [name, await numberOf(kinds[name])] as const));
    return { months, resources: Object.fromEntries(numbers) as Usage['resources'] };
  }
  return {
    async of(most) {
      if (!deployment.isCloud && !deployment.isDashboard)
        throw new Failure('not_found', 'this deployment has no billing');
      // One reads the log for all who ask meanwhile.
      const turn = counting.then(() => of(most));
      counting = turn.catch(() => undefined);
      return turn;
    },
  };
}

async function* everyEvent(events: UsageParts['events'], from: Date, to: Date) {
  let startKey = '';
  // The end is counted with what follows it.
  const last = new Date(to.getTime() - 1);
  if (last < from) return;
  do {
    const page = await events.search({
      ...{ from, to: last, limit: PAGE, types: Object.keys(counted), descending: false },
      ...(startKey !== '' && { startKey }),
    });
    yield* page.events;
    startKey = page.startKey;
  } while (startKey !== '');
}

const startOf = (month: string): Date => new Date(`${month}-01T00:00:00.000Z`);
/** The month so many months later. */
function after(month: string, months: number): string {
  const date = startOf(month);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}
