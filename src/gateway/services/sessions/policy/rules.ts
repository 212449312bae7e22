// What a person may do with a session, in words: one function for each question, asked when a session begins and again whenever something
// has changed. Null, or an empty list of objections, means yes.
import {
  type CloudProvider,
  cloudOf,
  cloudWords,
  plainCloudIdentity,
} from '../../../../contract/cloud-applications.ts';
import { DEVICE_MISSING, type DeviceTrustMode, strictestTrust } from '../../../../contract/device-trust.ts';
import { isBlind } from '../../../../contract/guards.ts';
import type { Mode } from '../../../../contract/live-sessions.ts';
import { FACTOR_MISSING } from '../../../../contract/mfa.ts';
import type { ApplicationAccess, ApplicationTarget } from '../../../ports/applications.ts';
import type { DatabaseAccess } from '../../../ports/databases.ts';
import type { DesktopAccess } from '../../../ports/desktops.ts';
import { type JoinKind, NO_HARDWARE_KEYS, type Rights } from '../../../ports/rights.ts';
import type { Target } from '../../../ports/servers.ts';
import type { Reached, SessionInfo } from '../../../ports/sessions.ts';
import { isOfVisitor, type Who } from '../../../ports/who.ts';
import { awsPartition, isAwsRole } from '../../aws-console.ts';
import { cloudIdentitiesOf } from '../../cloud-identities.ts';
import { unpreparedDatabase } from '../../made-users.ts';

/** Sessions that a person may have at once, over all gateways, where no role says otherwise. */
const SESSIONS_MOST = 50;

export interface SessionLimit {
  readonly most: number;
  /** Why there may be no more, when there are `open`. */
  readonly refusal: (open: number) => string;
}
/** How many sessions at once: what the roles say, else the default. */
export function limitOf({ maxSessions }: Rights['options']): SessionLimit {
  const byRole = maxSessions > 0;
  const most = byRole ? maxSessions : SESSIONS_MOST;
  const allowed = byRole ? `your roles allow ${most}` : `${most} is the limit where no role sets max_sessions`;
  return { most, refusal: open => `You have ${open} sessions open, and ${allowed}. Close one first.` };
}

/** How many programs in containers and forwarded ports at once; null: as many as there are sessions. */
export function connectionLimitOf({ maxKubernetesConnections: most }: Rights['options']): SessionLimit | null {
  if (most === 0) return null;
  const refusal = (open: number): string =>
    `You have ${open} ${open === 1 ? 'connection' : 'connections'} to clusters open, and your roles allow ${most} (max_kubernetes_connections). Close one first.`;
  return { most, refusal };
}

/** Why this login may not be used on this server. */
export const loginRefusal = (rights: Pick<Rights, 'logins'>, target: Target, login: string): string | null =>
  rights.logins(target.labels).includes(login) ? null : `You may not log in to ${target.hostname} as ${login}.`;

/** Why this database may not be used as that database user, or in that database of the server. Whoever names none is in none. */
export function databaseRefusal(
  rights: Pick<Rights, 'principals' | 'ownDatabaseUser' | 'guards'>,
  { database, dbUser, dbName }: DatabaseAccess,
): string | null {
  const { name, labels, namesDatabases, protocol, made } = database;
  const isMade = made?.name === dbUser && rights.ownDatabaseUser(labels);
  const gives = (key: 'db_users' | 'db_names', wanted: string): boolean =>
    rights.principals(key, labels).some(one => one === '*' || one === wanted);
  if (!isMade && !gives('db_users', dbUser)) {
    const unprepared = unpreparedDatabase(rights, database);
    return `You may not use ${name} as database user "${dbUser}".${unprepared === null ? '' : ` ${unprepared}`}`;
  }
  if (namesDatabases && dbName !== '' && !gives('db_names', dbName))
    return `You may not use database "${dbName}" of ${name}.`;
  const guard = rights.guards('db', labels).find(one => isBlind(one, protocol));
  return guard
    ? `Guard "${guard.name}" of role ${guard.role} is about ${name}, and what ${protocol} clients do cannot be looked into.`
    : null;
}

