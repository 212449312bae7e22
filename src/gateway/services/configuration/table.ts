// Every setting of the gateway, once: parsing, `--help` and error messages are read from this table.
import { PASSWORD_LEAST_CHARACTERS } from '../../../contract/users.ts';
import { choice, duration, flag, integer, listen, origin, path, type Setting, store, text } from './setting.ts';

const HOUR_MS = 3_600_000;
const setting = <Value>(row: Setting<Value>): Setting<Value> => row;

export const settings = {
  config: setting({
    key: 'config',
    argument: 'FILE',
    read: path,
    otherwise: '<config folder>/postern/postern.yaml, when it exists',
    help: 'YAML file with settings',
  }),
  data: setting({
    key: 'data',
    argument: 'FOLDER',
    read: path,
    otherwise: '<data folder>/postern',
    help: 'Where the store, the keys and the recordings are',
  }),
  listen: setting({
    key: 'listen',
    argument: 'HOST:PORT',
    read: listen,
    otherwise: '127.0.0.1:3080',
    help: 'Address to listen on; beyond loopback it needs TLS or --trust-proxy',
  }),
  publicUrl: setting({
    key: 'public-url',
    argument: 'URL',
    read: origin,
    otherwise: 'the address listened on',
    help: 'Address that people type',
  }),
  store: setting({
    key: 'store',
    argument: 'URL',
    read: store,
    otherwise: 'sqlite',
    help: 'sqlite (a file in the data folder), or postgres://…',
    secret: true,
  }),
  recordings: setting({
    key: 'recordings',
    argument: 'FOLDER',
    read: path,
    otherwise: '<data>/recordings',
    help: 'Where session recordings go',
  }),
  resources: setting({
    key: 'resources',
    argument: 'PATH',
    read: path,
    otherwise: 'none',
    help: 'YAML file, or folder of such files, with resources that the gateway holds to: applied at start and at each change',
  }),
  tlsCert: setting({
    key: 'tls.cert',
    argument: 'FILE',
    read: path,
    otherwise: 'no TLS',
    help: 'PEM certificate chain to serve HTTPS with',
  }),
  tlsKey: setting({
    key: 'tls.key',
    argument: 'FILE',
    read: path,
    otherwise: 'no TLS',
    help: 'PEM private key of that certificate',
  }),
  trustProxy: setting({
    key: 'trust-proxy',
    read: flag,
    otherwise: 'false',
    help: 'A proxy in front speaks TLS: believe its X-Forwarded headers',
  }),
  clusterName: setting({
    key: 'cluster-name',
    argument: 'NAME',
    read: text(
      63,
      /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/,
      'a name of at most 63 letters, digits, dots and dashes',
    ),
    otherwise: "this machine's name",
    help: 'Name of the cluster; it stays once the store has one',
  }),
  sessionKeep: setting({
    key: 'session.keep',
    argument: 'TIME',
    read: duration(0, 24 * HOUR_MS, true),
    otherwise: '10m',
    help: 'A terminal nobody is attached to is kept this long',
  }),
  sessionTtl: setting({
    key: 'session.ttl',
    argument: 'TIME',
    read: duration(60_000, 30 * 24 * HOUR_MS),
    otherwise: '12h',
    help: 'Longest time signed in; roles may shorten it',
  }),
  inactivityTimeout: setting({
    key: 'session.inactivity-timeout',
    argument: 'TIME',
    read: duration(60_000, 30 * 24 * HOUR_MS, true),
    otherwise: 'never',
    help: 'Signed out after this long without a key or pointer',
  }),
  scrollbackLines: setting({
    key: 'terminal.scrollback-lines',
    argument: 'LINES',
    read: integer(0, 100_000),
    otherwise: '1000',
    help: 'Lines a terminal keeps above its screen',
  }),
  keepAlive: setting({
    key: 'terminal.keep-alive',
    argument: 'TIME',
    read: duration(1000, 600_000),
    otherwise: '30s',
    help: 'How often an idle terminal connection is checked',
  }),
  passwordLeast: setting({
    key: 'password.least-characters',
    argument: 'COUNT',
    read: integer(PASSWORD_LEAST_CHARACTERS, 128),
    otherwise: '12',
    help: 'Fewest characters of a password',
  }),
  rateBurst: setting({
    key: 'rate-limit.burst',
    argument: 'COUNT',
    read: integer(1, 1_000_000),
    otherwise: '40',
    help: 'Calls without a sign-in that one address may make at once',
  }),
  ratePerMinute: setting({
    key: 'rate-limit.per-minute',
    argument: 'COUNT',
    read: integer(1, 1_000_000),
    otherwise: '20',
    help: 'and how many more each minute',
  }),
  logLevel: setting({
    key: 'log.level',
    argument: 'LEVEL',
    read: choice(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']),
    otherwise: 'info',
    help: 'How much is logged: silent, fatal, error, warn, info, debug or trace',
  }),
  motd: setting({
    key: 'motd',
    argument: 'TEXT',
    read: text(4096),
    otherwise: 'none',
    help: 'Message shown before the sign-in form',
  }),
  canJoinSessions: setting({
    key: 'can-join-sessions',
    read: flag,
    otherwise: 'true',
    help: 'Running sessions may be joined',
  }),
  hideInaccessible: setting({
    key: 'hide-inaccessible-features',
    read: flag,
    otherwise: 'false',
    help: 'Leave out of the console what a person may not use',
  }),
  customTheme: setting({
    key: 'custom-theme',
    argument: 'NAME',
    read: text(64, /^[a-z0-9-]*$/, 'a name of lower-case letters, digits and dashes'),
    otherwise: 'none',
    help: 'Theme that replaces light and dark',
  }),
  enterprise: setting({ key: 'enterprise', read: flag, otherwise: 'false', help: 'Deployment mode: enterprise' }),
  cloud: setting({ key: 'cloud', read: flag, otherwise: 'false', help: 'Deployment mode: cloud' }),
  dashboard: setting({ key: 'dashboard', read: flag, otherwise: 'false', help: 'Deployment mode: dashboard' }),
  usageBasedBilling: setting({
    key: 'usage-based-billing',
    read: flag,
    otherwise: 'false',
    help: 'Deployment mode: billed by use',
  }),
  tunnelAddress: setting({
    key: 'tunnel-public-address',
    argument: 'HOST:PORT',
    read: text(262, /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):\d{1,5}$/, 'HOST:PORT'),
    otherwise: 'none',
    help: 'Address that machines behind NAT dial, as the console shows it',
  }),
  supportUrl: setting({
    key: 'support-url',
    argument: 'URL',
    read: text(2048, /^https?:\/\/[^\s/]\S*$/, 'an address such as https://help.example.com'),
    otherwise: 'none',
    help: 'Help desk or issue tracker that the console points people to',
  }),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
export type SettingValue<Name extends SettingName> =
  (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
