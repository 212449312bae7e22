// Who gets in where: one row for each call of the contract. "In" is past every door, whatever is found wrong with what was sent.

/** What an answer says about whoever asked. */
export type Got = 'in' | 'refused' | 'signed out' | 'broken';
/** One with each preset role, one whose role denies everything, and two with `access`, one of whom owned the session that is asked about. */
export type Actor = 'access' | 'editor' | 'auditor' | 'nobody' | 'owner' | 'other';

interface Row {
  /** Who shows no live pair of cookie and bearer hears this. */
  readonly outside: Got;
  readonly inside: readonly Actor[];
}
const all: readonly Actor[] = ['access', 'editor', 'auditor', 'nobody', 'owner', 'other'];

/** Whoever asks. */
const everyone: Row = { outside: 'in', inside: all };
/** Whoever has the one-time token that the path names: nobody here. */
const tokenHolder: Row = { outside: 'refused', inside: [] };
const signedIn: Row = { outside: 'signed out', inside: all };
/** Lists that hold what labels select: only a role that denies the list closes them. */
const listed: Row = { outside: 'signed out', inside: ['access', 'editor', 'auditor', 'owner', 'other'] };
const logReader: Row = { outside: 'signed out', inside: ['access', 'auditor', 'owner', 'other'] };
/** Who took part, and whoever may play everything. */
const player: Row = { outside: 'signed out', inside: ['auditor', 'owner'] };
const editor: Row = { outside: 'signed out', inside: ['editor'] };
/** Signing out without a session does nothing; with half of one it is refused, which the test says. */
const leaving: Row = everyone;

export const expected: Readonly<Record<string, Row>> = {
  searchEvents: logReader,
  exportEvents: logReader,
  countEvents: logReader,
  searchSessionEvents: logReader,
  searchRecordedText: logReader,
  captureEvent: signedIn,
  precaptureEvent: everyone,
  listClusters: signedIn,
  getThumbprint: everyone,
  listAlerts: signedIn,
  getSignInSettings: listed,
  updateSignInSettings: editor,
  beginSignInTest: editor,
  getSignInTest: editor,
  exchangeCode: everyone,
  mfaRequired: signedIn,
  getResetToken: tokenHolder,
  completeReset: everyone,
  beginRecovery: everyone,
  recoveryChallenge: tokenHolder,
  completeRecovery: everyone,
  changePassword: signedIn,
  listSessions: signedIn,
  getSession: signedIn,
  endSession: signedIn,
  listSnippets: signedIn,
  putSnippet: signedIn,
  deleteSnippet: signedIn,
  beginBroadcast: signedIn,
  endBroadcast: signedIn,
  signDatabase: editor,
  databaseKeyChallenge: listed,
  createDatabaseCertificate: listed,
  getDatabaseAuthorities: signedIn,
  listLocks: editor,
  lockableDevices: editor,
  createLock: editor,
  deleteLock: editor,
  beginSignIn: everyone,
  finishSignIn: everyone,
  authenticateChallenge: signedIn,
  passwordChallenge: signedIn,
  sessionKeyChallenge: signedIn,
  registerChallenge: everyone,
  listDevices: signedIn,
  listTokenDevices: tokenHolder,
  addDevice: signedIn,
  removeDevice: tokenHolder,
  createPrivilegeToken: signedIn,
  recoveryCodesLeft: signedIn,
  renewRecoveryCodes: signedIn,
  downloadFile: signedIn,
  uploadFile: signedIn,
  getTransfer: signedIn,
  cancelTransfer: signedIn,
  listFiles: signedIn,
  makeFolder: signedIn,
  moveFile: signedIn,
  removeFile: signedIn,
  copyFile: signedIn,
  headlessSignIn: everyone,
  getHeadless: signedIn,
  answerHeadless: signedIn,
  listNodes: listed,
  probeHostKey: editor,
  createNode: editor,
  compareHostKey: editor,
  trustHostKey: editor,
  deleteNode: editor,
  getPreferences: signedIn,
  putPreferences: signedIn,
  listWorkspaces: signedIn,
  getWorkspace: signedIn,
  saveWorkspace: signedIn,
  renameWorkspace: signedIn,
  deleteWorkspace: signedIn,
  sessionEvents: player,
  sessionStream: player,
  getRecording: player,
  getRecordingSegment: player,
  getLastScreen: player,
  exportRecording: player,
  saveRecording: player,
  listApps: listed,
  listDatabases: listed,
  getDatabase: listed,
  listDatabaseServices: editor,
  listDesktops: listed,
  getDesktop: listed,
  isDesktopActive: listed,
  listDesktopServices: listed,
  listKubes: listed,
  listUserGroups: editor,
  checkResources: signedIn,
  checkSiteResources: signedIn,
  explainAccess: signedIn,
  listReached: editor,
  listReachers: editor,
  listRoles: editor,
  getRole: editor,
  previewRole: editor,
  createRole: editor,
  updateRole: editor,
  updateNamedRole: editor,
  deleteRole: editor,
  listPresetRoles: everyone,
  search: signedIn,
  signIn: everyone,
  signOut: leaving,
  renewSession: signedIn,
  sessionStatus: signedIn,
  listOwnSessions: signedIn,
  endOwnSession: signedIn,
  endOtherSessions: signedIn,
  getUserContext: signedIn,
  listUsers: editor,
  getUser: editor,
  createUser: editor,
  updateUser: editor,
  checkUser: editor,
  deleteUser: editor,
  createResetToken: editor,
  'github.list': editor,
  'github.get': editor,
  'github.create': editor,
  'github.update': editor,
  'github.remove': editor,
  'oidc.list': editor,
  'oidc.get': editor,
  'oidc.create': editor,
  'oidc.update': editor,
  'oidc.remove': editor,
  'saml.list': editor,
  'saml.get': editor,
  'saml.create': editor,
  'saml.update': editor,
  'saml.remove': editor,
};

/** Queries without which a call is not understood. */
export const queries: Readonly<Record<string, string>> = {
  explainAccess: '?action=ssh&principal=root&target=something',
};
