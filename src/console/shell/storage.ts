// What the browser keeps (specification section 3): every key by name, and which ones survive signing out.

import { TELEMETRY_KEY } from '../ui/trace.ts';

/** Apart from the others: first.ts needs these two, and would carry every name. */
export const THEME_KEY = 'postern:ui_theme';
export const PREFERENCES_KEY = 'postern:user_preferences';

export const keys = {
  token: 'postern:token',
  tokenRenew: 'postern:token_renew',
  lastActive: 'postern:last_active',
  /** Deprecated: the theme as older versions kept it. */
  theme: THEME_KEY,
  preferences: PREFERENCES_KEY,
  /** While a choice has not reached the gateway: what this browser and the gateway agreed on before it. */
  agreedPreferences: 'postern:agreed_preferences',
  disabledAlerts: 'postern:disabled_alerts',
  showAssist: 'postern:show_assist',
  recommendFeature: 'postern:recommend_feature',
  paneHeight: 'postern:pane_height',
  /** Whether there is anything to reach yet, and whether the person was told how to add it: { hasResource, notified }. */
  discover: 'postern:discover',
  lastPaths: 'postern:last_paths',
  taughtKeys: 'postern:taught_keys',
  /** Whose answers, and on which servers programs may write the clipboard. */
  clipboardServers: 'postern:clipboard_servers',
  /** `true`: the gateway's log names the trace of each call (specification section 4). */
  telemetry: TELEMETRY_KEY,
  /** The onboarding survey's answers, until the gateway has them. */
  onboardSurvey: 'postern:onboard_survey',
  /** Whom a person who just came in wants to invite, until the console has started. */
  invites: 'postern:cloud_user_invites',
  /** In the storage of the tab's session: who put the questionnaire off. */
  surveyPutOff: 'postern:survey_put_off',
  /** In the storage of the tab's session: what was said and may not have been seen. */
  notifications: 'postern:notifications',
  /** This browser was enrolled as a trusted device of somebody: the key is looked for after a sign-in. */
  trustedDevice: 'postern:trusted_device',
  /** In the storage of the tab's session: why the session is over, in the gateway's words, until the sign-in page has said it. */
  over: 'postern:over',
  /** In the storage of the tab's session: path and query of the page that was open before the terminals filled it. */
  pageBeforeConsole: 'postern:page_before_console',
} as const;
const survivesClearing: ReadonlySet<string> = new Set([
  keys.theme,
  keys.showAssist,
  keys.preferences,
  keys.recommendFeature,
  keys.paneHeight,
  keys.taughtKeys,
  keys.trustedDevice,
]);
const PREFIX = 'postern:';

/** The part of Storage that we use; tests pass a Map behind it. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Clearing keeps the theme, the assistant popup flag, the preferences and the recommended features, and nothing that is not ours. */
export function clearStorage(storage: KeyValueStorage): void {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const name of names) if (name?.startsWith(PREFIX) && !survivesClearing.has(name)) storage.removeItem(name);
}

/** The JSON under a key, or undefined when there is none or it is not JSON: storage belongs to the person, who may edit it. */
export function readJson(storage: KeyValueStorage, key: string): unknown {
  const text = storage.getItem(key);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a value as JSON. A full or forbidden storage is not worth failing for: the page works on without it. */
export function writeJson(storage: KeyValueStorage, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    console.warn(`The browser refused to keep ${key}`);
  }
}
