// What the gateway runs with: flags over environment over one YAML file, checked whole before anything starts.

import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { WebConfig } from '../../../contract/config.ts';
import type { DeviceTrustMode } from '../../../contract/device-trust.ts';
import { webauthnProblem } from '../../../contract/mfa.ts';
import type { BucketPlace, RetentionRules } from '../../ports/recordings.ts';
import type { FactorSettings } from '../../ports/who.ts';
import { type AssistantConfiguration, readAssistantSettings } from './assistant-settings.ts';
import { type AuditConfiguration, readAuditSettings } from './audit-settings.ts';
import { type BillingConfiguration, readBillingSettings } from './billing-settings.ts';
import { type License, readLicense } from './license.ts';
import { type Logo, readLogo } from './logo.ts';
import { type ReleaseFeed, readReleaseFeed } from './release-settings.ts';
import { CLOUD_HOSTS, CLOUD_METADATA, flagOf, isLoopback, type Listen } from './setting.ts';
import { type SettingName, type SettingValue, settings } from './table.ts';
import { fromEnvironment, fromFile, fromFlags, type Written, type WrittenSettings } from './written.ts';

/** Settings that cannot be used: each problem names the place, what was given and what is allowed. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** A setting as somebody wrote it, to be shown: what may hold a password only says that it is set. */
interface GivenSetting {
  /** Path in the YAML file. */
  readonly key: string;
  readonly value: string;
  /** The flag, the variable, or the file with line and column. */
  readonly where: string;
}

export interface GatewayConfiguration {
  /** What was given, in the order of the table; the rest is as the help says. */
  readonly given: readonly GivenSetting[];
  readonly dataFolder: string;
  readonly listen: Listen;
  /** Null: the address that is listened on, once the port is known. */
  readonly publicUrl: string | null;
  readonly store:
    | { readonly kind: 'sqlite'; readonly folder: string }
    | { readonly kind: 'postgres'; readonly url: string };
  /** Where /metrics is served; null: nowhere. */
  readonly metricsListen: Listen | null;
  /** Where database clients connect, those of MySQL apart; `chosen`: somebody has said so. Null: nowhere. */
  readonly databasesListen: { readonly databases: Listen; readonly mysql: Listen; readonly chosen: boolean } | null;
  /** Where SSH clients connect; `chosen`: somebody has said so. Null: nowhere. */
  readonly sshListen: (Listen & { readonly chosen: boolean }) | null;
  /** Where the key of kept secrets comes from: a file, or what a command prints. */
  readonly secretKey: { readonly file: string } | { readonly command: string };
  readonly recordingsFolder: string;
  /** Where recordings are kept for good, and what copies of them may take here, bytes; null: in the folder. */
  readonly recordingsBucket: (BucketPlace & { readonly copiesMostBytes: number }) | null;
  readonly retention: RetentionRules;
  /** File or folder of the static configuration's resources; null: none. */
  readonly resourcesPath: string | null;
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly trustProxy: boolean;
  /** `chosen`: somebody said so, rather than this machine's name. */
  readonly clusterName: { readonly name: string; readonly chosen: boolean };
  readonly sessionKeepMs: number;
  /** Where no role of a person says one. */
  readonly deviceTrust: DeviceTrustMode;
  readonly lockingMode: 'best_effort' | 'strict';
  /** Plugins may send to the gateway's own machine and link. */
  readonly pluginsLoopback: boolean;
  /** In place of AWS: where its services are asked. */
  readonly awsEndpoint: string | null;
  /** The APIs of clouds: where tokens for them come from, and the hosts that they are shown to. */
  readonly clouds: { readonly metadata: string; readonly hosts: Readonly<Record<'azure' | 'gcp', readonly string[]>> };
  readonly sessionTtlMs: number;
  /** 0 = never. */
  readonly inactivityTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly passwordLeastCharacters: number;
  readonly factors: Omit<FactorSettings, 'publicUrl'>;
  readonly rateLimit: { readonly burst: number; readonly perMinute: number };
  readonly logLevel: SettingValue<'logLevel'>;
  /** Where the audit log goes beside the store. */
  readonly audit: AuditConfiguration;
  /** Where counts of clicks are sent; null: nowhere. */
  readonly telemetryUrl: string | null;
  readonly releaseFeed: ReleaseFeed | null;
  /** The model that the assistant asks; null: there is no assistant. */
  readonly assistant: AssistantConfiguration | null;
  /** Who makes invoices; null: nobody. */
  readonly billing: BillingConfiguration | null;
  /** The deployment's own logo; null: none. */
  readonly logo: Logo | null;
  /** What a dashboard hands out; null: none. */
  readonly license: License | null;
  /** All of the boot configuration but the cluster's name, which the store knows. */
  readonly webConfig: Omit<WebConfig, 'proxyCluster'>;
}

