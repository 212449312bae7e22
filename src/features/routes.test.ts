// The route table of the specification (section 2), row by row: a page that there is has its path, one that is not there yet is unknown.
import { describe, expect, test } from 'vitest';
import { flag, home, leadsTo, placed, reachable, reaches } from './access.ts';
import { sectionTitles } from './feature.ts';
import type { Flag } from './flags.ts';
import { match, paramsOf } from './paths.ts';
import { deployment, everyRight, person, type Right } from './person.testing.ts';
import { type FeatureId, featureIds, features } from './table.ts';

/** Name and path as specified; our id, or `later`: its capability does not exist yet. */
const routes: readonly (readonly [name: string, path: string, id: FeatureId | 'later'])[] = [
  ['root', '/web', 'root'],
  ['discover', '/web/discover', 'discover'],
  ['access request', '/web/accessrequest', 'accessRequests'],
  ['new access request, ours', '/web/accessrequest/new', 'newRequest'],
  ['assist, one conversation', '/web/assist/conversationId', 'assist'],
  ['apps', '/web/cluster/clusterId/apps', 'apps'],
  ['app launcher', '/web/launch/fqdn/clusterId/publicAddr/arn', 'launch'],
  ['support', '/web/support', 'support'],
  ['downloads, ours', '/web/downloads', 'downloads'],
  ['billing summary, ours', '/web/billing', 'billing'],
  ['payments and invoices, ours', '/web/billing/payments', 'payments'],
  ['invoice settings, ours', '/web/billing/settings', 'invoiceSettings'],
  ['the manual, ours', '/web/support/manual', 'manual'],
  ['settings', '/web/settings', 'settings'],
  ['account', '/web/account', 'account'],
  ['account password', '/web/account/password', 'accountPassword'],
  ['account MFA devices', '/web/account/twofactor', 'accountDevices'],
  ['roles', '/web/roles', 'roles'],
  ['rights, ours', '/web/cluster/clusterId/rights', 'rights'],
  ['run on servers, ours', '/web/cluster/clusterId/run', 'runs'],
  ['files of servers, ours', '/web/cluster/clusterId/files', 'files'],
  ['snippets, ours', '/web/snippets', 'snippets'],
  ['why, ours', '/web/cluster/clusterId/rights/why', 'why'],
  ['sso', '/web/sso', 'authConnectors'],
  ['login rules, ours', '/web/loginrules', 'loginRules'],
  ['cluster', '/web/cluster/clusterId/', 'cluster'],
  ['clusters', '/web/clusters', 'clusters'],
  ['trusted clusters', '/web/trust', 'trust'],
  ['audit', '/web/cluster/clusterId/audit', 'audit'],
  ['nodes', '/web/cluster/clusterId/nodes', 'nodes'],
  ['sessions', '/web/cluster/clusterId/sessions', 'activeSessions'],
  ['recordings', '/web/cluster/clusterId/recordings', 'recordings'],
  ['recordings side by side, ours', '/web/cluster/clusterId/recordings/compare', 'compareRecordings'],
  ['databases', '/web/cluster/clusterId/databases', 'databases'],
  ['desktops', '/web/cluster/clusterId/desktops', 'desktops'],
  ['desktop', '/web/cluster/clusterId/desktops/desktopName/username', 'desktop'],
  ['desktop that is watched, ours', '/web/cluster/clusterId/watch/sid', 'watchDesktop'],
  ['users', '/web/users', 'users'],
  ['console', '/web/cluster/clusterId/console', 'console'],
  ['console nodes', '/web/cluster/clusterId/console/nodes', 'consoleNodes'],
  ['console connect', '/web/cluster/clusterId/console/node/serverId/login', 'consoleConnect'],
  ['console session', '/web/cluster/clusterId/console/session/sid', 'consoleSession'],
  ['player', '/web/cluster/clusterId/session/sid', 'player'],
  ['login', '/web/login', 'login'],
  ['kubernetes', '/web/cluster/clusterId/kubernetes', 'kubes'],
  ['headless SSO approval', '/web/headless/requestId', 'headless'],
  ['integrations', '/web/integrations', 'integrations'],
  ['integration enroll', '/web/integrations/new', 'enrollIntegration'],
  ['locks', '/web/locks', 'locks'],
  ['access lists, ours', '/web/accesslists/name', 'accessLists'],
  ['statements to review, ours', '/web/cluster/clusterId/reviews', 'reviews'],
  ['agents, ours', '/web/agents', 'agents'],
  ['join tokens, ours', '/web/tokens', 'tokens'],
  ['bots, ours', '/web/bots', 'bots'],
  ['trusted devices', '/web/devices', 'trustedDevices'],
  ['new lock', '/web/locks/new', 'newLock'],
  ['invite', '/web/invite/tokenId', 'invite'],
  ['pods, ours', '/web/cluster/clusterId/kubes/name', 'pods'],
  ['pod, ours', '/web/cluster/clusterId/kubes/name/namespace/pod/view', 'pod'],
  ['invite, continued', '/web/invite/tokenId/continue', 'inviteContinue'],
  ['recovery, ours', '/web/recover/lost', 'recover'],
  ['reset', '/web/reset/tokenId', 'reset'],
  ['reset, continued', '/web/reset/tokenId/continue', 'resetContinue'],
  ['login success', '/web/msg/info/login_success', 'loginSuccess'],
  ['finish login in terminal', '/web/msg/info/login_terminal', 'loginTerminal'],
  ['SSO auto-close', '/web/msg/info/login_close', 'loginClose'],
  ['login failed, legacy', '/web/msg/error/login_failed', 'loginFailedLegacy'],
  ['login failed', '/web/msg/error/login', 'loginFailed'],
  ['login failed at the callback', '/web/msg/error/login/callback', 'loginFailedCallback'],
  ['login failed for lack of a role', '/web/msg/error/login/auth', 'loginFailedAuth'],
];

