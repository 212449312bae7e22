// Lists where there are no pages: what the console shows on a page, the command line prints. In the console their "Go to" serves.
import { type AuditEvent, searchSessionEvents } from '../src/contract/audit.ts';
import { type Cluster, listClusters } from '../src/contract/clusters.ts';
import { type ListedSession, listSessions } from '../src/contract/live-sessions.ts';
import { listNodes, type Node } from '../src/contract/nodes.ts';
import {
  type Application,
  type Database,
  type Desktop,
  type Kube,
  listApps,
  listDatabases,
  listDesktops,
  listKubes,
  listUserGroups,
  type UserGroup,
} from '../src/contract/resources.ts';
import { listRoles, type ResourceItem } from '../src/contract/roles.ts';
import type { Label, ListQuery, Page } from '../src/contract/shapes.ts';
import { listUsers, type User } from '../src/contract/users.ts';
import { type Argument, type Column, type Command, command, type Facts, type Given, type Tools } from './command.ts';
import { needs, signedIn } from './gates.ts';
import { recordingThing } from './recording-thing.ts';

/** Rows that one list shows at most; the search narrows what is beyond. */
const LISTED_MOST = 10_000;
const PAGE_ROWS = 1000;
/** Recordings are listed for this much of the past, ms. */
const RECORDINGS_PAST_MS = 30 * 24 * 3_600_000;

/** The command line alone: a page of the console shows the same, and better. */
const inShell = (facts: Facts): boolean => signedIn(facts) && facts.surface === 'shell';

const searchArgument: Argument = {
  name: 'search',
  title: 'Words that must all be in it',
  optional: true,
  free: typed => (typed.length > 512 ? 'A search has at most 512 characters' : undefined),
  choices: () => [],
};
const searchOf = (given: Given): string => given.search?.value.trim() ?? '';

/** Rows that hold every word of the search, for lists that the gateway answers whole. */
function holding<Item>(items: readonly Item[], columns: readonly Column<Item>[], search: string): readonly Item[] {
  const words = search.toLowerCase().split(/\s+/);
  return items.filter(item => {
    const text = columns.map(column => column.of(item).toLowerCase()).join(' ');
    return words.every(word => text.includes(word));
  });
}

/** Asks page by page until the list ends or is as long as any may be, and says so when it was cut. */
async function everyRow<Item>(
  tools: Tools,
  ask: (startKey: string) => Promise<{ readonly items: readonly Item[]; readonly startKey: string }>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let startKey = '';
  do {
    const page = await ask(startKey);
    found.push(...page.items);
    startKey = page.startKey;
  } while (startKey !== '' && found.length < LISTED_MOST);
  if (startKey !== '' || found.length > LISTED_MOST)
    tools.notify(`Only the first ${LISTED_MOST} are listed: search for less`);
  return found.slice(0, LISTED_MOST);
}

const labelsOf = (labels: readonly Label[]): string => labels.map(({ name, value }) => `${name}=${value}`).join(' ');

interface Listing<Item> {
  readonly id: string;
  readonly title: string;
  readonly group: Command['group'];
  readonly blocked?: Command['blocked'];
  readonly columns: readonly Column<Item>[];
  /** The gateway searches: beside what is shown it looks at what is not, such as addresses. */
  readonly searches?: true;
  readonly rows: (search: string, facts: Facts, tools: Tools) => Promise<readonly Item[]>;
}

const listing = <Item>({ columns, rows, blocked, searches, ...row }: Listing<Item>): Command =>
  command({
    ...row,
    when: inShell,
    ...(blocked && { blocked }),
    args: [searchArgument],
    run: async (given, facts, tools) => {
      const search = searchOf(given);
      const found = await rows(search, facts, tools);
      tools.show?.(searches ? found : holding(found, columns, search), columns);
    },
  });

/** Every page of a list that the gateway sorts and searches. */
const paged =
  <Item>(sort: string, ask: (tools: Tools, clusterId: string, query: ListQuery) => Promise<Page<Item>>) =>
  (search: string, facts: Facts, tools: Tools): Promise<readonly Item[]> =>
    everyRow(tools, startKey =>
      ask(tools, facts.clusterId, {
        limit: PAGE_ROWS,
        sort,
        ...(search && { search }),
        ...(startKey && { startKey }),
      }),
    );

const sessionHost = (session: ListedSession): string =>
  session.server_hostname || session.kubernetes_cluster_name || session.desktop_name || session.server_addr;

const peopleOf = (event: AuditEvent): string => {
  const { participants } = event;
  return Array.isArray(participants) ? participants.join(',') : (event.user ?? '');
};
/** `1:02:03`, or `2:03` under an hour. */
const lengthText = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts
    .slice(seconds < 3600 ? 1 : 0)
    .map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':');
};
const timeOf = (time: string): string => time.slice(0, 19).replace('T', ' ');

