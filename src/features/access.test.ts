import { expect, test } from 'vitest';
import { flag, flagsOf, home, placed, reachable, reaches } from './access.ts';
import type { Flag } from './flags.ts';
import { deployment, everyRight, person, type Right } from './person.testing.ts';
import { featureIds, features } from './table.ts';

const up = (name: Flag, rights: readonly Right[], config = deployment()): boolean =>
  flag(name, { who: person(rights), config });
const hiding = deployment({ hideInaccessibleFeatures: true });

test('all feature flags are false until the user context is loaded', () => {
  expect(Object.values(flagsOf({ who: null, config: deployment() })).some(Boolean)).toBe(false);
});

test('nobody reaches a page before the user context has loaded, but public pages are open', () => {
  expect(reachable({ who: null, config: deployment() })).toEqual([]);
  expect(featureIds.filter(id => reaches(id, { who: null, config: deployment() }))).toEqual(
    featureIds.filter(id => features[id].public),
  );
});

test.each<[Flag, Right]>([
  ['audit', 'events.list'],
  ['recordings', 'recordedSessions.list'],
  ['authConnector', 'authConnectors.list'],
  ['roles', 'roles.list'],
  ['trustedClusters', 'trustedClusters.list'],
  ['users', 'users.list'],
  ['applications', 'appServers.list'],
  ['kubernetes', 'kubeServers.list'],
  ['billing', 'billing.list'],
  ['databases', 'dbServers.list'],
  ['desktops', 'desktops.list'],
  ['nodes', 'nodes.list'],
  ['activeSessions', 'activeSessions.list'],
  ['newAccessRequest', 'accessRequests.create'],
  ['plugins', 'plugins.list'],
  ['integrations', 'integrations.list'],
  ['enrollIntegrations', 'integrations.create'],
  ['deviceTrust', 'deviceTrust.list'],
  ['locks', 'lock.list'],
])('%s follows %s and no other right', (name, right) => {
  expect(up(name, [right])).toBe(true);
  expect(
    up(
      name,
      everyRight.filter(other => other !== right),
    ),
  ).toBe(false);
});

test('adding agents needs tokens.create, and discover is available with it', () => {
  expect(up('discover', ['tokens.create'])).toBe(true);
  expect(up('discover', ['tokens.create'], hiding)).toBe(true);
  expect(up('discover', ['tokens.list'])).toBe(false);
});

test('querying agents needs list on nodes, or read and list on the others', () => {
  expect(up('discover', ['nodes.list'])).toBe(true);
  for (const key of ['appServers', 'dbServers', 'kubeServers', 'desktops'] as const) {
    expect(up('discover', [`${key}.list`])).toBe(false);
    expect(up('discover', [`${key}.read`])).toBe(false);
    expect(up('discover', [`${key}.read`, `${key}.list`])).toBe(true);
  }
});

test('the right to query alone does not open discover while inaccessible features are hidden', () => {
  expect(up('discover', ['nodes.list'], hiding)).toBe(false);
});

test('the download center needs dashboard mode and license read or download list', () => {
  const dashboard = deployment({ isDashboard: true });
  expect(up('downloadCenter', ['license.read'], dashboard)).toBe(true);
  expect(up('downloadCenter', ['download.list'], dashboard)).toBe(true);
  expect(up('downloadCenter', [], dashboard)).toBe(false);
  expect(up('downloadCenter', everyRight)).toBe(false);
});

test('the management section always shows unless inaccessible features are hidden', () => {
  expect(up('managementSection', [])).toBe(true);
  expect(up('managementSection', [], hiding)).toBe(false);
});

test.each<Right>([
  'users.list',
  'roles.list',
  'events.list',
  'recordedSessions.list',
  'trustedClusters.list',
  'billing.list',
  'plugins.list',
  'integrations.list',
  'deviceTrust.list',
  'lock.list',
  'tokens.create',
])('with hiding on, %s alone shows the management section', right => {
  expect(up('managementSection', [right], hiding)).toBe(true);
});

test('with hiding on, rights to resources do not show the management section', () => {
  expect(up('managementSection', ['nodes.list', 'appServers.list', 'activeSessions.list'], hiding)).toBe(false);
});

test('with hiding on, access requests show for the list right, a requestable role or an allowed search-as-role', () => {
  const shows = (who: ReturnType<typeof person>): boolean => flag('accessRequests', { who, config: hiding });
  expect(shows(person())).toBe(false);
  expect(shows(person(['accessRequests.list']))).toBe(true);
  expect(shows(person([], { accessCapabilities: { requestableRoles: ['dba'], suggestedReviewers: [] } }))).toBe(true);
  expect(shows(person([], { allowedSearchAsRoles: ['dba'] }))).toBe(true);
});

test('without hiding, access requests show unless the cluster is a dashboard', () => {
  expect(up('accessRequests', [])).toBe(true);
  expect(up('accessRequests', everyRight, deployment({ isDashboard: true }))).toBe(false);
});

test('new locks need both create and edit', () => {
  expect(up('newLocks', ['lock.create'])).toBe(false);
  expect(up('newLocks', ['lock.edit'])).toBe(false);
  expect(up('newLocks', ['lock.create', 'lock.edit'])).toBe(true);
});

test('the assistant needs its list right and its feature', () => {
  expect(up('assist', ['assist.list'])).toBe(false);
  expect(up('assist', ['assist.list'], deployment({ assistEnabled: true }))).toBe(true);
  expect(up('assist', [], deployment({ assistEnabled: true }))).toBe(false);
});

test('enrolling integrations or plugins needs the right to create either', () => {
  expect(up('enrollIntegrationsOrPlugins', ['plugins.create'])).toBe(true);
  expect(up('enrollIntegrationsOrPlugins', ['integrations.create'])).toBe(true);
  expect(up('enrollIntegrationsOrPlugins', ['plugins.list', 'integrations.list'])).toBe(false);
});

test('account settings and support are reached with no right at all', () => {
  const asking = { who: person(), config: hiding };
  expect(placed('menu', asking)).toEqual(['account', 'support']);
});

test('root goes to the first resource page a person reaches, else to support', () => {
  const at = (...rights: Right[]) => home({ who: person(rights), config: deployment() });
  expect(at()).toBe('support');
  expect(at('users.list')).toBe('support');
  expect(at('desktops.list', 'dbServers.list')).toBe('databases');
  expect(at(...everyRight)).toBe('nodes');
});

test('the sidebar has the order and the sections of the specification', () => {
  const asking = { who: person(everyRight), config: deployment() };
  const titles = (ids: readonly (typeof featureIds)[number][]) => ids.map(id => features[id].title);
  expect(titles(placed('resources', asking))).toEqual([
    'Servers',
    'Applications',
    'Kubernetes',
    'Databases',
    'Desktops',
    'Active Sessions',
  ]);
  expect(titles(placed('management', asking, 'access'))).toEqual(['Users', 'User Roles']);
  expect(titles(placed('management', asking, 'activity'))).toEqual(['Session Recordings', 'Audit Log']);
  expect(titles(placed('management', asking, 'clusters'))).toEqual(['Manage Clusters']);
});