export interface ConfigurationInput {
  /** Words after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Null when there is no such file; throws when it cannot be read. */
  readonly readFile: (path: string) => Buffer | string | null;
  readonly home: string;
  readonly hostname: string;
}

/** XDG base folder: the variable when it holds an absolute path, else its default below the home folder. */
const baseFolder = (input: ConfigurationInput, variable: string, otherwise: string): string => {
  const set = input.env[variable];
  return set?.startsWith('/') ? set : join(input.home, otherwise);
};

/** Where data is kept unless a setting says otherwise. */
const defaultDataFolder = (input: ConfigurationInput): string =>
  join(baseFolder(input, 'XDG_DATA_HOME', '.local/share'), 'postern');

/** Throws ConfigurationError with every problem there is. */
export function readConfiguration(input: ConfigurationInput): GatewayConfiguration {
  const problems: string[] = [];
  const problem = (text: string) => void problems.push(text);
  const flags = fromFlags(input.argv, problem);
  const variables = fromEnvironment(input.env, problem);
  const file = readFileSettings(input, flags.get('config') ?? variables.get('config'), problem);

  const value = <Name extends SettingName>(name: Name): SettingValue<Name> | undefined => {
    const written = flags.get(name) ?? variables.get(name) ?? file.get(name);
    if (!written) return undefined;
    const setting = settings[name];
    const read = setting.read(written.value);
    if ('value' in read) return read.value as SettingValue<Name>;
    problem(
      `${written.where}: ${'secret' in setting ? 'what was given is not allowed' : JSON.stringify(written.value)}: ${read.allowed} expected`,
    );
    return undefined;
  };

  const given = (Object.keys(settings) as SettingName[]).flatMap(name => {
    const written = flags.get(name) ?? variables.get(name) ?? file.get(name);
    const { key } = settings[name];
    return written
      ? [{ key, value: 'secret' in settings[name] ? '(set)' : shown(String(written.value)), where: written.where }]
      : [];
  });
  const dataFolder = resolve(value('data') ?? defaultDataFolder(input));
  const listen = value('listen') ?? { host: '127.0.0.1', port: 3080 };
  const trustProxy = value('trustProxy') ?? false;
  const tls = readTls(input, value('tlsCert'), value('tlsKey'), problem);
  const storeUrl = value('store') ?? 'sqlite';
  const keyFile = value('keyFile');
  const bucket = value('recordingsBucket');
  const copiesMostBytes = value('recordingsCopies') ?? 2e9;
  const keyCommand = value('keyCommand');
  const chosenName = value('clusterName');
  const motd = value('motd') ?? '';
  const least = value('passwordLeast') ?? 12;
  const secondFactor = value('secondFactor') ?? 'off';
  const passwordless = value('passwordless') ?? 'off';
  const recoveryCodes = value('recoveryCodes') ?? secondFactor !== 'off';
  const publicUrl = value('publicUrl') ?? null;
  const resourcesPath = value('resources');
  const tunnelPublicAddress = value('tunnelAddress');
  const salesUrl = value('salesUrl');
  const logo = readLogoFile(input, value('logo'), problem);
  const supportUrl = value('supportUrl');
  const named = (flag: string, path: string) => readNamed(input, flag, path, problem);
  const assistant = readAssistantSettings(value, named, problem);
  const configuration: GatewayConfiguration = {
    given,
    dataFolder,
    listen,
    publicUrl,
    store: storeUrl === 'sqlite' ? { kind: 'sqlite', folder: dataFolder } : { kind: 'postgres', url: storeUrl },
    metricsListen: value('metricsListen') ?? null,
    databasesListen: databasesOf(value('databasesListen'), value('mysqlListen'), listen),
    sshListen: sshOf(value('sshListen'), listen),
    secretKey:
      keyCommand === undefined
        ? { file: resolve(keyFile ?? join(dataFolder, 'secrets.key')) }
        : { command: keyCommand },
    recordingsFolder: resolve(value('recordings') ?? join(dataFolder, 'recordings')),
    recordingsBucket: bucket ? { ...bucket, copiesMostBytes } : null,
    retention: {
      keepMs: value('retentionKeep') ?? 0,
      labels: value('retentionLabels') ?? [],
      mostBytes: value('retentionMost') ?? 0,
    },
    resourcesPath: resourcesPath === undefined ? null : resolve(resourcesPath),
    tls: typeof tls === 'object' ? tls : null,
    trustProxy,
    clusterName: { name: chosenName ?? cleanName(input.hostname), chosen: chosenName !== undefined },
    sessionKeepMs: value('sessionKeep') ?? 600_000,
    sessionTtlMs: value('sessionTtl') ?? 12 * 3_600_000,
    inactivityTimeoutMs: value('inactivityTimeout') ?? 0,
    keepAliveMs: value('keepAlive') ?? 30_000,
    passwordLeastCharacters: least,
    factors: { secondFactor, recoveryCodes, allowPasswordless: passwordless !== 'off' },
    deviceTrust: value('deviceTrust') ?? 'optional',
    lockingMode: value('lockingMode') ?? 'best_effort',
    pluginsLoopback: value('pluginsLoopback') ?? false,
    clouds: {
      metadata: value('cloudMetadata') ?? CLOUD_METADATA,
      hosts: { azure: value('azureHosts') ?? CLOUD_HOSTS.azure, gcp: value('gcpHosts') ?? CLOUD_HOSTS.gcp },
    },
    awsEndpoint: value('awsEndpoint') ?? null,
    rateLimit: { burst: value('rateBurst') ?? 40, perMinute: value('ratePerMinute') ?? 20 },
    logLevel: value('logLevel') ?? 'info',
    releaseFeed: readReleaseFeed(value, named, problem),
    audit: readAuditSettings(value, named, problem),
    telemetryUrl: value('telemetryUrl') ?? null,
    assistant,
    billing: readBillingSettings(value, named, problem),
    logo,
    license: readLicenseFile(value('license'), value('dashboard') ?? false, named, problem),
    webConfig: {
      auth: {
        second_factor: secondFactor,
        providers: [],
        localAuthEnabled: true,
        allowPasswordless: passwordless !== 'off',
        authType: 'local',
        ...(passwordless === 'first' && { localConnectorName: 'passwordless' }),
        ...(secondFactor !== 'off' && { preferredLocalMfa: secondFactor === 'otp' ? 'otp' : 'webauthn' }),
        privateKeyPolicy: 'none',
        motd,
      },
      canJoinSessions: value('canJoinSessions') ?? true,
      isEnterprise: value('enterprise') ?? false,
      isCloud: value('cloud') ?? false,
      isDashboard: value('dashboard') ?? false,
      isUsageBasedBilling: value('usageBasedBilling') ?? false,
      recoveryCodesEnabled: recoveryCodes,
      ...(tunnelPublicAddress !== undefined && { tunnelPublicAddress }),
      ui: { scrollbackLines: value('scrollbackLines') ?? 1000 },
      automaticUpgrades: false,
      assistEnabled: assistant !== null,
      hideInaccessibleFeatures: value('hideInaccessible') ?? false,
      customTheme: value('customTheme') ?? '',
      questionnaire: value('questionnaire') ?? false,
      ...(salesUrl !== undefined && { salesUrl }),
      ...(logo !== null && { customLogo: logo.path }),
      passwordLeastCharacters: least,
      ...(supportUrl !== undefined && { supportUrl }),
    },
  };
  if (!isLoopback(listen.host) && tls === undefined && !trustProxy)
    problem(
      `listen: ${listen.host}:${listen.port} can be reached from other machines, and without TLS passwords and sessions would cross the network in the clear: give ${flagOf(settings.tlsCert)} and ${flagOf(settings.tlsKey)}, or ${flagOf(settings.trustProxy)} when a proxy in front of it speaks TLS, or listen on 127.0.0.1`,
    );
  if (keyFile !== undefined && keyCommand !== undefined)
    problem(`${flagOf(settings.keyFile)} and ${flagOf(settings.keyCommand)}: one of both expected`);
  const noKeys =
    publicUrl !== null && (secondFactor === 'webauthn' || passwordless !== 'off') && webauthnProblem(publicUrl);
  if (noKeys) problem(`${flagOf(settings.publicUrl)}: ${noKeys}`);
  if (passwordless !== 'off' && (secondFactor === 'off' || secondFactor === 'otp'))
    problem(
      `${flagOf(settings.passwordless)}: "${passwordless}": passkeys are hardware keys, and ${flagOf(settings.secondFactor)} ${secondFactor} takes none: on, optional or webauthn expected there`,
    );
  if (problems.length > 0) throw new ConfigurationError(problems);
  return configuration;
}

