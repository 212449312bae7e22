// Things of the gateway, searched: the one place where commands and the palette ask for them. Loaded when something is first looked for.
import { searchSessionEvents } from '../src/contract/audit.ts';
import { type Cluster, listClusters } from '../src/contract/clusters.ts';
import { listSessions } from '../src/contract/live-sessions.ts';
import { listNodes } from '../src/contract/nodes.ts';
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
} from '../src/contract/resources.ts';
import { listRoles, type ResourceItem } from '../src/contract/roles.ts';
import type { Label } from '../src/contract/shapes.ts';
import { listUsers, type User } from '../src/contract/users.ts';
import type { Choice, Thing, Tools } from './command.ts';
import { recordingThing } from './recording-thing.ts';
import { serverThing, sessionThing } from './things.ts';

/** The part of the tools that searching needs. */
export type Asks = Pick<Tools, 'call'>;

/** What a search found, and whether that is everything there is: then a narrower search need not ask again. */
export interface Found {
  readonly things: readonly Thing[];
  readonly complete: boolean;
}

/** Lists that the gateway answers whole are searched here; this many rows of them are looked at. */
const WHOLE_LIST_MOST = 5000;
/** Recordings are looked for in this much of the past, milliseconds. */
const RECORDINGS_PAST_MS = 30 * 24 * 3_600_000;

const userThing = (user: User): Thing => ({
  kind: 'user',
  id: user.name,
  title: user.name,
  detail: user.roles.join(', '),
});
const roleThing = (role: ResourceItem): Thing => ({ kind: 'role', id: role.name, title: role.name });
const clusterThing = (cluster: Cluster): Thing => ({
  kind: 'cluster',
  id: cluster.name,
  title: cluster.name,
  detail: cluster.publicURL,
  ...(cluster.status === 'online' ? {} : { refused: 'This cluster is offline' }),
});

