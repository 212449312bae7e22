// How the options of several roles make one person's options.

import { strictestTrust } from '../../../contract/device-trust.ts';
import { parseDuration } from '../../../contract/duration.ts';
import type { RoleOptions } from '../../../contract/role-options.ts';
import { type KeyPolicy, keyPolicies, type Rights } from '../../ports/rights.ts';
import type { Role } from './role.ts';

/** Longest life of a web session when no role says one, ms. */
const SESSION_TTL_DEFAULT_MS = 12 * 3_600_000;

/** What the roles say about one option; a role that says nothing has no vote. */
const said = <Key extends keyof RoleOptions>(
  roles: readonly Role[],
  key: Key,
): readonly NonNullable<RoleOptions[Key]>[] =>
  roles.flatMap(role => {
    const value = role.options[key];
    return value === undefined || value === null ? [] : [value as NonNullable<RoleOptions[Key]>];
  });

/** Zero means no limit, so it never wins over a limit. */
const smallestLimit = (numbers: readonly number[]): number => {
  const limits = numbers.filter(number => number > 0);
  return limits.length === 0 ? 0 : Math.min(...limits);
};
const durations = (texts: readonly string[]): readonly number[] => texts.flatMap(text => parseDuration(text) ?? []);
/** True when any role says so, or says nothing where `unsaid` is what saying nothing means. */
const any = (roles: readonly Role[], flag: (options: RoleOptions) => boolean | undefined, unsaid: boolean): boolean =>
  roles.length === 0 ? unsaid : roles.some(role => flag(role.options) ?? unsaid);
const every = (flags: readonly boolean[]): boolean => !flags.includes(false);

/** What roles ask beyond a second factor of each session. */
const strictestPolicy = (asked: readonly (boolean | string)[]): KeyPolicy =>
  keyPolicies.findLast(policy => asked.includes(policy)) ?? 'none';

/** Users are made where a role says so and none says no; they stay where any role says that they do. */
function hostUserMode(roles: readonly Role[]): Rights['options']['createHostUser'] {
  const modes = said(roles, 'create_host_user_mode');
  const flags = said(roles, 'create_host_user');
  if (flags.includes(false) || modes.includes('off') || !(flags.includes(true) || modes.length > 0)) return 'off';
  return modes.includes('keep') ? 'keep' : 'drop';
}

/** Strict wins; and where no role says anything, recordings are strict: nothing is shown that is not kept. */
function strictestRecording(modes: readonly ('strict' | 'best_effort' | undefined)[]): 'strict' | 'best_effort' {
  return modes.includes('best_effort') && !modes.includes('strict') ? 'best_effort' : 'strict';
}

/** One says so, and none says no. */
const isCreating = (flags: readonly boolean[]): boolean => flags.includes(true) && every(flags);

/** The options that the gateway acts on. */
export function combineOptions(roles: readonly Role[]): Rights['options'] {
  const ttls = durations(said(roles, 'max_session_ttl'));
  const recording = said(roles, 'record_session');
  return {
    maxSessionTtlMs: smallestLimit(ttls) || SESSION_TTL_DEFAULT_MS,
    recordSsh: strictestRecording(recording.map(record => record.ssh ?? record.default)),
    recordOthers: strictestRecording(recording.map(record => record.default)),
    recordKernel: [...new Set(said(roles, 'enhanced_recording').flat())],
    // A session of the console is one connection, so both limits count it.
    maxSessions: smallestLimit([...said(roles, 'max_sessions'), ...said(roles, 'max_connections')]),
    maxKubernetesConnections: smallestLimit(said(roles, 'max_kubernetes_connections')),
    portForwarding: any(roles, options => options.port_forwarding, true),
    sshFileCopy: every(said(roles, 'ssh_file_copy')),
    forwardAgent: any(roles, options => options.forward_agent, false),
    x11Forwarding: any(roles, options => options.permit_x11_forwarding, false),
    createHostUser: hostUserMode(roles),
    createDbUser: isCreating(said(roles, 'create_db_user')),
    reachLoopback: any(roles, options => options.reach_loopback, false),
    clientIdleTimeoutMs: smallestLimit(durations(said(roles, 'client_idle_timeout'))),
    sessionFactor: said(roles, 'require_session_mfa').includes(true),
    keyPolicy: strictestPolicy(said(roles, 'require_session_mfa')),
    pinSourceIp: any(roles, options => options.pin_source_ip, false),
    deviceTrust: strictestTrust(said(roles, 'device_trust_mode').flatMap(mode => (mode === '' ? [] : [mode]))),
    certExtensions: Object.fromEntries(
      said(roles, 'cert_extensions').flatMap(list => list.map(({ name, value }) => [name, value])),
    ),
    samlIdp: every(said(roles, 'idp').map(({ saml }) => saml?.enabled ?? true)),
    agents: (['off', 'ask', 'allow'] as const).find(mode => said(roles, 'agents').includes(mode)) ?? 'off',
    disconnectExpired: any(roles, options => options.disconnect_expired_cert, false),
    locking: (['strict', 'best_effort'] as const).find(mode => said(roles, 'lock').includes(mode)) ?? null,
  };
}

/** The three flags of the user context that are not about a resource: sharing is allowed when every role allows it, recording when any does. */
export function combineFlags(roles: readonly Role[]): {
  readonly clipboard: boolean;
  readonly desktopSessionRecording: boolean;
  readonly directorySharing: boolean;
} {
  return {
    clipboard: every(said(roles, 'desktop_clipboard')),
    desktopSessionRecording: any(roles, options => options.record_session?.desktop, true),
    directorySharing: every(said(roles, 'desktop_directory_sharing')),
  };
}