/** The host name as a cluster name: the letters, digits, dots and dashes of it. */
function cleanName(hostname: string): string {
  const clean = hostname
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .slice(0, 63)
    .replace(/^[.-]+|[.-]+$/g, '');
  return clean === '' ? 'localhost' : clean;
}

const PORT_MOST = 65_535;
const portAfter = ({ host, port }: Listen): Listen => ({ host, port: port === 0 ? 0 : (port % PORT_MOST) + 1 });
/** Beside the console where that is for this machine alone; elsewhere only where somebody says so. */
function databasesOf(
  chosen: Listen | undefined,
  mysql: Listen | undefined,
  console: Listen,
): GatewayConfiguration['databasesListen'] {
  if (!chosen && !mysql && !isLoopback(console.host)) return null;
  const databases = chosen ?? portAfter(console);
  return { databases, mysql: mysql ?? portAfter(databases), chosen: chosen !== undefined || mysql !== undefined };
}

const SSH_PORT = 3023;
/** As with databases. Beside a console on any free port it is on any free port. */
function sshOf(chosen: Listen | undefined, console: Listen): GatewayConfiguration['sshListen'] {
  if (chosen) return { ...chosen, chosen: true };
  return isLoopback(console.host)
    ? { host: console.host, port: console.port === 0 ? 0 : SSH_PORT, chosen: false }
    : null;
}

