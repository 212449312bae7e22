// Rights as roles word them and as the user context shows them (specification, section 3, ACL).

export const verbs = [
  'list',
  'create',
  'read',
  'readnosecrets',
  'update',
  'delete',
  'rotate',
  'create_enroll_token',
  'enroll',
  'use',
] as const;
export type Verb = (typeof verbs)[number];

/** ACL key of the user context -> resource name in a role's rules. The one place that knows both spellings. */
export const aclResources = {
  recordedSessions: 'session',
  activeSessions: 'ssh_session',
  authConnectors: 'auth_connector',
  roles: 'role',
  users: 'user',
  trustedClusters: 'trusted_cluster',
  events: 'event',
  tokens: 'token',
  nodes: 'node',
  appServers: 'app_server',
  dbServers: 'db_server',
  db: 'db',
  kubeServers: 'kube_server',
  desktops: 'windows_desktop',
  accessRequests: 'access_request',
  billing: 'billing',
  connectionDiagnostic: 'connection_diagnostic',
  download: 'download',
  license: 'license',
  plugins: 'plugin',
  integrations: 'integration',
  deviceTrust: 'device',
  lock: 'lock',
  assist: 'assistant',
  samlIdpServiceProvider: 'saml_idp_service_provider',
  accessList: 'access_list',
  /** Ours: statements that wait because a guard asks about them. */
  statementReviews: 'statement_review',
  /** Ours: users that are machines. */
  bots: 'bot',
  /** Ours: what the traits of a sign-in become. */
  loginRules: 'login_rule',
  /** Ours: directories whose computers are desktops. */
  discoveries: 'discovery_config',
} as const;

export type AclKey = keyof typeof aclResources;
export const aclKeys = Object.keys(aclResources) as readonly AclKey[];

/** Further resource names that rules may name but the user context does not show. */
const otherRuleResources = [
  'oidc',
  'saml',
  'github',
  'remote_cluster',
  'session_tracker',
  'app',
  'kube_cluster',
  'db_service',
  'windows_desktop_service',
  'access_plugin_data',
  'user_group',
  'okta_import_rule',
  'okta_assignment',
  'cluster_alert',
  'instance',
  'installer',
  'database_certificate',
  'cluster_name',
  'cluster_auth_preference',
  'session_recording_config',
  'cluster_audit_config',
  'cluster_networking_config',
  'ui_config',
  'network_restrictions',
  'cert_authority',
  'auth_server',
  'proxy',
  'audit_query',
  'snippet',
  'legal_hold',
  'security_report',
] as const;
/** What rules can be about. */
export const ruleResources = [...Object.values(aclResources), ...otherRuleResources] as const;
export type RuleResource = (typeof ruleResources)[number];

/** A kind as rules name it, by that name or as the user context spells it; undefined for what no rule is about. */
export const ruleResourceOf = (word: string): RuleResource | undefined =>
  ruleResources.find(name => name === word) ??
  (Object.hasOwn(aclResources, word) ? aclResources[word as AclKey] : undefined);

/** The flags of one ACL entry. `edit` is the verb update, `remove` the verb delete (specification section 6). */
export const aclFlags = {
  list: 'list',
  read: 'read',
  edit: 'update',
  create: 'create',
  remove: 'delete',
  use: 'use',
} as const;
export type AclFlag = keyof typeof aclFlags;
export type AclEntry = Readonly<Record<AclFlag, boolean>>;
export type Acl = Readonly<Record<AclKey, AclEntry>> & {
  readonly clipboard: boolean;
  readonly desktopSessionRecording: boolean;
  readonly directorySharing: boolean;
};
