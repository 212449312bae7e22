// The boot configuration with its defaults, read without schemas: it is needed before anything else is loaded.
import type { WebConfig } from '../../contract/config.ts';

/** What missing keys mean; the contract's own defaults, held equal to them by a test. */
const defaults: WebConfig = {
  auth: {
    second_factor: 'off',
    providers: [],
    localAuthEnabled: true,
    allowPasswordless: false,
    authType: 'local',
    privateKeyPolicy: 'none',
    motd: '',
  },
  canJoinSessions: true,
  proxyCluster: 'localhost',
  isEnterprise: false,
  isCloud: false,
  isDashboard: false,
  isUsageBasedBilling: false,
  recoveryCodesEnabled: false,
  ui: { scrollbackLines: 1000 },
  automaticUpgrades: false,
  assistEnabled: false,
  hideInaccessibleFeatures: false,
  customTheme: '',
  questionnaire: false,
  passwordLeastCharacters: 12,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Given values over defaults. A value of another type than its default is not taken. */
function over<Whole extends object>(whole: Whole, given: unknown): Whole {
  if (!isObject(given)) return whole;
  const entries = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(whole));
  for (const [name, value] of entries) {
    const known = merged[name];
    if (isObject(known)) merged[name] = over(known, value);
    else if (known === undefined || (typeof known === typeof value && Array.isArray(known) === Array.isArray(value)))
      merged[name] = value;
  }
  return merged as Whole;
}

/** The configuration that the page came with: the gateway's own word, completed. */
export const readConfig = (given: unknown): WebConfig => over(defaults, given);
