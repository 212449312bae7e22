// One search over everything that a person can reach. It asks the lists themselves, so that the rights of one are the rights of the other.
import { searchSessionEvents } from '../../contract/audit.ts';
import type { Call, ReplyInput } from '../../contract/call.ts';
import { listClusters } from '../../contract/clusters.ts';
import { listSessions } from '../../contract/live-sessions.ts';
import { listNodes } from '../../contract/nodes.ts';
import { listApps, listDatabases, listDesktops, listKubes } from '../../contract/resources.ts';
import { listRoles } from '../../contract/roles.ts';
import { type SearchedNoun, search, searchedNouns } from '../../contract/search.ts';
import { listUsers } from '../../contract/users.ts';
import { wordsFilter } from '../../contract/words.ts';
import type { CallRequest, Serve } from './serve.ts';
import type { Services } from './services.ts';

/** Recordings are looked for in this much of the past, ms. */
const RECORDINGS_PAST_MS = 30 * 24 * 3_600_000;

interface Hits<Item> {
  readonly items: readonly Item[];
  readonly complete: boolean;
}
interface SearchQuery {
  /** Absent: no words, so the first of the list. */
  readonly search?: string;
  readonly limit: number;
}

/** Of a list that comes whole, the items whose texts hold every word. */
function narrowed<Item>(
  items: readonly Item[],
  { search: typed = '', limit }: SearchQuery,
  textsOf: (item: Item) => readonly string[],
): Hits<Item> {
  const fits = wordsFilter(typed);
  const held = items.filter(item => fits(textsOf(item).join('\n')));
  return { items: held.slice(0, limit), complete: held.length <= limit };
}

/** Asks a list as the person who searches; null where no role lets them. */
type Ask = <C extends Call>(call: C, query?: object) => Promise<ReplyInput<C> | null>;

type StoredList = typeof listNodes | typeof listApps | typeof listDatabases | typeof listDesktops | typeof listKubes;

/** How each kind is looked for. */
function findersOf(ask: Ask, wanted: SearchQuery, now: Date) {
  /** A list that is searched and paged where it is stored. */
  const stored = (call: StoredList, field: string) => async () => {
    const page = await ask(call, { ...wanted, sort: `${field}:asc` });
    return page && { items: page.items, complete: page.startKey === '' };
  };
  return {
    server: stored(listNodes, 'hostname'),
    application: stored(listApps, 'name'),
    database: stored(listDatabases, 'name'),
    desktop: stored(listDesktops, 'name'),
    kubernetes: stored(listKubes, 'name'),
    async recording() {
      const from = new Date(now.getTime() - RECORDINGS_PAST_MS);
      const page = await ask(searchSessionEvents, { ...wanted, from: from.toISOString(), to: now.toISOString() });
      return page && { items: page.events, complete: page.startKey === '' };
    },
    async session() {
      const list = await ask(listSessions);
      return list && narrowed(list.sessions, wanted, sessionTexts);
    },
    async user() {
      const users = await ask(listUsers);
      return users && narrowed(users, wanted, ({ name, roles }) => [name, ...roles]);
    },
    async role() {
      const roles = await ask(listRoles);
      return roles && narrowed(roles, wanted, ({ name }) => [name]);
    },
    async cluster() {
      const clusters = await ask(listClusters);
      return clusters && narrowed(clusters, wanted, ({ name, publicURL }) => [name, publicURL]);
    },
  } satisfies Record<SearchedNoun, () => Promise<Hits<unknown> | null>>;
}

const sessionTexts = (session: ReplyInput<typeof listSessions>['sessions'][number]): readonly string[] => [
  session.id,
  session.login,
  session.server_hostname,
  session.server_addr,
  session.kubernetes_cluster_name ?? '',
  session.desktop_name ?? '',
  ...session.parties.map(({ user }) => user),
];

export function serveSearch(serve: Serve, { clock }: Pick<Services, 'clock'>): void {
  serve(search, async ({ query, ...asked }, who) => {
    const ask: Ask = (call, given = {}) =>
      serve.answer(call, { ...asked, query: given } as unknown as CallRequest<typeof call>, who);
    const words = query.search?.trim();
    const finders = findersOf(ask, { limit: query.limit, ...(words && { search: words }) }, clock());
    const found = await Promise.all(
      (query.nouns ?? searchedNouns).map(async noun => [noun, await finders[noun]()] as const),
    );
    return Object.fromEntries(found.filter(([, hits]) => hits !== null));
  });
}
