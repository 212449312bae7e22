import { expect, test } from 'vitest';
import { flag, flagsOf, reachable, reaches } from './access.ts';
import type { Flag } from './flags.ts';
import { deployment, everyRight, person, type Right } from './person.testing.ts';
import { featureIds, features } from './table.ts';

const up = (name: Flag, rights: readonly Right[], config = deployment()): boolean =>
  flag(name, { who: person(rights), config });
const hiding = deployment({ hideInaccessibleFeatures: true });

// Rule 6: flags are false at first
test('all feature flags are false until the user context is loaded', () => {
  expect(Object.values(flagsOf({ who: null, config: deployment() })).some(Boolean)).toBe(false);
});

// Rule 6: the flags
test('the feature flags are those that the specification names', () => {
  expect(Object.keys(flagsOf({ who: null, config: deployment() }))).toEqual([
    'audit',
    'recordings',
    'authConnector',
    'roles',
    'trustedClusters',
    'users',
    'applications',
    'kubernetes',
    'billing',
    'databases',
    'desktops',
    'nodes',
    'activeSessions',
    'accessRequests',
    'newAccessRequest',
    'downloadCenter',
    'discover',
    'plugins',
    'integrations',
    'enrollIntegrations',
    'enrollIntegrationsOrPlugins',
    'deviceTrust',
    'locks',
    'newLocks',
    'assist',
    'managementSection',
  ]);
});

test('nobody reaches a page before the user context has loaded, but public pages are open', () => {
  expect(reachable({ who: null, config: deployment() })).toEqual([]);
  expect(featureIds.filter(id => reaches(id, { who: null, config: deployment() }))).toEqual(
    featureIds.filter(id => features[id].public),
  );
});

// Rule 6: each flag is up with its own right alone
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
])('the flag %s is up with %s and with no other right', (name, right) => {
  expect(up(name, [right])).toBe(true);
  expect(
    up(
      name,
      everyRight.filter(other => other !== right),
    ),
  ).toBe(false);
});

// Rule 6: adding agents; discover
test('adding agents needs tokens.create; discover is available with add-agent rights, hiding or not', () => {
  expect(up('discover', ['tokens.create'])).toBe(true);
  expect(up('discover', ['tokens.create'], hiding)).toBe(true);
  expect(up('discover', ['tokens.list'])).toBe(false);
});

// Rule 6: querying agents
test('querying agents needs list on nodes, or read and list on app, database, kube servers or desktops; discover is available with it', () => {
  expect(up('discover', ['nodes.list'])).toBe(true);
  for (const key of ['appServers', 'dbServers', 'kubeServers', 'desktops'] as const) {
    expect(up('discover', [`${key}.list`])).toBe(false);
    expect(up('discover', [`${key}.read`])).toBe(false);
    expect(up('discover', [`${key}.read`, `${key}.list`])).toBe(true);
  }
});

// Rule 6: discover is not available with query rights alone while inaccessible features are hidden
test('discover is not available with query rights alone while inaccessible features are hidden', () => {
  expect(up('discover', ['nodes.list'], hiding)).toBe(false);
});

// Rule 6: the download center
test('the download-center list needs dashboard mode and license read or download list', () => {
  const dashboard = deployment({ isDashboard: true });
  expect(up('downloadCenter', ['license.read'], dashboard)).toBe(true);
  expect(up('downloadCenter', ['download.list'], dashboard)).toBe(true);
  expect(up('downloadCenter', [], dashboard)).toBe(false);
  expect(up('downloadCenter', everyRight)).toBe(false);
});

// Rule 6: the management section
test('the management section always shows unless inaccessible features are hidden', () => {
  expect(up('managementSection', [])).toBe(true);
  expect(up('managementSection', [], hiding)).toBe(false);
});

// Rule 6: the management section shows, when hiding is on, if any of its list rights exists
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
])('the management section shows, when hiding is on, if %s exists', right => {
  expect(up('managementSection', [right], hiding)).toBe(true);
});

test('the management section does not show, when hiding is on, for rights to resources alone', () => {
  expect(up('managementSection', ['nodes.list', 'appServers.list', 'activeSessions.list'], hiding)).toBe(false);
});

// Rule 6: access requests, hiding on
test('access requests show, when hiding is on, if the list right, a requestable role or an allowed search-as-role exists', () => {
  const shows = (who: ReturnType<typeof person>): boolean => flag('accessRequests', { who, config: hiding });
  expect(shows(person())).toBe(false);
  expect(shows(person(['accessRequests.list']))).toBe(true);
  expect(shows(person([], { accessCapabilities: { requestableRoles: ['dba'], suggestedReviewers: [] } }))).toBe(true);
  expect(shows(person([], { allowedSearchAsRoles: ['dba'] }))).toBe(true);
});

// Rule 6: access requests, hiding off
test('access requests show, when hiding is off, unless the cluster is a dashboard', () => {
  expect(up('accessRequests', [])).toBe(true);
  expect(up('accessRequests', everyRight, deployment({ isDashboard: true }))).toBe(false);
});

// Rule 6: newLocks
test('newLocks needs both create and edit on locks', () => {
  expect(up('newLocks', ['lock.create'])).toBe(false);
  expect(up('newLocks', ['lock.edit'])).toBe(false);
  expect(up('newLocks', ['lock.create', 'lock.edit'])).toBe(true);
});

// Rule 6: assist
// Rule 1: the assistant is behind a feature flag
test('assist needs the assistant list right and the assist feature enabled', () => {
  expect(up('assist', ['assist.list'])).toBe(false);
  expect(up('assist', ['assist.list'], deployment({ assistEnabled: true }))).toBe(true);
  expect(up('assist', [], deployment({ assistEnabled: true }))).toBe(false);
});

test('enrolling integrations or plugins needs the right to create either', () => {
  expect(up('enrollIntegrationsOrPlugins', ['plugins.create'])).toBe(true);
  expect(up('enrollIntegrationsOrPlugins', ['integrations.create'])).toBe(true);
  expect(up('enrollIntegrationsOrPlugins', ['plugins.list', 'integrations.list'])).toBe(false);
});
