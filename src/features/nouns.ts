// What the product is about: one row per kind of thing. Palette, row menus, listings, icons and the questions of commands read it.
import type { AclKey } from '../contract/acl.ts';
import { type AuditEvent, searchEvents, searchSessionEvents } from '../contract/audit.ts';
import type { MakeCall } from '../contract/call.ts';
import { type Cluster, listClusters } from '../contract/clusters.ts';
import { connectorCalls, connectorKinds } from '../contract/connectors.ts';
import { type ListedSession, listSessions } from '../contract/live-sessions.ts';
import { type Lock, listLocks, lockEnd, lockedThing } from '../contract/locks.ts';
import { listNodes, type Node } from '../contract/nodes.ts';
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
} from '../contract/resources.ts';
import { listRoles, type ResourceItem } from '../contract/roles.ts';
import type { Label, ListQuery, Page } from '../contract/shapes.ts';
import { listUsers, noPasswordHere, type User } from '../contract/users.ts';
import type { IconName } from './feature.ts';
import { eventThing, participantsOf, recordingThing } from './recording.ts';
import { type FeatureId, features } from './table.ts';
import { type Column, detailOf, loginsInOrder, type NounId, type Thing } from './thing.ts';
import { dateTime, durationText } from './times.ts';

/** What is asked of a list: its cluster, words that must all be found, and which part of it. */
export interface ListRequest {
  readonly clusterId: string;
  readonly search: string;
  readonly limit: number;
  readonly startKey: string;
}
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** '' at the end. */
  readonly startKey: string;
}

/** `Made`: what an item is as a thing; null for rows that stand for nothing that could be picked. */
export interface Noun<Item, Made extends Thing | null = Thing> {
  /** As it stands in a sentence: "server", "servers". */
  readonly one: string;
  readonly many: string;
  /** Further words by which it is known. */
  readonly words: readonly string[];
  /** Absent: that of its page. */
  readonly icon?: IconName;
  /** The page that lists them. */
  readonly page?: FeatureId;
  /** The right that opens their list; absent: the list holds what concerns the person, so everyone has it. */
  readonly lists?: AclKey;
  /** Ids of the commands that Enter, the button of a row and the palette run on one: the first that fits it and that the person may run. */
  readonly primary?: readonly string[];
  /** Id of the command that lists them on a command line. */
  readonly listing: string;
  /** Fetches a part of their list. */
  list(make: MakeCall, asked: ListRequest): Promise<Listed<Item>>;
  /** The gateway answers the list whole and searches nothing in it: whoever shows it narrows it. */
  readonly isWhole?: true;
  thing(item: Item): Made;
  readonly columns: readonly Column<Item>[];
}

/** Gives a row the type of its items. */
const noun = <Item, Made extends Thing | null = Thing>(row: Noun<Item, Made>): Noun<Item, Made> => row;

/** Ended sessions and audit events are listed for this much of the past, ms. */
const PAST_MS = 30 * 24 * 3_600_000;

/** A list that the gateway sorts, searches and pages. */
const paged =
  <Item>(sort: string, ask: (make: MakeCall, clusterId: string, query: ListQuery) => Promise<Page<Item>>) =>
  (make: MakeCall, { clusterId, search, limit, startKey }: ListRequest): Promise<Listed<Item>> =>
    ask(make, clusterId, { limit, sort, ...(search && { search }), ...(startKey && { startKey }) });

/** A list of events of the last thirty days. */
const past =
  (call: typeof searchEvents | typeof searchSessionEvents) =>
  async (make: MakeCall, { clusterId, search, limit, startKey }: ListRequest): Promise<Listed<AuditEvent>> => {
    const now = Date.now();
    const { events, ...rest } = await make(call, {
      params: { clusterId },
      query: {
        from: new Date(now - PAST_MS).toISOString(),
        to: new Date(now).toISOString(),
        order: 'desc',
        limit,
        ...(search && { search }),
        ...(startKey && { startKey }),
      },
    });
    return { items: events, startKey: rest.startKey };
  };

/** A list that comes in one piece. */
const whole =
  <Item>(ask: (make: MakeCall, clusterId: string) => Promise<readonly Item[]>) =>
  async (make: MakeCall, { clusterId }: ListRequest): Promise<Listed<Item>> => ({
    items: await ask(make, clusterId),
    startKey: '',
  });

const labelsColumn = <Item>(of: (item: Item) => readonly Label[]): Column<Item> => ({
  key: 'labels',
  title: 'Labels',
  of: item =>
    of(item)
      .map(({ name, value }) => `${name}=${value}`)
      .join(' '),
});

/** The address as it is shown; a server without one is reached otherwise. */
const addressOf = ({ tunnel, addr, subKind }: Node): string =>
  tunnel ? 'tunnel' : addr || (subKind === 'local' ? 'this machine' : '');

