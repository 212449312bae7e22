// What the product is about: one row per kind of thing. Palette, row menus, listings, icons and the questions of commands read it; what an item
// of their lists is stands in items.ts, which is only wanted once something is listed or looked for.
import type { AclKey } from '../contract/acl.ts';
import type { IconName } from './feature.ts';
import { type FeatureId, features } from './table.ts';
import type { NounId } from './thing.ts';

export interface Noun {
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
}

/** Every kind of thing, those looked for most often first: the palette shows them in this order. */
export const nouns: Readonly<Record<NounId, Noun>> = {
  server: {
    one: 'server',
    many: 'servers',
    words: ['host', 'node', 'machine', 'ssh'],
    page: 'nodes',
    lists: 'nodes',
    primary: ['shell.open'],
    listing: 'servers.list',
  },
  session: {
    one: 'running session',
    many: 'running sessions',
    words: ['live', 'active'],
    page: 'activeSessions',
    primary: ['session.join'],
    listing: 'sessions.list',
  },
  recording: {
    one: 'recording',
    many: 'recordings',
    words: ['playback', 'replay', 'ended session'],
    page: 'recordings',
    lists: 'recordedSessions',
    primary: ['recording.play'],
    listing: 'recordings.list',
  },
  application: {
    one: 'application',
    many: 'applications',
    words: ['app', 'web'],
    page: 'apps',
    lists: 'appServers',
    primary: ['applications.open', 'applications.connect', 'applications.copyAddress'],
    listing: 'applications.list',
  },
  database: {
    one: 'database',
    many: 'databases',
    words: ['db', 'sql'],
    page: 'databases',
    lists: 'dbServers',
    primary: ['databases.prompt', 'databases.connect'],
    listing: 'databases.list',
  },
  desktop: {
    one: 'desktop',
    many: 'desktops',
    words: ['windows', 'rdp'],
    page: 'desktops',
    lists: 'desktops',
    primary: ['desktops.open', 'desktops.copyAddress'],
    listing: 'desktops.list',
  },
  kubernetes: {
    one: 'Kubernetes cluster',
    many: 'Kubernetes clusters',
    words: ['kube', 'k8s'],
    page: 'kubes',
    lists: 'kubeServers',
    primary: ['kubernetes.connect'],
    listing: 'kubernetes.list',
  },
  pod: {
    one: 'pod',
    many: 'pods',
    words: ['container', 'kubectl'],
    icon: 'Container',
    lists: 'kubeServers',
    primary: ['pods.shell'],
    listing: 'pods.list',
  },
  user: {
    one: 'user',
    many: 'users',
    words: ['person', 'people', 'account'],
    page: 'users',
    lists: 'users',
    primary: ['users.open'],
    listing: 'users.list',
  },
  role: {
    one: 'role',
    many: 'roles',
    words: ['rights', 'permissions'],
    page: 'roles',
    lists: 'roles',
    primary: ['roles.edit', 'roles.view'],
    listing: 'roles.list',
  },
  connector: {
    one: 'auth connector',
    many: 'auth connectors',
    words: ['sso', 'single sign-on', 'oidc', 'saml', 'github'],
    page: 'authConnectors',
    lists: 'authConnectors',
    primary: ['connectors.edit', 'connectors.view'],
    listing: 'connectors.list',
  },
  loginRule: {
    one: 'login rule',
    many: 'login rules',
    words: ['traits', 'claims', 'attributes', 'sso'],
    page: 'loginRules',
    lists: 'loginRules',
    primary: ['loginRules.edit', 'loginRules.view'],
    listing: 'loginRules.list',
  },
  lock: {
    one: 'lock',
    many: 'locks',
    words: ['block', 'suspended', 'held back'],
    page: 'locks',
    lists: 'lock',
    primary: ['locks.show'],
    listing: 'locks.list',
  },
  integration: {
    one: 'integration',
    many: 'integrations',
    words: ['plugin', 'slack', 'webhook', 'mail'],
    page: 'integrations',
    primary: ['integrations.edit'],
    listing: 'integrations.list',
  },
  trustedDevice: {
    one: 'trusted device',
    many: 'trusted devices',
    words: ['laptop', 'browser', 'asset tag', 'device trust'],
    page: 'trustedDevices',
    lists: 'deviceTrust',
    primary: ['device.show'],
    listing: 'trustedDevices.list',
  },
  token: {
    one: 'join token',
    many: 'join tokens',
    words: ['enroll', 'install', 'script'],
    page: 'tokens',
    lists: 'tokens',
    listing: 'tokens.list',
  },
  bot: {
    one: 'bot',
    many: 'bots',
    words: ['machine identity', 'robot', 'pipeline', 'ci'],
    page: 'bots',
    lists: 'bots',
    listing: 'bot.list',
  },
  agent: {
    one: 'agent',
    many: 'agents',
    words: ['mcp', 'bot', 'ai', 'delegated'],
    page: 'agents',
    primary: ['agent.show'],
    listing: 'agent.list',
  },
  review: {
    one: 'statement that waits',
    many: 'statements that wait',
    words: ['review', 'approve', 'guard', 'query'],
    page: 'reviews',
    primary: ['reviews.show'],
    listing: 'reviews.list',
  },
  request: {
    one: 'access request',
    many: 'access requests',
    words: ['ask', 'approve', 'elevate'],
    page: 'accessRequests',
    primary: ['requests.use', 'requests.show'],
    listing: 'requests.list',
  },
  accessList: {
    one: 'access list',
    many: 'access lists',
    words: ['members', 'owners', 'review'],
    page: 'accessLists',
    primary: ['accessLists.open'],
    listing: 'accessLists.list',
  },
  cluster: {
    one: 'cluster',
    many: 'clusters',
    words: ['leaf', 'root', 'site'],
    page: 'clusters',
    primary: ['cluster.page'],
    listing: 'clusters.list',
  },
  trustedCluster: {
    one: 'trusted cluster',
    many: 'trusted clusters',
    words: ['root', 'role map', 'federation'],
    page: 'trust',
    lists: 'trustedClusters',
    primary: ['trust.edit', 'trust.view'],
    listing: 'trustedClusters.list',
  },
  userGroup: {
    one: 'user group',
    many: 'user groups',
    words: ['okta', 'members'],
    icon: 'UsersRound',
    primary: ['userGroups.applications'],
    listing: 'userGroups.list',
  },
  workspace: {
    one: 'workspace',
    many: 'workspaces',
    words: ['layout', 'tabs', 'splits'],
    icon: 'AppWindow',
    primary: ['workspace.open'],
    listing: 'workspaces.list',
  },
  event: {
    one: 'audit event',
    many: 'audit events',
    words: ['audit', 'log', 'history'],
    page: 'audit',
    lists: 'events',
    primary: ['audit.unfold', 'audit.details'],
    listing: 'events.list',
  },
};

export const nounIds = Object.keys(nouns) as readonly NounId[];

/** The icon that stands for a noun: its own, or that of its page. */
export function iconOf(id: NounId): IconName | undefined {
  const { icon, page } = nouns[id];
  return icon ?? (page && features[page].icon);
}