function readFileSettings(
  input: ConfigurationInput,
  named: Written | undefined,
  problem: (text: string) => void,
): WrittenSettings {
  const path = named
    ? String(named.value)
    : join(baseFolder(input, 'XDG_CONFIG_HOME', '.config'), 'postern', 'postern.yaml');
  const content = readOr(input, path, problem);
  if (content === undefined) return new Map();
  if (content !== null) return fromFile(path, String(content), problem);
  if (named) problem(`${named.where}: ${path}: no such file`);
  return new Map();
}

/** Null: none is wanted, or it cannot be had, and that has been said. */
function readLogoFile(
  input: ConfigurationInput,
  path: string | undefined,
  problem: (text: string) => void,
): Logo | null {
  if (path === undefined) return null;
  const content = readOr(input, path, problem);
  if (content === undefined) return null;
  const logo = content === null ? 'no such file' : readLogo(Buffer.from(content));
  if (typeof logo !== 'string') return logo;
  problem(`${flagOf(settings.logo)}: ${path}: ${logo}`);
  return null;
}

/** Null: none is wanted, or it cannot be had, and that has been said. */
function readLicenseFile(
  path: string | undefined,
  isDashboard: boolean,
  read: (flag: string, path: string) => string | undefined,
  problem: (text: string) => void,
): License | null {
  if (path === undefined) return null;
  const flag = flagOf(settings.license);
  if (!isDashboard) problem(`${flag}: goes with ${flagOf(settings.dashboard)}: licences are handed out by dashboards`);
  const text = read(flag, path);
  const license = text === undefined ? null : readLicense(text);
  if (typeof license !== 'string') return license;
  problem(`${flag}: ${path}: ${license}`);
  return null;
}

/** Null: no such file. Undefined: it is there and cannot be read, and that has been said. */
function readOr(
  input: ConfigurationInput,
  path: string,
  problem: (text: string) => void,
): ReturnType<ConfigurationInput['readFile']> | undefined {
  try {
    return input.readFile(path);
  } catch (error) {
    problem(`${path}: cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Text of a file that a flag names. Undefined: it cannot be had, and that has been said. */
function readNamed(
  input: ConfigurationInput,
  flag: string,
  path: string,
  problem: (text: string) => void,
): string | undefined {
  const content = readOr(input, path, problem);
  if (content === null) problem(`${flag}: ${path}: no such file`);
  return content?.toString();
}

/** Undefined: no TLS is wanted. 'refused': it is wanted and cannot be had, and that has been said. */
function readTls(
  input: ConfigurationInput,
  certFile: string | undefined,
  keyFile: string | undefined,
  problem: (text: string) => void,
): { readonly cert: string; readonly key: string } | 'refused' | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined;
  const read = (setting: (typeof settings)['tlsCert' | 'tlsKey'], path: string | undefined): string | undefined => {
    if (path !== undefined) return readNamed(input, flagOf(setting), path, problem);
    problem(`${flagOf(setting)}: missing: a certificate and its key go together`);
    return undefined;
  };
  const cert = read(settings.tlsCert, certFile);
  const key = read(settings.tlsKey, keyFile);
  if (cert === undefined || key === undefined) return 'refused';
  try {
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (error) {
    problem(
      `${flagOf(settings.tlsCert)}: not a PEM certificate with its key: ${error instanceof Error ? error.message : String(error)}`,
    );
    return 'refused';
  }
}

/** As it may be shown to whoever helps: of an address neither a password nor the query, where keys of services stand. */
function shown(written: string): string {
  if (!/^https?:/i.test(written) || !URL.canParse(written)) return written;
  const { protocol, username, password, host, pathname, search } = new URL(written);
  if (username === '' && password === '' && search === '') return written;
  return `${protocol}//${host}${pathname}${search === '' ? '' : '?(set)'}`;
}