/** Why somebody is not signed in to this service provider. */
export const serviceProviderRefusal = (
  rights: Pick<Rights, 'selects'>,
  { name, labels }: Pick<ApplicationTarget, 'name' | 'labels'>,
): string | null => (rights.selects('app', labels) ? null : `You may not use the application ${name}.`);

/** Why this application may not be used, or not as this role of AWS, or as this one in a cloud. */
export function applicationRefusal(
  rights: Pick<Rights, 'selects' | 'principals'>,
  { name, uri, labels, awsRole, cloudIdentity }: Omit<ApplicationTarget, 'publicAddr'>,
): string | null {
  const refusal = serviceProviderRefusal(rights, { name, labels });
  if (refusal !== null) return refusal;
  const provider = cloudOf(uri);
  if (provider !== null) return cloudRefusal(rights, provider, { name, labels, cloudIdentity });
  if (cloudIdentity !== undefined) return `${name} is the API of no cloud: nobody has an identity there.`;
  const partition = awsPartition(uri);
  if (!partition) return awsRole === undefined ? null : `${name} is not the AWS console: nobody has a role there.`;
  if (awsRole === undefined) return `${name} is used as a role of AWS: say which.`;
  return isAwsRole(awsRole, partition) && rights.principals('aws_role_arns', labels).includes(awsRole)
    ? null
    : `None of your roles lets you use ${name} as ${awsRole} (aws_role_arns).`;
}

function cloudRefusal(
  rights: Pick<Rights, 'principals'>,
  provider: CloudProvider,
  {
    name,
    labels,
    cloudIdentity: wanted,
  }: Pick<ApplicationTarget, 'name' | 'labels'> & { cloudIdentity?: string | undefined },
): string | null {
  const { identity, key } = cloudWords[provider];
  if (wanted === undefined) return `${name} is used as ${identity}: say which.`;
  return cloudIdentitiesOf(rights, provider, labels).some(
    one => plainCloudIdentity(provider, one) === plainCloudIdentity(provider, wanted),
  )
    ? null
    : `None of your roles lets you use ${name} as ${wanted} (${key}).`;
}

/** Why nobody may be on this desktop as that login. */
export const desktopRefusal = (
  rights: Pick<Rights, 'principals'>,
  {
    desktop: { name, labels },
    login,
  }: { readonly desktop: Pick<DesktopAccess['desktop'], 'name' | 'labels'>; readonly login: string },
): string | null =>
  rights.principals('windows_desktop_logins', labels).some(one => one === '*' || one === login)
    ? null
    : `You may not log in to the desktop ${name} as ${login}.`;

/**
 * Why somebody opens nothing, whatever it is: private keys must be in hardware, where nobody has any (contract/roles 1.3, require_session_mfa),
 * or an access request must be approved and used before (request_access), which visitors are asked for by their own cluster.
 */
export function openingRefusal({ rights, grants, userId }: Pick<Who, 'rights' | 'grants' | 'userId'>): string | null {
  if (rights.options.keyPolicy !== 'none')
    return `Your roles ask for private keys that are kept in hardware (require_session_mfa: ${rights.options.keyPolicy}). ${NO_HARDWARE_KEYS}`;
  return rights.requests.strategy.type === 'optional' || grants.length > 0 || isOfVisitor(userId)
    ? null
    : 'Your roles ask for an access request that is approved and in use before you open anything (request_access).';
}

/** Why a session may not begin without a second factor of its own. `isProven`: it was given. */
export function factorRefusal({ rights }: Pick<Who, 'rights'>, isProven: boolean): string | null {
  return rights.options.sessionFactor && !isProven ? FACTOR_MISSING : null;
}

/** Why nothing may begin or go on without a trusted device. `asked`: by the cluster and by roles. */
export const untrustedRefusal = (asked: readonly DeviceTrustMode[], isTrusted: boolean): string | null =>
  strictestTrust(asked) === 'required' && !isTrusted ? DEVICE_MISSING : null;

/** Why no files may be copied. */
export const copyRefusal = ({ options }: Pick<Rights, 'options'>): string | null =>
  options.sshFileCopy ? null : 'Your roles do not let you copy files (ssh_file_copy).';

