// The map of the product: one row per page. Rows only: no React, no I/O. Paths and titles are the specification's (section 2).
import { all, anyone, asksForAccess, billedByUse, can, type Feature } from './feature.ts';
import { discover } from './flags.ts';

const rows = {
  // Resources, in the sidebar's order.
  nodes: {
    title: 'Servers',
    path: '/web/cluster/:clusterId/nodes',
    adds: 'servers.add',
    place: { category: 'resources' },
    icon: 'Server',
    needs: can('nodes', 'list'),
    keys: 'g s',
    words: ['ssh', 'hosts', 'nodes', 'machines'],
  },
  apps: {
    title: 'Applications',
    path: '/web/cluster/:clusterId/apps',
    adds: 'applications.add',
    place: { category: 'resources' },
    icon: 'AppWindow',
    needs: can('appServers', 'list'),
    keys: 'g a',
    words: ['web', 'apps', 'http'],
  },
  kubes: {
    title: 'Kubernetes',
    path: '/web/cluster/:clusterId/kubernetes',
    adds: 'kubernetes.add',
    place: { category: 'resources' },
    icon: 'Container',
    needs: can('kubeServers', 'list'),
    keys: 'g k',
    words: ['kube', 'k8s', 'kubectl', 'pods'],
  },
  databases: {
    title: 'Databases',
    path: '/web/cluster/:clusterId/databases',
    adds: 'databases.add',
    place: { category: 'resources' },
    icon: 'Database',
    needs: can('dbServers', 'list'),
    keys: 'g d',
    words: ['db', 'postgres', 'mysql', 'sql'],
  },
  desktops: {
    title: 'Desktops',
    path: '/web/cluster/:clusterId/desktops',
    adds: 'desktops.add',
    place: { category: 'resources' },
    icon: 'Monitor',
    needs: can('desktops', 'list'),
    keys: 'g w',
    words: ['windows', 'rdp'],
  },
  accessRequests: {
    title: 'Access Requests',
    path: '/web/accessrequest',
    place: { category: 'resources' },
    icon: 'KeyRound',
    needs: asksForAccess,
    keys: 'g q',
    words: ['review', 'approve', 'just in time', 'elevate'],
    prefix: true,
    locked: { when: billedByUse, path: '/web/accessrequest/locked', title: 'Access Requests' },
  },
  activeSessions: {
    title: 'Active Sessions',
    path: '/web/cluster/:clusterId/sessions',
    place: { category: 'resources' },
    icon: 'SquareTerminal',
    needs: can('activeSessions', 'list'),
    keys: 'g v',
    words: ['live', 'running', 'join'],
    locked: { when: billedByUse, path: '/web/cluster/:clusterId/sessions/locked', title: 'Active Sessions' },
  },

  // Management, section by section.
  users: {
    title: 'Users',
    path: '/web/users',
    place: { category: 'management', section: 'access' },
    icon: 'Users',
    needs: can('users', 'list'),
    keys: 'g u',
    words: ['people', 'accounts', 'invite'],
  },
  roles: {
    title: 'User Roles',
    path: '/web/roles',
    place: { category: 'management', section: 'access' },
    icon: 'ShieldCheck',
    needs: can('roles', 'list'),
    keys: 'g o',
    words: ['rights', 'permissions', 'rbac', 'yaml'],
  },
  authConnectors: {
    title: 'Auth Connectors',
    path: '/web/sso',
    place: { category: 'management', section: 'access' },
    icon: 'KeyRound',
    needs: can('authConnectors', 'list'),
    keys: 'g i',
    words: ['single sign-on', 'oidc', 'saml', 'github', 'identity provider'],
    prefix: true,
    locked: { when: billedByUse, path: '/web/sso/locked', title: 'Auth Connectors' },
  },
  discover: {
    title: 'Enroll New Resource',
    path: '/web/discover',
    place: { category: 'management', section: 'access' },
    icon: 'Plus',
    needs: discover,
    keys: 'g n',
    words: ['add', 'join', 'wizard'],
  },
  locks: {
    title: 'Session & Identity Locks',
    path: '/web/locks',
    place: { category: 'management', section: 'identity' },
    icon: 'Lock',
    needs: can('lock', 'list'),
    keys: 'g x',
    words: ['block', 'suspend', 'held back'],
    prefix: true,
  },
  recordings: {
    title: 'Session Recordings',
    path: '/web/cluster/:clusterId/recordings',
    place: { category: 'management', section: 'activity' },
    icon: 'CirclePlay',
    needs: can('recordedSessions', 'list'),
    keys: 'g r',
    words: ['playback', 'player', 'replay'],
  },
  audit: {
    title: 'Audit Log',
    path: '/web/cluster/:clusterId/audit',
    place: { category: 'management', section: 'activity' },
    icon: 'ScrollText',
    needs: can('events', 'list'),
    keys: 'g l',
    words: ['events', 'history', 'log'],
  },
  reviews: {
    title: 'Statements to Review',
    path: '/web/cluster/:clusterId/reviews',
    place: { category: 'management', section: 'activity' },
    icon: 'ShieldCheck',
    needs: can('statementReviews', 'list'),
    keys: 'g e',
    words: ['approve', 'guard', 'waiting', 'ask', 'queries'],
  },
  clusters: {
    title: 'Manage Clusters',
    path: '/web/clusters',
    place: { category: 'management', section: 'clusters' },
    icon: 'Network',
    needs: can('trustedClusters', 'list'),
    keys: 'g c',
    words: ['leaf', 'root', 'sites'],
  },
  trust: {
    title: 'Trusted Clusters',
    path: '/web/trust',
    place: { category: 'management', section: 'clusters' },
    icon: 'ShieldCheck',
    needs: can('trustedClusters', 'list'),
    keys: 'g y',
    words: ['root', 'leaf', 'join', 'role map', 'federation'],
  },

  // The user menu.
  account: {
    title: 'Account Settings',
    path: '/web/account',
    place: { category: 'menu' },
    icon: 'UserCog',
    needs: anyone,
    keys: 'g m',
    words: ['me', 'profile', 'settings'],
    prefix: true,
  },
  support: {
    title: 'Help & Support',
    path: '/web/support',
    place: { category: 'menu' },
    icon: 'LifeBuoy',
    needs: anyone,
    keys: 'g h',
    words: ['version', 'cluster information'],
  },
  manual: {
    title: 'Manual',
    path: '/web/support/manual/:chapter?',
    icon: 'BookOpen',
    needs: anyone,
    keys: 'g b',
    words: ['docs', 'documentation', 'guide', 'book', 'handbook', 'help'],
    parent: 'support',
  },

  // Routes only.
  rights: {
    title: 'Access Rights',
    path: '/web/cluster/:clusterId/rights',
    needs: anyone,
    keys: 'g p',
    words: ['reach', 'permissions', 'who may', 'what may i'],
  },
  runs: {
    title: 'Run on Servers',
    path: '/web/cluster/:clusterId/run',
    icon: 'Terminal',
    needs: can('nodes', 'list'),
    parent: 'nodes',
  },
  files: {
    title: 'Files',
    path: '/web/cluster/:clusterId/files',
    needs: can('nodes', 'list'),
    parent: 'nodes',
  },
  pods: {
    title: 'Pods',
    path: '/web/cluster/:clusterId/kubes/:name/:namespace?',
    icon: 'Container',
    needs: can('kubeServers', 'list'),
    asks: 'cluster',
    parent: 'kubes',
  },
  pod: {
    title: 'Pod',
    path: '/web/cluster/:clusterId/kubes/:name/:namespace/:pod/:view',
    icon: 'Container',
    needs: can('kubeServers', 'list'),
    asks: 'pod',
    parent: 'kubes',
  },
  tokens: {
    title: 'Join Tokens',
    path: '/web/tokens',
    icon: 'KeyRound',
    needs: can('tokens', 'list'),
    keys: 'g j',
    words: ['enroll', 'install', 'script', 'join'],
  },
  why: { title: 'Why', path: '/web/cluster/:clusterId/rights/why', needs: anyone, parent: 'rights' },
  snippets: { title: 'Snippets', path: '/web/snippets', needs: anyone, words: ['templates', 'quick commands'] },
  root: { title: 'Home', path: '/web', needs: anyone, leads: 'home' },
  cluster: { title: 'Cluster', path: '/web/cluster/:clusterId', needs: anyone, leads: 'home' },
  settings: { title: 'Settings', path: '/web/settings', needs: anyone, leads: 'account' },
  accountPassword: {
    title: 'Change Password',
    path: '/web/account/password',
    needs: anyone,
    icon: 'KeyRound',
    parent: 'account',
  },
  newRequest: {
    title: 'New Request',
    path: '/web/accessrequest/new',
    icon: 'KeyRound',
    needs: can('accessRequests', 'create'),
    words: ['ask', 'access', 'role', 'elevate'],
    parent: 'accessRequests',
  },
  newLock: {
    title: 'Create New Lock',
    path: '/web/locks/new',
    icon: 'Lock',
    needs: all(can('lock', 'create'), can('lock', 'edit')),
    words: ['block', 'suspend', 'hold'],
    parent: 'locks',
  },
  accountDevices: {
    title: 'Two-Factor Devices',
    path: '/web/account/twofactor',
    needs: anyone,
    icon: 'KeyRound',
    words: ['mfa', 'hardware key', 'passkey', 'authenticator', 'recovery codes'],
    parent: 'account',
  },
  console: {
    title: 'Console',
    path: '/web/cluster/:clusterId/console',
    icon: 'Terminal',
    needs: can('nodes', 'list'),
    keys: 'g t',
    words: ['terminal', 'shell', 'full screen'],
  },
  consoleNodes: {
    title: 'Console Servers',
    path: '/web/cluster/:clusterId/console/nodes',
    icon: 'Terminal',
    needs: can('nodes', 'list'),
    words: ['terminal', 'new tab', 'connect'],
    parent: 'console',
  },
  consoleConnect: {
    title: 'New Session',
    path: '/web/cluster/:clusterId/console/node/:serverId/:login',
    needs: can('nodes', 'list'),
    asks: 'server',
    parent: 'console',
  },
  // Owners come back to their own session here, so this asks for no right of its own: the gateway decides per session.
  consoleSession: {
    title: 'Session',
    path: '/web/cluster/:clusterId/console/session/:sid',
    needs: anyone,
    asks: 'session',
  },
  headless: {
    title: 'Approve with a Key',
    path: '/web/headless/:requestId',
    needs: anyone,
    asks: 'request',
  },
  // What a person may open, the gateway decides per application.
  launch: {
    title: 'Open Application',
    path: '/web/launch/:fqdn/:clusterId?/:publicAddr?/:arn?',
    needs: anyone,
    asks: 'application',
  },
  // As with the console's sessions: who may be there as which login, the gateway decides per desktop.
  desktop: {
    title: 'Desktop',
    path: '/web/cluster/:clusterId/desktops/:desktopName/:username',
    needs: anyone,
    asks: 'desktop',
    icon: 'Monitor',
    parent: 'desktops',
  },
  player: {
    title: 'Player',
    path: '/web/cluster/:clusterId/session/:sid',
    // As with sessions: a role may let people play only what they took part in, which the gateway decides per recording.
    needs: anyone,
    asks: 'recording',
  },

  // As with the player: which recordings somebody may read, the gateway decides per recording.
  compareRecordings: {
    title: 'Compare Recordings',
    path: '/web/cluster/:clusterId/recordings/compare',
    needs: anyone,
  },

  // Signed out.
  login: { title: 'Sign In', path: '/web/login', needs: anyone, public: true },
  invite: { title: 'Invitation', path: '/web/invite/:tokenId', needs: anyone, public: true },
  inviteContinue: { title: 'Invitation', path: '/web/invite/:tokenId/continue', needs: anyone, public: true },
  reset: { title: 'Reset', path: '/web/reset/:tokenId', needs: anyone, public: true },
  resetContinue: { title: 'Reset', path: '/web/reset/:tokenId/continue', needs: anyone, public: true },
  recover: { title: 'Account Recovery', path: '/web/recover/:lost', needs: anyone, public: true },
  loginSuccess: { title: 'Signed In', path: '/web/msg/info/login_success', needs: anyone, public: true },
  loginTerminal: { title: 'Continue in Terminal', path: '/web/msg/info/login_terminal', needs: anyone, public: true },
  loginClose: { title: 'Signed In', path: '/web/msg/info/login_close', needs: anyone, public: true },
  loginFailedLegacy: { title: 'Login Unsuccessful', path: '/web/msg/error/login_failed', needs: anyone, public: true },
  loginFailed: { title: 'Login Unsuccessful', path: '/web/msg/error/login', needs: anyone, public: true },
  loginFailedCallback: {
    title: 'Login Unsuccessful',
    path: '/web/msg/error/login/callback',
    needs: anyone,
    public: true,
  },
  loginFailedAuth: { title: 'Login Unsuccessful', path: '/web/msg/error/login/auth', needs: anyone, public: true },
} as const satisfies Record<string, Feature>;

export type FeatureId = keyof typeof rows;
/** The pages that work signed out. */
export type PublicId = {
  [Id in FeatureId]: (typeof rows)[Id] extends { readonly public: true } ? Id : never;
}[FeatureId];
/** The pages that can be locked: each has words of its own for its locked page. */
export type LockedId = {
  [Id in FeatureId]: (typeof rows)[Id] extends { readonly locked: object } ? Id : never;
}[FeatureId];
interface Row extends Feature {
  readonly parent?: FeatureId;
}
/** Every page by id: exact ids, uniform fields. The order of the rows is the order of the sidebar. */
export const features: Readonly<Record<FeatureId, Row>> = rows;
export const featureIds = Object.keys(rows) as readonly FeatureId[];
