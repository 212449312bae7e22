// Where the console leads into the manual: the places where a person would ask, each with the heading that answers.

interface ManualLinkRow {
  /** What the link says. */
  readonly title: string;
  readonly chapter: string;
  /** The heading, as its anchor has it. */
  readonly section: string;
}

const rows = {
  addServer: { title: 'How a server is added', chapter: 'servers', section: 'add-one' },
  addBot: { title: 'What a bot is', chapter: 'bots', section: 'add-one' },
  joinMachine: { title: 'How a machine joins', chapter: 'reach', section: 'join-by-one-line' },
  trustHostKey: { title: 'When a host key changes', chapter: 'servers', section: 'when-the-host-key-changes' },
  declareResources: { title: 'How such a file is written', chapter: 'servers', section: 'many-at-once' },
  filterResources: { title: 'How a condition is written', chapter: 'web-api', section: 'lists' },
  runOnServers: { title: 'What a run does', chapter: 'sessions', section: 'run-a-command-on-many-servers' },
  browseFiles: { title: 'How files are looked through', chapter: 'sessions', section: 'browse-files' },
  snippets: { title: 'How snippets are written', chapter: 'sessions', section: 'snippets' },
  joinSession: { title: 'How a session is joined', chapter: 'sessions', section: 'join-one' },
  searchEvents: { title: 'How a search is written', chapter: 'audit', section: 'find-something' },
  holdRecordings: { title: 'How recordings are held', chapter: 'sessions', section: 'what-is-recorded' },
  compareRecordings: { title: 'How recordings are compared', chapter: 'sessions', section: 'play-one' },
  searchRecordings: { title: 'How recordings are found', chapter: 'sessions', section: 'play-one' },
  agents: { title: 'How agents work', chapter: 'agents', section: 'delegate-one' },
  writeRole: { title: 'How roles are written', chapter: 'roles', section: 'what-a-role-says' },
  writeConnector: {
    title: 'How connectors are written',
    chapter: 'roles',
    section: 'people-from-an-identity-provider',
  },
  writeLoginRule: { title: 'How login rules are written', chapter: 'roles', section: 'login-rules' },
  trustCluster: { title: 'How clusters trust each other', chapter: 'reach', section: 'leaf-clusters' },
  addApplication: { title: 'How an application is added', chapter: 'applications', section: 'add-one' },
  samlApplication: {
    title: 'How an application signs people in by SAML',
    chapter: 'applications',
    section: 'saml-applications',
  },
  addCluster: { title: 'How a cluster is added', chapter: 'kubernetes', section: 'set-one-up' },
  openDesktop: { title: 'How a desktop is opened', chapter: 'desktops', section: 'open-one' },
  trustDesktop: {
    title: 'When the certificate of a desktop changes',
    chapter: 'desktops',
    section: 'when-the-certificate-changes',
  },
  findDesktops: {
    title: 'How desktops are found in a directory',
    chapter: 'desktops',
    section: 'find-them-in-a-directory',
  },
  addDesktop: { title: 'How a desktop is added', chapter: 'desktops', section: 'add-one' },
  addDatabase: { title: 'How a database is added', chapter: 'databases', section: 'set-one-up' },
  sqlPrompt: { title: 'What the prompt can do', chapter: 'databases', section: 'at-a-prompt-in-the-console' },
  pods: { title: 'How pods are reached', chapter: 'kubernetes', section: 'pods-in-the-console' },
  reviewStatements: {
    title: 'How statements are reviewed',
    chapter: 'databases',
    section: 'what-waits-for-a-reviewer',
  },
  requestAccess: { title: 'How access is requested', chapter: 'requests', section: 'ask' },
  plugins: { title: 'How plugins tell of what happens', chapter: 'notifications', section: 'plugins' },
  trustDevice: { title: 'How a device is enrolled', chapter: 'devices', section: 'enroll-one' },
  accessLists: { title: 'How access lists work', chapter: 'access-lists', section: 'what-a-list-does' },
  lock: { title: 'What a lock does', chapter: 'roles', section: 'locks' },
  inviteUser: { title: 'How somebody is invited', chapter: 'first-hour', section: 'invite-somebody' },
} as const satisfies Record<string, ManualLinkRow>;

export type ManualLinkId = keyof typeof rows;
export const manualLinks: Readonly<Record<ManualLinkId, ManualLinkRow>> = rows;