/** Why no ports may be forwarded. */
export function forwardRefusal({ options, joinDemands }: Pick<Rights, 'options' | 'joinDemands'>): string | null {
  if (!options.portForwarding) return 'Your roles do not let you forward ports (port_forwarding).';
  return joinDemands('ssh').length > 0
    ? 'Your roles ask for others in your sessions, and nobody can watch a forwarded port.'
    : null;
}

/** What is known now about a session that runs. */
export interface Present {
  readonly owner: string;
  readonly login: string;
  readonly hostname: string;
  /** What a lock says to its owner; null: none holds them back. */
  readonly locked: string | null;
  /** Null when there is no such user (any more). */
  readonly rights: Pick<Rights, 'logins'> | null;
  /** Null when the server was taken out of the list: its sessions go on, since nobody's rights have changed. */
  readonly labels: Readonly<Record<string, string>> | null;
}
/** Whose owner is nobody any more; somebody from a root cluster has a slash in their name. */
const ofNobody = (owner: string): string =>
  owner.includes('/')
    ? `The session was ended: the root cluster of ${owner} vouches for them no more.`
    : `The session was ended: user ${owner} was deleted.`;

/** Why a session may not go on. */
export function endOf({ owner, login, hostname, locked, rights, labels }: Present): string | null {
  if (rights === null) return ofNobody(owner);
  if (locked !== null) return `The session was ended. ${locked}`;
  if (labels && !rights.logins(labels).includes(login))
    return `The session was ended: ${owner} may no longer log in to ${hostname} as ${login}.`;
  return null;
}

/** The same for a session without a login: `refusal` is what roles say against it now. */
export function endOfOther(
  { owner, locked, rights }: Pick<Present, 'owner' | 'locked'> & { readonly rights: Rights | null },
  refusal: (rights: Rights) => string | null,
): string | null {
  if (rights === null) return ofNobody(owner);
  if (locked !== null) return `The session was ended. ${locked}`;
  const why = refusal(rights);
  return why === null ? null : `The session was ended: ${why}`;
}
/** What a session in a database has reached. Taken out of the list, its sessions go on: nobody's rights have changed. */
export const reachedDatabase = (access: DatabaseAccess): Reached => ({
  kind: 'db',
  name: access.database.name,
  refusal: (rights, labels) =>
    labels && databaseRefusal(rights, { ...access, database: { ...access.database, labels } }),
});
/** What a session in an application has reached, which lasts no longer than its web session. */
export const reachedApplication = ({ application, webSessionId }: ApplicationAccess): Reached => ({
  kind: 'app',
  name: application.name,
  webSessionId,
  refusal: (rights, labels) =>
    labels
      ? applicationRefusal(rights, { ...application, labels })
      : `the application ${application.name} was taken out of the list.`,
});

/** What a session on a desktop has reached. Taken out of the list, its sessions go on: nobody's rights have changed. */
export const reachedDesktop = ({ desktop, login }: DesktopAccess): Reached => ({
  kind: 'windows_desktop',
  name: desktop.name,
  subject: { login, desktop: desktop.name },
  refusal: (rights, labels) => labels && desktopRefusal(rights, { desktop: { name: desktop.name, labels }, login }),
});

/** Ways in which a person may take part in a session. Its owner may in all. */
export const modesOf = (
  who: Pick<Who, 'userId' | 'rights'>,
  session: Pick<SessionInfo, 'ownerId' | 'ownerRoles' | 'reached'>,
): readonly Mode[] =>
  session.ownerId === who.userId
    ? ['peer', 'observer', 'moderator']
    : who.rights.joinModes(session.ownerRoles, joinKindOf(session.reached));

const joinKindOf = (reached: Pick<Reached, 'kind'> | undefined): JoinKind =>
  reached?.kind === 'kube_cluster' ? 'k8s' : reached?.kind === 'windows_desktop' ? 'desktop' : 'ssh';

/** The way in that is meant when none is named: the owner comes as peer, others in the first of these that they may. */
export function firstMode(allowed: readonly Mode[], isOwner: boolean): Mode | null {
  if (isOwner) return 'peer';
  return (['observer', 'moderator', 'peer'] as const).find(one => allowed.includes(one)) ?? null;
}
