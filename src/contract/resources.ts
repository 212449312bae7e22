// The other resource lists: applications, databases, desktops, Kubernetes clusters, user groups.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, labels, listQuery, name, page } from './shapes.ts';

export const application = z.object({
  kind: z._default(z.literal('app'), 'app'),
  name: z.string(),
  description: z._default(z.string(), ''),
  uri: z._default(z.string(), ''),
  publicAddr: z._default(z.string(), ''),
  fqdn: z._default(z.string(), ''),
  /** Ours: what a browser types to come to it, with the port of the gateway; '' for what no browser comes to. */
  address: z._default(z.string(), ''),
  clusterId: z.string(),
  labels: z._default(labels, []),
  awsConsole: z._default(z.boolean(), false),
  awsRoles: z._default(z.array(z.object({ arn: z.string(), display: z.string() })), []),
  /** Ours: of the API of a cloud, who this person may be in it. */
  cloud: z.optional(z.object({ provider: z.enum(['azure', 'gcp']), identities: z.array(z.string()) })),
  friendlyName: z._default(z.string(), ''),
  userGroups: z._default(z.array(z.object({ name: z.string(), description: z.string() })), []),
  samlApp: z._default(z.boolean(), false),
  /** Ours: why it cannot be reached now. Known where the way to it is a tunnel. */
  offline: z.optional(z.string()),
});
export type Application = z.infer<typeof application>;

export const database = z.object({
  kind: z._default(z.literal('db'), 'db'),
  name: z.string(),
  desc: z._default(z.string(), ''),
  protocol: z.string(),
  type: z._default(z.string(), 'self-hosted'),
  labels: z._default(labels, []),
  hostname: z._default(z.string(), ''),
  uri: z._default(z.string(), ''),
  database_users: z._default(z.array(z.string()), []),
  database_names: z._default(z.array(z.string()), []),
  aws: z.optional(z.looseObject({})),
  /** Ours: why it cannot be reached now. Known where the way to it is a tunnel. */
  offline: z.optional(z.string()),
});
export type Database = z.infer<typeof database>;

/** What a desktop is shown by. */
export const desktopProtocol = z.enum(['rdp', 'vnc']);
export type DesktopProtocol = z.infer<typeof desktopProtocol>;
export const desktop = z.object({
  kind: z._default(z.literal('windows_desktop'), 'windows_desktop'),
  os: z._default(z.string(), 'windows'),
  name: z.string(),
  /** host:port */
  addr: z.string(),
  labels: z._default(labels, []),
  host_id: z._default(z.string(), ''),
  logins: z._default(z.array(z.string()), []),
  /** Ours. */
  protocol: z._default(desktopProtocol, 'rdp'),
});
export type Desktop = z.infer<typeof desktop>;

export const kube = z.object({
  kind: z._default(z.literal('kube_cluster'), 'kube_cluster'),
  name: z.string(),
  labels: z._default(labels, []),
  kubernetes_users: z._default(z.array(z.string()), []),
  kubernetes_groups: z._default(z.array(z.string()), []),
});
export type Kube = z.infer<typeof kube>;

export const userGroup = z.object({
  kind: z._default(z.literal('user_group'), 'user_group'),
  name: z.string(),
  description: z._default(z.string(), ''),
  labels: z._default(labels, []),
  friendlyName: z._default(z.string(), ''),
  applications: z._default(z.array(z.object({ name: z.string(), friendlyName: z.string() })), []),
});
export type UserGroup = z.infer<typeof userGroup>;

/** A service that reaches databases: which of them, by their labels. */
export const databaseService = z.object({
  name: z.string(),
  resource_matchers: z._default(
    z.array(
      z.object({
        labels: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
        aws: z.optional(z.object({ assume_role_arn: z.string(), external_id: z.string() })),
      }),
    ),
    [],
  ),
});
/** A service that reaches desktops. */
export const desktopService = z.object({
  name: z.string(),
  hostname: z.string(),
  addr: z.string(),
  labels: z._default(labels, []),
});

const list = { params: clusterParams, query: listQuery };
const one = { params: z.object({ clusterId: name, name }) };
export const listApps = call('GET', 'sites/:clusterId/apps', {
  summary: "Applications that this person's roles select.",
  access: { resource: 'app_server', verb: 'list' },
  ...list,
  reply: page(application),
});
export const listDatabases = call('GET', 'sites/:clusterId/databases', {
  summary: "Databases that this person's roles select.",
  access: { resource: 'db_server', verb: 'list' },
  ...list,
  reply: page(database),
});
export const getDatabase = call('GET', 'sites/:clusterId/databases/:name', {
  summary: 'One database.',
  access: { resource: 'db_server', verb: 'read' },
  ...one,
  reply: database,
});
export const listDatabaseServices = call('GET', 'sites/:clusterId/databaseservices', {
  summary: "Database services that this person's roles select.",
  access: { resource: 'db_service', verb: 'list' },
  ...list,
  reply: page(databaseService),
});
export const listDesktops = call('GET', 'sites/:clusterId/desktops', {
  summary: "Desktops that this person's roles select.",
  access: { resource: 'windows_desktop', verb: 'list' },
  ...list,
  reply: page(desktop),
});
export const getDesktop = call('GET', 'sites/:clusterId/desktops/:name', {
  summary: 'One desktop.',
  access: { resource: 'windows_desktop', verb: 'read' },
  ...one,
  reply: desktop,
});
export const isDesktopActive = call('GET', 'sites/:clusterId/desktops/:name/active', {
  summary: 'Whether somebody has a session on the desktop now.',
  access: { resource: 'windows_desktop', verb: 'read' },
  ...one,
  reply: z.object({ active: z.boolean() }),
});
export const listDesktopServices = call('GET', 'sites/:clusterId/desktopservices', {
  summary: 'Desktop services.',
  access: { resource: 'windows_desktop_service', verb: 'list' },
  ...list,
  reply: page(desktopService),
});
export const listKubes = call('GET', 'sites/:clusterId/kubernetes', {
  summary: "Kubernetes clusters that this person's roles select.",
  access: { resource: 'kube_server', verb: 'list' },
  ...list,
  reply: page(kube),
});
export const listUserGroups = call('GET', 'sites/:clusterId/user-groups', {
  summary: "User groups that this person's roles select.",
  access: { resource: 'user_group', verb: 'list' },
  ...list,
  reply: page(userGroup),
});
const resourcesCheck = {
  summary: 'Whether any resource is visible to this person.',
  access: 'signedIn',
  reply: z.object({ hasResource: z.boolean() }),
} as const;
export const checkResources = call('GET', 'resources/check', resourcesCheck);
/** The same where other clients ask for it. */
export const checkSiteResources = call('GET', 'sites/:clusterId/resources/check', {
  ...resourcesCheck,
  params: clusterParams,
});