// Rule 2: each route has the path that the specification gives it, with its parameters
test.each(routes.filter(([, , id]) => id !== 'later'))('the route "%s" is at %s', (_name, path, id) => {
  const found = match(path);
  expect(found?.id).toBe(id);
  // Every parameter under the name that the specification gives it.
  const params = Object.keys(found?.params ?? {});
  expect(params).toEqual(expect.arrayContaining([...paramsOf(id as FeatureId)]));
  expect(found?.params).toEqual(Object.fromEntries(params.map(name => [name, name])));
});

test.each(routes.filter(([, , id]) => id === 'later'))(
  'the route "%s" has no capability behind it yet, so %s behaves as an unknown path',
  (_name, path) => expect(match(path)).toBeNull(),
);

// Rule 2: every route is there, and no other
test('there is no route that the specification does not name', () => {
  expect([...featureIds].sort()).toEqual(
    routes
      .map(([, , id]) => id)
      .filter(id => id !== 'later')
      .sort(),
  );
});

// Rule 2: sign-on handlers are no routes of the console
test('the single-sign-on handlers are no routes of the console', () => {
  for (const kind of ['oidc', 'saml', 'github'])
    for (const path of ['callback', 'login/web', 'acs', 'sso']) expect(match(`/v1/webapi/${kind}/${path}`)).toBeNull();
});

const publicRoutes: readonly FeatureId[] = [
  'login',
  'loginFailed',
  'loginFailedCallback',
  'loginFailedAuth',
  'loginFailedLegacy',
  'loginSuccess',
  'loginTerminal',
  'loginClose',
  'invite',
  'inviteContinue',
  'reset',
  'resetContinue',
  'recover',
];
// Rule 2: login, login failed, login success, finish in terminal, auto-close, invite and reset are public
test.each(publicRoutes)('%s is a public route', id => expect(features[id].public).toBe(true));
// Rule 2: desktop, console, player, headless approval and root are private
test.each(featureIds.filter(id => !publicRoutes.includes(id)))('%s is a private route', id =>
  expect(features[id].public).not.toBe(true),
);

// Rule 6: invite and reset are identified by the token
test('invite and reset screens are identified only by the token', () => {
  for (const id of ['invite', 'inviteContinue', 'reset', 'resetContinue'] as const)
    expect(paramsOf(id)).toEqual(['tokenId']);
});