/** The rows that only the command line has, beside those of index.ts. */
export const listings: readonly Command[] = [
  listing<Node>({
    id: 'servers.list',
    title: 'List servers…',
    group: 'manage',
    blocked: needs('nodes', 'list', 'servers'),
    columns: [
      { title: 'Server', of: node => node.hostname },
      { title: 'Address', of: node => (node.tunnel ? 'tunnel' : node.addr || 'the gateway itself') },
      { title: 'Logins', of: node => node.sshLogins.join(',') },
      { title: 'Id', of: node => node.id },
      { title: 'Labels', of: node => labelsOf(node.tags) },
    ],
    searches: true,
    rows: paged('hostname:asc', (tools, clusterId, query) => tools.call(listNodes, { params: { clusterId }, query })),
  }),
  listing<Application>({
    id: 'applications.list',
    title: 'List applications…',
    group: 'manage',
    blocked: needs('appServers', 'list', 'applications'),
    columns: [
      { title: 'Application', of: app => app.friendlyName || app.name },
      { title: 'Address', of: app => app.publicAddr },
      { title: 'Labels', of: app => labelsOf(app.labels) },
    ],
    searches: true,
    rows: paged('name:asc', (tools, clusterId, query) => tools.call(listApps, { params: { clusterId }, query })),
  }),
  listing<Database>({
    id: 'databases.list',
    title: 'List databases…',
    group: 'manage',
    blocked: needs('dbServers', 'list', 'databases'),
    columns: [
      { title: 'Database', of: database => database.name },
      { title: 'Protocol', of: database => database.protocol },
      { title: 'Users', of: database => database.database_users.join(',') },
      { title: 'Labels', of: database => labelsOf(database.labels) },
    ],
    searches: true,
    rows: paged('name:asc', (tools, clusterId, query) => tools.call(listDatabases, { params: { clusterId }, query })),
  }),
  listing<Desktop>({
    id: 'desktops.list',
    title: 'List desktops…',
    group: 'manage',
    blocked: needs('desktops', 'list', 'desktops'),
    columns: [
      { title: 'Desktop', of: desktop => desktop.name },
      { title: 'Address', of: desktop => desktop.addr },
      { title: 'Logins', of: desktop => desktop.logins.join(',') },
      { title: 'Labels', of: desktop => labelsOf(desktop.labels) },
    ],
    searches: true,
    rows: paged('name:asc', (tools, clusterId, query) => tools.call(listDesktops, { params: { clusterId }, query })),
  }),
  listing<Kube>({
    id: 'kubernetes.list',
    title: 'List Kubernetes clusters…',
    group: 'manage',
    blocked: needs('kubeServers', 'list', 'Kubernetes clusters'),
    columns: [
      { title: 'Kubernetes cluster', of: kube => kube.name },
      { title: 'Labels', of: kube => labelsOf(kube.labels) },
    ],
    searches: true,
    rows: paged('name:asc', (tools, clusterId, query) => tools.call(listKubes, { params: { clusterId }, query })),
  }),
  listing<UserGroup>({
    id: 'userGroups.list',
    title: 'List user groups…',
    group: 'manage',
    columns: [
      { title: 'User group', of: group => group.friendlyName || group.name },
      { title: 'Description', of: group => group.description },
      { title: 'Applications', of: group => group.applications.map(app => app.name).join(',') },
      { title: 'Labels', of: group => labelsOf(group.labels) },
    ],
    searches: true,
    rows: paged('name:asc', (tools, clusterId, query) => tools.call(listUserGroups, { params: { clusterId }, query })),
  }),
  listing<ListedSession>({
    id: 'sessions.list',
    title: 'List running sessions…',
    group: 'session',
    columns: [
      { title: 'Session', of: session => session.id },
      { title: 'On', of: session => [session.login, sessionHost(session)].filter(part => part !== '').join('@') },
      { title: 'People', of: session => [...new Set(session.parties.map(({ user }) => user))].join(',') },
      { title: 'Since', of: session => timeOf(session.created) },
      { title: 'You may join as', of: session => session.participantModes.join(',') },
    ],
    rows: async (_search, { clusterId }, tools) => (await tools.call(listSessions, { params: { clusterId } })).sessions,
  }),
  listing<AuditEvent>({
    id: 'recordings.list',
    title: 'List recordings of the last 30 days…',
    group: 'session',
    blocked: needs('recordedSessions', 'list', 'recordings'),
    columns: [
      { title: 'Recording', of: event => recordingThing(event)?.id ?? '' },
      { title: 'On', of: event => recordingThing(event)?.title ?? '' },
      { title: 'Ended', of: event => timeOf(event.time) },
      { title: 'Length', of: event => lengthText(recordingThing(event)?.recording?.durationMs ?? 0) },
      { title: 'People', of: event => peopleOf(event) },
    ],
    searches: true,
    rows: async (search, { clusterId }, tools) => {
      const now = Date.now();
      const [from, to] = [now - RECORDINGS_PAST_MS, now].map(ms => new Date(ms).toISOString());
      const events = await everyRow(tools, async startKey => {
        const page = await tools.call(searchSessionEvents, {
          params: { clusterId },
          query: {
            from,
            to,
            limit: PAGE_ROWS,
            order: 'desc',
            ...(search && { search }),
            ...(startKey && { startKey }),
          },
        });
        return { items: page.events, startKey: page.startKey };
      });
      return events.filter(event => recordingThing(event) !== null);
    },
  }),
  listing<User>({
    id: 'users.list',
    title: 'List users…',
    group: 'manage',
    blocked: needs('users', 'list', 'users'),
    columns: [
      { title: 'User', of: user => user.name },
      { title: 'Roles', of: user => user.roles.join(',') },
      { title: 'Signs in with', of: user => (user.authType === 'local' ? 'password' : user.authType) },
    ],
    rows: (_search, _facts, tools) => tools.call(listUsers),
  }),
  listing<ResourceItem>({
    id: 'roles.list',
    title: 'List roles…',
    group: 'manage',
    blocked: needs('roles', 'list', 'roles'),
    columns: [{ title: 'Role', of: role => role.name }],
    rows: (_search, _facts, tools) => tools.call(listRoles),
  }),
  listing<Cluster>({
    id: 'clusters.list',
    title: 'List clusters…',
    group: 'manage',
    columns: [
      { title: 'Cluster', of: cluster => cluster.name },
      { title: 'Status', of: cluster => cluster.status },
      { title: 'Servers', of: cluster => String(cluster.nodeCount) },
      { title: 'Address', of: cluster => cluster.publicURL },
    ],
    rows: (_search, _facts, tools) => tools.call(listClusters),
  }),
];