/** A list that came whole, narrowed to the rows that hold every word. */
function narrowed(things: readonly Thing[], typed: string, most: number): Found {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
  const held = things.slice(0, WHOLE_LIST_MOST).filter(thing => {
    const text = `${thing.title} ${thing.detail ?? ''}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
  return { things: held.slice(0, most), complete: held.length <= most && things.length <= WHOLE_LIST_MOST };
}

/** The search text without what the gateway would refuse: at most 1024 characters. */
const searchOf = (typed: string): { search?: string } => {
  const search = typed.trim().slice(0, 1024);
  return search === '' ? {} : { search };
};

/** Servers by name, address or label. */
export async function findServers(asks: Asks, clusterId: string, typed: string, most: number): Promise<Found> {
  const page = await asks.call(listNodes, {
    params: { clusterId },
    query: { ...searchOf(typed), limit: most, sort: 'hostname:asc' },
  });
  return { things: page.items.map(serverThing), complete: page.startKey === '' };
}

const detailOf = (first: string, labels: readonly Label[]): string =>
  [first, ...labels.map(label => `${label.name}: ${label.value}`)].filter(part => part !== '').join('  ');
const applicationThing = (app: Application): Thing => ({
  kind: 'application',
  id: app.name,
  title: app.friendlyName || app.name,
  detail: detailOf(app.publicAddr || app.uri, app.labels),
});
const databaseThing = (database: Database): Thing => ({
  kind: 'database',
  id: database.name,
  title: database.name,
  detail: detailOf(database.protocol, database.labels),
});
const desktopThing = (desktop: Desktop): Thing => ({
  kind: 'desktop',
  id: desktop.name,
  title: desktop.name,
  detail: detailOf(desktop.addr, desktop.labels),
  logins: desktop.logins,
});
const kubeThing = (kube: Kube): Thing => ({
  kind: 'kubernetes',
  id: kube.name,
  title: kube.name,
  detail: detailOf('', kube.labels),
});

/** A list that the gateway pages and searches by itself. */
const finder =
  <Item>(
    ask: (
      asks: Asks,
      clusterId: string,
      query: { search?: string; limit: number; sort: string },
    ) => Promise<{ readonly items: readonly Item[]; readonly startKey: string }>,
    thing: (item: Item) => Thing,
  ) =>
  async (asks: Asks, clusterId: string, typed: string, most: number): Promise<Found> => {
    const page = await ask(asks, clusterId, { ...searchOf(typed), limit: most, sort: 'name:asc' });
    return { things: page.items.map(thing), complete: page.startKey === '' };
  };

/** Applications by name, address or label. */
export const findApplications = finder(
  (asks, clusterId, query) => asks.call(listApps, { params: { clusterId }, query }),
  applicationThing,
);
/** Databases by name, protocol or label. */
export const findDatabases = finder(
  (asks, clusterId, query) => asks.call(listDatabases, { params: { clusterId }, query }),
  databaseThing,
);
/** Desktops by name, address or label. */
export const findDesktops = finder(
  (asks, clusterId, query) => asks.call(listDesktops, { params: { clusterId }, query }),
  desktopThing,
);
/** Kubernetes clusters by name or label. */
export const findKubes = finder(
  (asks, clusterId, query) => asks.call(listKubes, { params: { clusterId }, query }),
  kubeThing,
);

/** User groups by name, as choices: nothing is done with a group itself. */
export async function findUserGroups(
  asks: Asks,
  clusterId: string,
  typed: string,
  most: number,
): Promise<readonly Choice[]> {
  const page = await asks.call(listUserGroups, {
    params: { clusterId },
    query: { ...searchOf(typed), limit: most, sort: 'name:asc' },
  });
  return page.items.map(({ name, friendlyName, description, applications }) => ({
    value: name,
    title: friendlyName || name,
    detail: description || applications.map(app => app.friendlyName || app.name).join(', '),
  }));
}

/** Servers with a label: `env`, `env=prod` or `env: prod`. */
export async function findLabelled(asks: Asks, clusterId: string, typed: string, most: number): Promise<Found> {
  const [, name = '', value = ''] = /^\s*([^=:\s]+)\s*(?:[=:]\s*(.*))?$/.exec(typed) ?? [];
  if (name === '' || value.trim() === '') return findServers(asks, clusterId, name || typed, most);
  const query = `labels["${quoted(name)}"] == "${quoted(value.trim())}"`;
  const page = await asks.call(listNodes, {
    params: { clusterId },
    query: { query, limit: most, sort: 'hostname:asc' },
  });
  return { things: page.items.map(serverThing), complete: page.startKey === '' };
}
const quoted = (text: string): string => text.replace(/[\\"]/g, '\\$&').slice(0, 1024);

/** Running sessions that this person owns or may join. */
export async function findSessions(asks: Asks, clusterId: string, typed: string, most: number): Promise<Found> {
  const { sessions } = await asks.call(listSessions, { params: { clusterId } });
  return narrowed(sessions.map(sessionThing), typed, most);
}

/** Recordings of the last thirty days, newest first. */
export async function findRecordings(asks: Asks, clusterId: string, typed: string, most: number): Promise<Found> {
  const now = Date.now();
  const { events, startKey } = await asks.call(searchSessionEvents, {
    params: { clusterId },
    query: {
      from: new Date(now - RECORDINGS_PAST_MS).toISOString(),
      to: new Date(now).toISOString(),
      limit: most,
      order: 'desc',
      ...shortSearch(typed),
    },
  });
  return { things: events.map(recordingThing).filter(thing => thing !== null), complete: startKey === '' };
}
const shortSearch = (typed: string): { search?: string } =>
  typed.trim() === '' ? {} : { search: typed.trim().slice(0, 512) };

/** People by name or role. */
export async function findUsers(asks: Asks, typed: string, most: number): Promise<Found> {
  return narrowed((await asks.call(listUsers)).map(userThing), typed, most);
}

/** Roles by name. */
export async function findRoles(asks: Asks, typed: string, most: number): Promise<Found> {
  return narrowed((await asks.call(listRoles)).map(roleThing), typed, most);
}

/** Clusters this person may enter, the gateway's own first. */
export async function findClusters(asks: Asks, own: string, typed: string, most: number): Promise<Found> {
  const clusters = await asks.call(listClusters);
  const ordered = [...clusters].sort(
    (a, b) => Number(b.name === own) - Number(a.name === own) || (a.name < b.name ? -1 : 1),
  );
  return narrowed(ordered.map(clusterThing), typed, most);
}