describe('root', () => {
  const at = (rights: readonly Right[]): FeatureId => home({ who: person(rights), config: deployment() });
  // Rule 2.1: root leads to the first Resources feature that the person can access
  test.each<[Right, FeatureId]>([
    ['nodes.list', 'nodes'],
    ['appServers.list', 'apps'],
    ['kubeServers.list', 'kubes'],
    ['dbServers.list', 'databases'],
    ['desktops.list', 'desktops'],
    ['activeSessions.list', 'activeSessions'],
  ])('redirects to the first Resources feature the person can access: with %s alone, %s', (right, id) => {
    expect(at([right, 'users.list'])).toBe(id);
  });
  test('with several of them it redirects to the first in the sidebar’s order', () =>
    expect(at(['activeSessions.list', 'desktops.list', 'dbServers.list'])).toBe('databases'));
  // Rule 2.1: root leads to the first feature, else to support
  test('with none of them it redirects to the support route, whatever else can be reached', () =>
    expect(at(['users.list', 'roles.list', 'events.list'])).toBe('support'));
  test('a cluster’s own route leads to the same page, and settings lead to the account', () => {
    const asking = { who: person(['dbServers.list']), config: deployment() };
    expect((['root', 'cluster', 'settings', 'nodes'] as const).map(id => leadsTo(id, asking))).toEqual([
      'databases',
      'databases',
      'account',
      undefined,
    ]);
  });
});

/** Which flag opens which page (specification section 6). Pages that are not here ask for no right of their own. */
const opens: Readonly<Partial<Record<FeatureId, Flag>>> = {
  nodes: 'nodes',
  apps: 'applications',
  kubes: 'kubernetes',
  databases: 'databases',
  desktops: 'desktops',
  activeSessions: 'activeSessions',
  accessRequests: 'accessRequests',
  newRequest: 'newAccessRequest',
  users: 'users',
  roles: 'roles',
  authConnectors: 'authConnector',
  discover: 'discover',
  enrollIntegration: 'enrollIntegrationsOrPlugins',
  locks: 'locks',
  trustedDevices: 'deviceTrust',
  recordings: 'recordings',
  audit: 'audit',
  clusters: 'trustedClusters',
  trust: 'trustedClusters',
  newLock: 'newLocks',
  billing: 'billing',
  payments: 'billing',
  invoiceSettings: 'billing',
  downloads: 'downloadCenter',
  console: 'nodes',
  consoleNodes: 'nodes',
  consoleConnect: 'nodes',
  runs: 'nodes',
  pods: 'kubernetes',
  pod: 'kubernetes',
  files: 'nodes',
  assist: 'assist',
};
/** The one flag that asks for two rights. */
const newLocks: readonly Right[] = ['lock.create', 'lock.edit'];
const privateIds = featureIds.filter(id => features[id].public !== true);

describe('routes without access are not registered', () => {
  test.each(Object.entries(opens) as [FeatureId, Flag][])(
    '%s is registered exactly when the flag %s is up',
    (id, name) => {
      for (const hideInaccessibleFeatures of [true, false])
        for (const rights of [[], everyRight, newLocks, ...everyRight.map(right => [right])]) {
          const asking = { who: person(rights), config: deployment({ hideInaccessibleFeatures }) };
          expect([rights, reachable(asking).includes(id)]).toEqual([rights, flag(name, asking)]);
        }
    },
  );
  // Rule 6: Account Settings and Help & Support are always accessible
  test.each(
    privateIds.filter(
      id =>
        opens[id] === undefined &&
        !['tokens', 'bots', 'loginRules', 'reviews', 'integrations', 'agents', 'accessLists'].includes(id),
    ),
  )('%s asks for no right, only for a signed-in person', id => {
    expect(reaches(id, { who: person(), config: deployment({ hideInaccessibleFeatures: true }) })).toBe(true);
    expect(reaches(id, { who: null, config: deployment() })).toBe(false);
  });
});

test('join tokens are for whoever may list them', () => {
  const reached = (...rights: Right[]) => reaches('tokens', { who: person(rights), config: deployment() });
  expect([reached('tokens.list'), reached('tokens.create'), reached()]).toEqual([true, false, false]);
});

