// What an item of each noun's list is: how it is asked for, as what it is picked, and its columns. nouns.ts has what they are called.

import type { AccessList } from '../contract/access-lists.ts';
import type { AccessRequest } from '../contract/access-requests.ts';
import type { Agent } from '../contract/agents.ts';
import { type AuditEvent, searchEvents, searchSessionEvents } from '../contract/audit.ts';
import type { Bot } from '../contract/bots.ts';
import type { MakeCall } from '../contract/call.ts';
import { type Cluster, listClusters } from '../contract/clusters.ts';
import { connectorCalls, connectorKinds } from '../contract/connectors.ts';
import { containerAddress } from '../contract/container-address.ts';
import { promptNames, promptProtocols } from '../contract/database-protocols.ts';
import type { Enrolled } from '../contract/integrations.ts';
import { type JoinToken, joinedThings, listJoinTokens } from '../contract/join-tokens.ts';
import { type ListedSession, listSessions } from '../contract/live-sessions.ts';
import { lockEnd, lockedThing } from '../contract/lock-words.ts';
import { type Lock, listLocks } from '../contract/locks.ts';
import { listLoginRules } from '../contract/login-rule-calls.ts';
import { findPods, type Pod } from '../contract/pods.ts';
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
import { listReviews, type WaitingStatement } from '../contract/reviews.ts';
import { listRoles, type ResourceItem } from '../contract/roles.ts';
import { samlLoginPath } from '../contract/saml-idp.ts';
import { listTrustedClusters, type TrustedClusterItem } from '../contract/trusted-clusters.ts';
import type { TrustedDevice } from '../contract/trusted-devices.ts';
import { listUsers, noPasswordHere, type User } from '../contract/users.ts';
import { listWorkspaces, type Workspace, type WorkspaceTab } from '../contract/workspaces.ts';
import { grantsText, membershipText } from './access-lists.ts';
import { agentRights, agentState } from './agents.ts';
import { keyWords } from './key-words.ts';
import { to } from './paths.ts';
import { eventThing, participantsOf, recordingThing } from './recording.ts';
import { requestState, requestWords } from './requests.ts';
import { type Items, type Listed, type ListRequest, labelsColumn, paged, serverItems } from './server-items.ts';
import { detailOf, type NounId, type Thing } from './thing.ts';
import { dateTime, durationText } from './times.ts';

/** Gives a row the type of its items. */
const itemsAs = <Item, Made extends Thing | null = Thing>(row: Items<Item, Made>): Items<Item, Made> => row;

/** Of a statement, what a thing is called by, characters. */
const TITLE_MOST_CHARACTERS = 80;
/** Ended sessions and audit events are listed for this much of the past, ms. */
const PAST_MS = 30 * 24 * 3_600_000;

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

const osWords: Readonly<Record<TrustedDevice['os_type'], string>> = {
  linux: 'Linux',
  macos: 'macOS',
  windows: 'Windows',
};
/** How a trusted device stands, in words. */
const deviceWords = ({ enroll_status, token_expires, locked }: TrustedDevice): string =>
  locked !== undefined
    ? 'Locked'
    : enroll_status === 'enrolled'
      ? 'Enrolled'
      : token_expires === undefined
        ? 'Not enrolled'
        : 'Waits to be enrolled';
const rolesOf = ({ roles }: JoinToken): string => roles.map(role => joinedThings[role]).join(', ');
const machinesOf = ({ instances }: Bot): string =>
  instances.length === 1 ? '1 machine' : `${instances.length} machines`;
const usesOf = ({ used, usesLeft }: JoinToken): string =>
  usesLeft === null ? String(used) : usesLeft === 0 ? `${used}, used up` : `${used} of ${used + usesLeft}`;

/** A list that comes in one piece. */
const whole =
  <Item>(ask: (make: MakeCall, clusterId: string) => Promise<readonly Item[]>) =>
  async (make: MakeCall, { clusterId }: ListRequest): Promise<Listed<Item>> => ({
    items: await ask(make, clusterId),
    startKey: '',
  });

