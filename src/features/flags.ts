// The feature flags of the specification (section 6), each a named predicate over the user context and the deployment.
import { all, any, asksForAccess, can, type Need, type Viewer } from './feature.ts';

const hiding: Need = ({ config }) => config.hideInaccessibleFeatures;
const not =
  (need: Need): Need =>
  viewer =>
    !need(viewer);

/** Adding agents needs tokens.create. */
const addsAgents: Need = can('tokens', 'create');

/** Querying agents needs list on nodes, or read and list on application, database or Kubernetes servers or desktops. */
const queriesAgents: Need = any(
  can('nodes', 'list'),
  all(can('appServers', 'read'), can('appServers', 'list')),
  all(can('dbServers', 'read'), can('dbServers', 'list')),
  all(can('kubeServers', 'read'), can('kubeServers', 'list')),
  all(can('desktops', 'read'), can('desktops', 'list')),
);

/** Available with the right to add agents, or with the right to query them unless inaccessible features are hidden. */
export const discover: Need = any(addsAgents, all(queriesAgents, not(hiding)));

/** Either of the two can be enrolled. */
export const enrollIntegrationsOrPlugins: Need = any(can('integrations', 'create'), can('plugins', 'create'));
/** Files for people's machines, where a dashboard hands them out. */
export const downloadCenter: Need = all(
  ({ config }) => config.isDashboard,
  any(can('license', 'read'), can('download', 'list')),
);

/** Shown when any right to list something in it exists; that test applies only while inaccessible features are hidden. */
const managementSection: Need = any(
  not(hiding),
  can('users', 'list'),
  can('roles', 'list'),
  can('events', 'list'),
  can('recordedSessions', 'list'),
  can('trustedClusters', 'list'),
  can('billing', 'list'),
  can('plugins', 'list'),
  can('integrations', 'list'),
  discover,
  can('deviceTrust', 'list'),
  can('lock', 'list'),
);

/** The assistant list right, where there is an assistant. */
export const assist: Need = all(can('assist', 'list'), ({ config }) => config.assistEnabled);

/** Every flag of the specification by name. */
const flags = {
  audit: can('events', 'list'),
  recordings: can('recordedSessions', 'list'),
  authConnector: can('authConnectors', 'list'),
  roles: can('roles', 'list'),
  trustedClusters: can('trustedClusters', 'list'),
  users: can('users', 'list'),
  applications: can('appServers', 'list'),
  kubernetes: can('kubeServers', 'list'),
  billing: can('billing', 'list'),
  databases: can('dbServers', 'list'),
  desktops: can('desktops', 'list'),
  nodes: can('nodes', 'list'),
  activeSessions: can('activeSessions', 'list'),
  accessRequests: asksForAccess,
  newAccessRequest: can('accessRequests', 'create'),
  downloadCenter,
  discover,
  plugins: can('plugins', 'list'),
  integrations: can('integrations', 'list'),
  enrollIntegrations: can('integrations', 'create'),
  enrollIntegrationsOrPlugins,
  deviceTrust: can('deviceTrust', 'list'),
  locks: can('lock', 'list'),
  newLocks: all(can('lock', 'create'), can('lock', 'edit')),
  assist,
  managementSection,
} as const satisfies Record<string, Need>;

export type Flag = keyof typeof flags;

/** Whether one flag is up. False until the user context is loaded. */
export function flag(name: Flag, { who, config }: Viewer): boolean {
  return who !== null && flags[name]({ who, config });
}

/** All flags at once; all false until the user context is loaded. */
export function flagsOf(viewer: Viewer): Readonly<Record<Flag, boolean>> {
  return Object.fromEntries(Object.keys(flags).map(name => [name, flag(name as Flag, viewer)])) as Record<
    Flag,
    boolean
  >;
}