test('bots are for whoever may list them', () => {
  const reached = (...rights: Right[]) => reaches('bots', { who: person(rights), config: deployment() });
  expect([reached('bots.list'), reached('bots.create'), reached()]).toEqual([true, false, false]);
});

test('login rules are for whoever may list them', () => {
  const reached = (...rights: Right[]) => reaches('loginRules', { who: person(rights), config: deployment() });
  expect([reached('loginRules.list'), reached('authConnectors.list'), reached()]).toEqual([true, false, false]);
});

test('integrations are for whoever may list them or plugins', () => {
  const reached = (...rights: Right[]) => reaches('integrations', { who: person(rights), config: deployment() });
  expect([reached('integrations.list'), reached('plugins.list'), reached('plugins.create'), reached()]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('agents are for whoever a role lets delegate them, or who may lock people', () => {
  const reached = (who: ReturnType<typeof person>) => reaches('agents', { who, config: deployment() });
  expect([
    reached(person([], { agents: 'ask' })),
    reached(person(['lock.create'])),
    reached(person(['lock.list'])),
  ]).toEqual([true, true, false]);
});

describe('sidebar', () => {
  const asking = { who: person(everyRight), config: deployment() };
  const titles = (ids: readonly FeatureId[]): readonly string[] => ids.map(id => features[id].title);
  // Rule 2.2: its entries and their order
  test('Resources: Servers, Applications, Kubernetes, Databases, Desktops, Access Requests, Active Sessions', () =>
    expect(titles(placed('resources', asking))).toEqual([
      'Servers',
      'Applications',
      'Kubernetes',
      'Databases',
      'Desktops',
      'Access Requests',
      'Active Sessions',
    ]));
  // Rule 1: two categories of the sidebar, Resources and Management
  // Rule 2.2: the sections of Management, their titles and their entries
  // Rule 2.2: Create New Lock is a route only, with no sidebar item
  test.each([
    [
      'access',
      'Access Management',
      [
        'Users',
        'User Roles',
        'Auth Connectors',
        'Login Rules',
        'Manage Integrations',
        'Enroll New Integration',
        'Access Lists',
        'Enroll New Resource',
      ],
    ],
    ['identity', 'Identity', ['Session & Identity Locks', 'Agents', 'Bots', 'Trusted Devices']],
    ['activity', 'Activity', ['Session Recordings', 'Audit Log', 'Statements to Review']],
    ['clusters', 'Clusters', ['Manage Clusters', 'Trusted Clusters']],
  ] as const)('Management, section %s, is titled %s and holds %s', (section, title, items) => {
    expect([sectionTitles[section], titles(placed('management', asking, section))]).toEqual([title, items]);
  });
  // Rule 2.2: the other labels
  test('the other labels of the specification are there: devices, lists, requests, reviews, billing, downloads', () => {
    const config = deployment({ isCloud: true, isDashboard: true });
    expect(titles(placed('management', { who: person(everyRight), config }, 'billing'))).toEqual([
      'Summary',
      'Payments and Invoices',
      'Invoice Settings',
    ]);
    expect(sectionTitles.billing).toBe('Billing');
    expect(titles(['trustedDevices', 'accessLists', 'newRequest', 'downloads'])).toEqual([
      'Trusted Devices',
      'Access Lists',
      'New Request',
      'Downloads',
    ]);
  });
  // Rule 2.2: top menu only, always accessible
  test('top menu only: Account Settings and Help & Support, which are always accessible', () => {
    const nobody = { who: person(), config: deployment({ hideInaccessibleFeatures: true }) };
    expect(titles(placed('menu', nobody))).toEqual(['Account Settings', 'Help & Support']);
  });
  // Rule 2.2: cluster pages are gated by the permission
  test('Manage Clusters and Trusted Clusters are gated by the trusted-clusters permission', () => {
    const shown = (...rights: Right[]) =>
      placed('management', { who: person(rights), config: deployment() }, 'clusters');
    expect([shown('trustedClusters.list'), shown('users.list')]).toEqual([['clusters', 'trust'], []]);
  });
});