const sessionHost = (session: ListedSession): string =>
  session.server_hostname ||
  session.kubernetes_cluster_name ||
  session.database_name ||
  session.desktop_name ||
  session.app_name ||
  session.server_addr ||
  session.id;
const peopleIn = ({ parties }: ListedSession): string => [...new Set(parties.map(({ user }) => user))].join(', ');

/** With the scheme that people use for it: tcp and cloud stay, everything else is reached over https. */
export function applicationAddress({ uri, publicAddr, address }: Application): string {
  if (address !== '') return address;
  const scheme = /^(tcp|cloud):/.exec(uri)?.[1] ?? 'https';
  return publicAddr === '' ? uri : `${scheme}://${publicAddr}`;
}

/** The console's page that leads to a web application. */
export const launchPath = ({ name, fqdn, clusterId, publicAddr, samlApp }: Application): string =>
  samlApp ? samlLoginPath(name) : to('launch', { fqdn, clusterId, publicAddr });

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

/** `metadata.description` of a resource's YAML. */
export const descriptionOf = ({ content }: ResourceItem): string =>
  /^ {2}description: *(['"]?)(.*)\1 *$/m.exec(content)?.[2] ?? '';
/** `spec.priority` of a login rule's YAML. */
export const priorityOf = ({ content }: ResourceItem): string => /^ {2}priority: *(-?\d+) *$/m.exec(content)?.[1] ?? '';

/** How the connection to a root stands, in words. */
export const trustedClusterWords = ({ status, why }: TrustedClusterItem): string =>
  why === '' ? status : `${status}: ${why}`;
export const trustedClusterThing = (root: TrustedClusterItem): Thing => ({
  kind: 'trustedCluster',
  id: root.name,
  title: root.name,
  detail: root.status,
});

const hostsOf = (tabs: readonly WorkspaceTab[]): string =>
  [...new Set(tabs.flatMap(({ panes }) => panes.map(({ hostname }) => hostname)))].join(', ');

/** The items of every noun. */
export const items = {
  server: serverItems,
  session: itemsAs<ListedSession>({
    list: whole(async (make, clusterId) => (await make(listSessions, { params: { clusterId } })).sessions),
    isWhole: true,
    thing: session => ({
      kind: 'session',
      id: session.id,
      title: session.login === '' ? sessionHost(session) : `${session.login}@${sessionHost(session)}`,
      detail: detailOf(peopleIn(session), session.id),
      modes: session.participantModes,
      ...(session.kind === 'desktop' && session.participantModes.length > 0 && { showsPictures: true as const }),
      ...(session.kind === 'desktop' && session.participantModes.length > 0
        ? {}
        : (session.kind === 'ssh' || session.kind === 'k8s') && !session.command
          ? {}
          : { closed: 'Only a session in a terminal, or on a desktop that is recorded, can be joined' }),
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
  recording: itemsAs<AuditEvent, Thing | null>({
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
  application: itemsAs<Application>({
    list: paged('name:asc', (make, clusterId, query) => make(listApps, { params: { clusterId }, query })),
    thing: app => ({
      kind: 'application',
      id: app.name,
      title: app.friendlyName || app.name,
      detail: app.publicAddr || app.uri,
      address: applicationAddress(app),
      ...((app.fqdn !== '' || app.samlApp) && { launch: launchPath(app) }),
      ...(app.samlApp && { saml: true as const }),
      ...(app.offline !== undefined && { closed: `${app.name} is offline: ${app.offline}` }),
      labels: app.labels,
    }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: app => app.friendlyName || app.name },
      { key: 'description', title: 'Description', sorts: true, of: app => app.description },
      { key: 'address', title: 'Address', of: app => app.publicAddr },
      labelsColumn(app => app.labels),
    ],
  }),
  database: itemsAs<Database>({
    list: paged('name:asc', (make, clusterId, query) => make(listDatabases, { params: { clusterId }, query })),
    thing: database => ({
      kind: 'database',
      id: database.name,
      title: database.name,
      detail: database.protocol,
      labels: database.labels,
      logins: database.database_users,
      ...(promptProtocols.has(database.protocol) && { databases: promptNames(database) }),
      ...(database.offline !== undefined && { closed: `${database.name} is offline: ${database.offline}` }),
    }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: database => database.name },
      { key: 'description', title: 'Description', sorts: true, of: database => database.desc },
      { key: 'protocol', title: 'Protocol', of: database => database.protocol },
      { key: 'users', title: 'Users', of: database => database.database_users.join(',') },
      labelsColumn(database => database.labels),
    ],
  }),
  desktop: itemsAs<Desktop>({
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
  kubernetes: itemsAs<Kube>({
    list: paged('name:asc', (make, clusterId, query) => make(listKubes, { params: { clusterId }, query })),
    thing: kube => ({
      kind: 'kubernetes',
      id: kube.name,
      title: kube.name,
      labels: kube.labels,
    }),
    columns: [{ key: 'name', title: 'Name', sorts: true, of: kube => kube.name }, labelsColumn(kube => kube.labels)],
  }),
  user: itemsAs<User>({
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
  role: itemsAs<Pick<ResourceItem, 'name'>>({
    list: whole(make => make(listRoles)),
    isWhole: true,
    thing: role => ({ kind: 'role', id: role.name, title: role.name }),
    columns: [{ key: 'name', title: 'Name', sorts: true, of: role => role.name }],
  }),
  connector: itemsAs<ResourceItem>({
    list: whole(make => listConnectors(make)),
    isWhole: true,
    thing: connectorThing,
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: connector => connector.name },
      { key: 'kind', title: 'Kind', of: connector => signInKinds[connector.kind as User['authType']] },
      { key: 'display', title: 'Button', of: displayOf },
    ],
  }),
  loginRule: itemsAs<ResourceItem>({
    list: whole(make => make(listLoginRules)),
    isWhole: true,
    thing: rule => ({ kind: 'loginRule', id: rule.name, title: rule.name }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: rule => rule.name },
      { key: 'priority', title: 'Priority', sorts: true, of: priorityOf },
      { key: 'description', title: 'Description', of: descriptionOf },
    ],
  }),
  trustedCluster: itemsAs<TrustedClusterItem>({
    list: whole(make => make(listTrustedClusters)),
    isWhole: true,
    thing: trustedClusterThing,
    columns: [
      { key: 'name', title: 'Root', sorts: true, of: root => root.name },
      { key: 'status', title: 'Status', of: trustedClusterWords },
    ],
  }),
  lock: itemsAs<Lock>({
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
  integration: itemsAs<Enrolled>({
    list: whole(async (make, clusterId) => {
      // Few list them: the call is fetched by those who do.
      const { listEnrolled } = await import('../contract/integrations.ts');
      return (await make(listEnrolled, { params: { clusterId } })).items;
    }),
    isWhole: true,
    thing: one => ({
      kind: 'integration',
      id: `${one.resourceType}/${one.name}`,
      title: one.name,
      detail: one.kind,
    }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: one => one.name },
      { key: 'kind', title: 'Kind', sorts: true, of: one => one.kind },
      { key: 'details', title: 'Details', of: one => one.details },
      { key: 'status', title: 'Status', of: one => String(one.statusCode) },
    ],
  }),
  trustedDevice: itemsAs<TrustedDevice>({
    list: whole(async make => {
      // Few list them: the call is fetched by those who do.
      const { listTrustedDevices } = await import('../contract/trusted-devices.ts');
      return make(listTrustedDevices);
    }),
    isWhole: true,
    thing: device => ({
      kind: 'trustedDevice',
      id: device.id,
      title: device.asset_tag,
      detail: detailOf(osWords[device.os_type], device.owner || deviceWords(device)),
    }),
    columns: [
      { key: 'asset', title: 'Asset tag', sorts: true, of: device => device.asset_tag },
      { key: 'os', title: 'System', sorts: true, of: device => osWords[device.os_type] },
      { key: 'status', title: 'Status', sorts: true, of: deviceWords },
      { key: 'owner', title: 'Owner', sorts: true, of: device => device.owner },
      { key: 'key', title: 'Kind of key', sorts: true, of: device => (device.key_in ? keyWords[device.key_in] : '') },
      { key: 'id', title: 'Id', of: device => device.id },
    ],
  }),
  token: itemsAs<JoinToken>({
    list: whole(make => make(listJoinTokens)),
    isWhole: true,
    thing: token => ({
      kind: 'token',
      id: token.name,
      title: token.name,
      detail: detailOf(rolesOf(token), usesOf(token)),
    }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: token => token.name },
      { key: 'as', title: 'Lets in', of: rolesOf },
      { key: 'uses', title: 'Joined', of: usesOf },
      {
        key: 'expiry',
        title: 'Until',
        sorts: true,
        of: ({ expiry }) => (expiry === null ? 'never ends' : dateTime(expiry)),
      },
      { key: 'createdBy', title: 'By', sorts: true, of: token => token.createdBy },
      labelsColumn(token => token.labels),
    ],
  }),
  bot: itemsAs<Bot>({
    // Few list them: the call is fetched by those who do.
    list: whole(async make => make((await import('../contract/bots.ts')).listBots)),
    isWhole: true,
    thing: bot => ({
      kind: 'bot',
      id: bot.name,
      title: bot.name,
      detail: detailOf(bot.roles.join(', '), machinesOf(bot)),
    }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: bot => bot.name },
      { key: 'user', title: 'User', sorts: true, of: bot => bot.user },
      { key: 'roles', title: 'Roles', of: bot => bot.roles.join(',') },
      { key: 'machines', title: 'Joined', of: machinesOf },
      {
        key: 'until',
        title: 'Until',
        of: ({ instances }) => {
          const last = instances
            .map(({ expires }) => expires)
            .toSorted()
            .at(-1);
          return last === undefined ? 'nobody has joined' : dateTime(last);
        },
      },
    ],
  }),
  agent: itemsAs<Agent>({
    list: whole(async (make, clusterId) => {
      // Few list them: the call is fetched by those who do.
      const { listAgents } = await import('../contract/agents.ts');
      return (await make(listAgents, { params: { clusterId } })).items;
    }),
    isWhole: true,
    thing: one => ({
      kind: 'agent',
      id: one.id,
      title: one.name,
      detail: detailOf(one.isOwn ? '' : `of ${one.owner}`, agentState(one, new Date()), agentRights(one)),
      agent: { isOwn: one.isOwn, state: one.state },
    }),
    columns: [
      { key: 'id', title: 'Id', of: one => one.id },
      { key: 'name', title: 'Agent', sorts: true, of: one => one.name },
      { key: 'owner', title: 'Of', sorts: true, of: one => one.owner },
      { key: 'rights', title: 'Works with', of: agentRights },
      { key: 'state', title: 'State', sorts: true, of: one => agentState(one, new Date()) },
      { key: 'calls', title: 'Calls', of: one => `${one.used} of ${one.calls}` },
      { key: 'last', title: 'Last call', of: one => one.lastCall?.reason ?? '' },
    ],
  }),
  request: itemsAs<AccessRequest>({
    list: whole(async (make, clusterId) => {
      // Few list them: the call is fetched by those who do.
      const { listAccessRequests } = await import('../contract/access-requests.ts');
      return (await make(listAccessRequests, { params: { clusterId } })).items;
    }),
    isWhole: true,
    thing: one => ({
      kind: 'request',
      id: one.id,
      title: `${requestWords(one)} for ${one.user}`,
      detail: detailOf(requestState(one, new Date()), one.requestReason, one.id),
      request: {
        mayReview: one.mayReview,
        mayUse: one.isOwn && one.state === 'APPROVED' && !one.isOver && !one.isAssumed,
      },
    }),
    columns: [
      { key: 'id', title: 'Id', of: one => one.id },
      { key: 'user', title: 'Who', sorts: true, of: one => one.user },
      { key: 'what', title: 'What', of: requestWords },
      { key: 'reason', title: 'Reason', of: one => one.requestReason },
      { key: 'state', title: 'State', sorts: true, of: one => requestState(one, new Date()) },
      { key: 'created', title: 'Asked', sorts: true, of: one => dateTime(one.created) },
    ],
  }),
  accessList: itemsAs<AccessList>({
    list: whole(async (make, clusterId) => {
      const { listAccessLists } = await import('../contract/access-lists.ts');
      return (await make(listAccessLists, { params: { clusterId } })).items;
    }),
    isWhole: true,
    thing: ({ name, title, mayManage, mayEdit, mayDelete, ...one }) => ({
      kind: 'accessList',
      id: name,
      title,
      detail: detailOf(membershipText(one), name),
      list: { mayManage, mayEdit, mayDelete },
    }),
    columns: [
      { key: 'name', title: 'Name', of: one => one.name },
      { key: 'title', title: 'Title', sorts: true, of: one => one.title },
      { key: 'grants', title: 'Grants', of: one => grantsText(one.grants) },
      { key: 'owners', title: 'Owners', of: one => one.owners.map(({ title }) => title).join(', ') },
      { key: 'members', title: 'Members', of: one => String(one.memberCount ?? '') },
      { key: 'membership', title: 'You', of: membershipText },
      { key: 'review', title: 'Next review', sorts: true, of: one => dateTime(one.nextReview) },
    ],
  }),
  review: itemsAs<WaitingStatement>({
    list: whole(async (make, clusterId) => (await make(listReviews, { params: { clusterId } })).items),
    isWhole: true,
    thing: one => ({
      kind: 'review',
      id: one.id,
      title: one.text.length > TITLE_MOST_CHARACTERS ? `${one.text.slice(0, TITLE_MOST_CHARACTERS)}…` : one.text,
      detail: detailOf(one.user, `${one.dbUser}@${one.database}`, one.id),
      ...(one.mayDecide ? {} : { refused: 'This one is for others to decide' }),
    }),
    columns: [
      { key: 'id', title: 'Id', of: one => one.id },
      { key: 'user', title: 'Who', sorts: true, of: one => one.user },
      { key: 'database', title: 'Database', sorts: true, of: one => `${one.dbUser}@${one.database}` },
      { key: 'text', title: 'Statement', of: one => one.text },
      { key: 'guard', title: 'Guard', of: one => one.guard },
      { key: 'plan', title: 'Plan', of: one => one.plan || one.noPlan },
      { key: 'since', title: 'Since', sorts: true, of: one => dateTime(one.since) },
    ],
  }),
  cluster: itemsAs<Cluster>({
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
  pod: itemsAs<Pod>({
    list: (make, { clusterId, search }) =>
      make(findPods, { params: { clusterId }, query: search === '' ? {} : { search } }),
    thing: pod => ({
      kind: 'pod',
      id: containerAddress({ cluster: pod.cluster, namespace: pod.namespace, pod: pod.name, container: '' }),
      title: pod.name,
      detail: detailOf(pod.namespace, pod.cluster, pod.status),
      logins: pod.containers.map(({ name }) => name),
    }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: pod => pod.name },
      { key: 'namespace', title: 'Namespace', sorts: true, of: pod => pod.namespace },
      { key: 'cluster', title: 'Cluster', of: pod => pod.cluster },
      { key: 'status', title: 'Status', of: pod => pod.status },
      { key: 'ready', title: 'Ready', of: pod => pod.ready },
      { key: 'restarts', title: 'Restarts', of: pod => String(pod.restarts) },
    ],
  }),
  userGroup: itemsAs<UserGroup>({
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
  workspace: itemsAs<Workspace>({
    list: whole(make => make(listWorkspaces)),
    isWhole: true,
    thing: ({ id, name, tabs }) => ({ kind: 'workspace', id, title: name, detail: hostsOf(tabs) }),
    columns: [
      { key: 'name', title: 'Name', sorts: true, of: ({ name }) => name },
      { key: 'servers', title: 'Servers', of: ({ tabs }) => hostsOf(tabs) },
      { key: 'updated', title: 'Saved', sorts: true, of: ({ updated }) => dateTime(updated) },
    ],
  }),
  event: itemsAs<AuditEvent>({
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

/** A row whose items may be of any kind: for whoever treats all nouns alike and passes items on as they came. */
export const itemsOf = (id: NounId): Items<unknown, Thing | null> => items[id] as Items<unknown, Thing | null>;