const sessionHost = (session: ListedSession): string =>
  session.server_hostname ||
  session.kubernetes_cluster_name ||
  session.desktop_name ||
  session.server_addr ||
  session.id;
const peopleIn = ({ parties }: ListedSession): string => [...new Set(parties.map(({ user }) => user))].join(', ');

/** With the scheme that people use for it: tcp and cloud stay, everything else is reached over https. */
export function applicationAddress({ uri, publicAddr }: Application): string {
  const scheme = /^(tcp|cloud):/.exec(uri)?.[1] ?? 'https';
  return publicAddr === '' ? uri : `${scheme}://${publicAddr}`;
}

/** How a person signs in, in words. */
export const signInKinds: Readonly<Record<User['authType'], string>> = {
  local: 'Local user',
  github: 'GitHub',
  oidc: 'OIDC',
  saml: 'SAML',
};

/** How a user signs in, in words. */
export const userType = ({ isBot, authType }: User): string => (isBot ? 'Bot' : signInKinds[authType]);

/** Connectors of every kind. */
export const listConnectors = async (make: MakeCall): Promise<readonly ResourceItem[]> =>
  (await Promise.all(connectorKinds.map(kind => make(connectorCalls[kind].list)))).flat();
/** `spec.display` of the YAML, which its button shows; otherwise its name. */
export const displayOf = ({ name, content }: ResourceItem): string =>
  /^ {2}display: *(['"]?)(.*)\1 *$/m.exec(content)?.[2] ?? name;
export const connectorThing = (connector: ResourceItem): Thing => ({
  kind: 'connector',
  id: `${connector.kind}/${connector.name}`,
  title: connector.name,
  detail: signInKinds[connector.kind as User['authType']],
});

/** Every kind of thing, those looked for most often first: the palette shows them in this order. */
export const nouns = {
  server: noun<Node>({
    one: 'server',
    many: 'servers',
    words: ['host', 'node', 'machine', 'ssh'],
    page: 'nodes',
    lists: 'nodes',
    primary: ['shell.open'],
    listing: 'servers.list',
    list: paged('hostname:asc', (make, clusterId, query) => make(listNodes, { params: { clusterId }, query })),
    thing: node => ({
      kind: 'server',
      id: node.id,
      title: node.hostname,
      detail: node.tunnel ? 'tunnel' : node.addr,
      labels: node.tags,
      logins: loginsInOrder(node.sshLogins),
    }),
    columns: [
      { key: 'hostname', title: 'Hostname', sorts: true, of: node => node.hostname },
      { key: 'addr', title: 'Address', of: addressOf },
      { key: 'logins', title: 'Logins', of: node => loginsInOrder(node.sshLogins).join(',') },
      { key: 'id', title: 'Id', of: node => node.id },
      labelsColumn(node => node.tags),
    ],
  }),
  session: noun<ListedSession>({
    one: 'running session',
    many: 'running sessions',
    words: ['live', 'active'],
    page: 'activeSessions',
    primary: ['session.join'],
    listing: 'sessions.list',
    list: whole(async (make, clusterId) => (await make(listSessions, { params: { clusterId } })).sessions),
    isWhole: true,
    thing: session => ({
      kind: 'session',
      id: session.id,
      title: session.login === '' ? sessionHost(session) : `${session.login}@${sessionHost(session)}`,
      detail: detailOf(peopleIn(session), session.id),
      modes: session.participantModes,
      ...(session.kind === 'ssh' ? {} : { closed: 'Only a session in a terminal can be joined' }),
    }),
    columns: [
      { key: 'id', title: 'Session ID', of: session => session.id },
      {
        key: 'name',
        title: 'Name',
        sorts: true,
        of: session => [session.login, sessionHost(session)].filter(part => part !== '').join('@'),
      },
      { key: 'users', title: 'Users', of: peopleIn },
      { key: 'created', title: 'Since', of: session => dateTime(session.created) },
      { key: 'modes', title: 'You may join as', of: session => session.participantModes.join(',') },
    ],
  }),
  recording: noun<AuditEvent, Thing | null>({
    one: 'recording',
    many: 'recordings',
    words: ['playback', 'replay', 'ended session'],
    page: 'recordings',
    lists: 'recordedSessions',
    primary: ['recording.play'],
    listing: 'recordings.list',
    list: past(searchSessionEvents),
    thing: recordingThing,
    columns: [
      { key: 'sid', title: 'Session ID', of: event => recordingThing(event)?.id ?? '' },
      { key: 'name', title: 'Name', sorts: true, of: event => recordingThing(event)?.title ?? '' },
      { key: 'created', title: 'Ended', sorts: true, of: event => dateTime(event.time) },
      {
        key: 'duration',
        title: 'Duration',
        sorts: true,
        of: event => durationText(recordingThing(event)?.recording?.durationMs ?? 0),
      },
      { key: 'users', title: 'Users', sorts: true, of: event => participantsOf(event).join(', ') },
    ],
  }),
  application: noun<Application>({
    one: 'application',
    many: 'applications',
    words: ['app', 'web'],
    page: 'apps',
    lists: 'appServers',
    primary: ['applications.copyAddress'],
    listing: 'applications.list',
    list: paged('name:asc', (make, clusterId, query) => make(listApps, { params: { clusterId }, query })),
    thing: app => ({
      kind: 'application',
      id: app.name,
      title: app.friendlyName || app.name,
      detail: app.publicAddr || app.uri,
      address: applicationAddress(app),
      labels: app.labels,
    }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: app => app.friendlyName || app.name },
      { key: 'description', title: 'Description', sorts: true, of: app => app.description },
      { key: 'address', title: 'Address', of: app => app.publicAddr },
      labelsColumn(app => app.labels),
    ],
  }),
  database: noun<Database>({
    one: 'database',
    many: 'databases',
    words: ['db', 'sql'],
    page: 'databases',
    lists: 'dbServers',
    primary: ['databases.connect'],
    listing: 'databases.list',
    list: paged('name:asc', (make, clusterId, query) => make(listDatabases, { params: { clusterId }, query })),
    thing: database => ({
      kind: 'database',
      id: database.name,
      title: database.name,
      detail: database.protocol,
      labels: database.labels,
    }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: database => database.name },
      { key: 'description', title: 'Description', sorts: true, of: database => database.desc },
      { key: 'protocol', title: 'Protocol', of: database => database.protocol },
      { key: 'users', title: 'Users', of: database => database.database_users.join(',') },
      labelsColumn(database => database.labels),
    ],
  }),
  desktop: noun<Desktop>({
    one: 'desktop',
    many: 'desktops',
    words: ['windows', 'rdp'],
    page: 'desktops',
    lists: 'desktops',
    primary: ['desktops.copyAddress'],
    listing: 'desktops.list',
    list: paged('name:asc', (make, clusterId, query) => make(listDesktops, { params: { clusterId }, query })),
    thing: desktop => ({
      kind: 'desktop',
      id: desktop.name,
      title: desktop.name,
      detail: desktop.addr,
      address: desktop.addr,
      labels: desktop.labels,
      logins: desktop.logins,
    }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: desktop => desktop.name },
      { key: 'address', title: 'Address', sorts: true, of: desktop => desktop.addr },
      { key: 'logins', title: 'Logins', of: desktop => desktop.logins.join(',') },
      labelsColumn(desktop => desktop.labels),
    ],
  }),
  kubernetes: noun<Kube>({
    one: 'Kubernetes cluster',
    many: 'Kubernetes clusters',
    words: ['kube', 'k8s', 'pods'],
    page: 'kubes',
    lists: 'kubeServers',
    primary: ['kubernetes.connect'],
    listing: 'kubernetes.list',
    list: paged('name:asc', (make, clusterId, query) => make(listKubes, { params: { clusterId }, query })),
    thing: kube => ({
      kind: 'kubernetes',
      id: kube.name,
      title: kube.name,
      labels: kube.labels,
    }),
    columns: [{ key: 'name', title: 'Name', sorts: true, of: kube => kube.name }, labelsColumn(kube => kube.labels)],
  }),
  user: noun<User>({
    one: 'user',
    many: 'users',
    words: ['person', 'people', 'account'],
    page: 'users',
    lists: 'users',
    primary: ['users.open'],
    listing: 'users.list',
    list: whole(make => make(listUsers)),
    isWhole: true,
    thing: user => {
      const elsewhere = noPasswordHere(user);
      return {
        kind: 'user',
        id: user.name,
        title: user.name,
        detail: user.roles.join(', '),
        ...(elsewhere !== undefined && { elsewhere }),
      };
    },
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: user => user.name },
      { key: 'roles', title: 'Roles', sorts: true, of: user => user.roles.join(',') },
      { key: 'type', title: 'Type', sorts: true, of: userType },
      {
        key: 'lastSignIn',
        title: 'Last sign-in',
        sorts: true,
        of: ({ lastSignIn }) => (lastSignIn === undefined ? 'never' : dateTime(lastSignIn)),
      },
    ],
  }),
  role: noun<Pick<ResourceItem, 'name'>>({
    one: 'role',
    many: 'roles',
    words: ['rights', 'permissions'],
    page: 'roles',
    lists: 'roles',
    primary: ['roles.edit', 'roles.view'],
    listing: 'roles.list',
    list: whole(make => make(listRoles)),
    isWhole: true,
    thing: role => ({ kind: 'role', id: role.name, title: role.name }),
    columns: [{ key: 'name', title: 'Name', sorts: true, of: role => role.name }],
  }),
  connector: noun<ResourceItem>({
    one: 'auth connector',
    many: 'auth connectors',
    words: ['sso', 'single sign-on', 'oidc', 'saml', 'github'],
    page: 'authConnectors',
    lists: 'authConnectors',
    primary: ['connectors.edit', 'connectors.view'],
    listing: 'connectors.list',
    list: whole(make => listConnectors(make)),
    isWhole: true,
    thing: connectorThing,
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: connector => connector.name },
      { key: 'kind', title: 'Kind', of: connector => signInKinds[connector.kind as User['authType']] },
      { key: 'display', title: 'Button', of: displayOf },
    ],
  }),
  lock: noun<Lock>({
    one: 'lock',
    many: 'locks',
    words: ['block', 'suspended', 'held back'],
    page: 'locks',
    lists: 'lock',
    primary: ['locks.show'],
    listing: 'locks.list',
    list: whole((make, clusterId) => make(listLocks, { params: { clusterId } })),
    isWhole: true,
    thing: lock => ({
      kind: 'lock',
      id: lock.name,
      title: lockedThing(lock),
      detail: detailOf(lockEnd(lock) && `until ${lockEnd(lock)}`, lock.message),
    }),
    columns: [
      { key: 'name', title: 'Id', of: lock => lock.name },
      { key: 'targets', title: 'Locked', sorts: true, of: lockedThing },
      { key: 'expires', title: 'Until', sorts: true, of: lock => lockEnd(lock) || 'never ends' },
      { key: 'createdBy', title: 'By', sorts: true, of: lock => lock.createdBy },
      { key: 'message', title: 'Message', sorts: true, of: lock => lock.message },
    ],
  }),
  cluster: noun<Cluster>({
    one: 'cluster',
    many: 'clusters',
    words: ['leaf', 'root', 'site'],
    page: 'clusters',
    primary: ['cluster.page'],
    listing: 'clusters.list',
    list: whole(make => make(listClusters)),
    isWhole: true,
    thing: cluster => ({
      kind: 'cluster',
      id: cluster.name,
      title: cluster.name,
      detail: cluster.publicURL,
      ...(cluster.status === 'online' ? {} : { refused: 'This cluster is offline' }),
    }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: cluster => cluster.name },
      { key: 'status', title: 'Status', of: cluster => cluster.status },
      { key: 'servers', title: 'Servers', of: cluster => String(cluster.nodeCount) },
      { key: 'address', title: 'Address', of: cluster => cluster.publicURL },
    ],
  }),
  userGroup: noun<UserGroup>({
    one: 'user group',
    many: 'user groups',
    words: ['okta', 'members'],
    icon: 'UsersRound',
    primary: ['userGroups.applications'],
    listing: 'userGroups.list',
    list: paged('name:asc', (make, clusterId, query) => make(listUserGroups, { params: { clusterId }, query })),
    thing: group => ({
      kind: 'userGroup',
      id: group.name,
      title: group.friendlyName || group.name,
      detail: group.description || group.applications.map(app => app.friendlyName || app.name).join(', '),
    }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: group => group.friendlyName || group.name },
      { key: 'description', title: 'Description', sorts: true, of: group => group.description },
      { key: 'applications', title: 'Applications', of: group => group.applications.map(app => app.name).join(',') },
      labelsColumn(group => group.labels),
    ],
  }),
  event: noun<AuditEvent>({
    one: 'audit event',
    many: 'audit events',
    words: ['audit', 'log', 'history'],
    page: 'audit',
    lists: 'events',
    primary: ['audit.unfold', 'audit.details'],
    listing: 'events.list',
    list: past(searchEvents),
    thing: eventThing,
    columns: [
      { key: 'created', title: 'Created', sorts: true, of: event => dateTime(event.time) },
      { key: 'type', title: 'Type', sorts: true, of: event => event.event },
      { key: 'code', title: 'Code', of: event => event.code },
      { key: 'user', title: 'User', of: event => event.user ?? '' },
    ],
  }),
} satisfies Record<NounId, object>;

export const nounIds = Object.keys(nouns) as readonly NounId[];

/** A row whose items may be of any kind: for whoever treats all nouns alike and passes items on as they came. */
export const nounOf = (id: NounId): Noun<unknown, Thing | null> => nouns[id] as Noun<unknown, Thing | null>;

/** The icon that stands for a noun: its own, or that of its page. */
export function iconOf(id: NounId): IconName | undefined {
  const { icon, page } = nounOf(id);
  return icon ?? (page && features[page].icon);
}
