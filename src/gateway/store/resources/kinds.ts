// SQLite row ids of one kind lie in one range, so that the search index can be counted per kind without looking at rows.
import type { ResourceKind } from '../store.ts';

/** Position = number of the range. Append only: the order is kept in databases. */
const kinds = [
  'node',
  'app',
  'db',
  'db_service',
  'windows_desktop',
  'kube_cluster',
  'user_group',
  'role',
  'cluster_alert',
  'lock',
  'token',
  'github',
  'oidc',
  'saml',
  'trusted_cluster',
  'integration',
  'cluster_auth_preference',
  'ui_config',
  'windows_desktop_service',
  'snippet',
  'workspace',
  'tunnel',
  'access_request',
  'remote_cluster',
  'bot_instance',
  'plugin',
  'agent',
  'device',
  'telemetry',
  'access_list',
  'login_rule',
  'discovery_config',
] as const satisfies readonly ResourceKind[];
/** A kind that is missing above does not compile. */
const numbers: Readonly<Record<ResourceKind, number>> = Object.fromEntries(
  kinds.map((kind, index) => [kind, index]),
) as Record<(typeof kinds)[number], number>;

const IDS_PER_KIND = 2 ** 32;

/** Lowest id (unused) and highest id of a kind. */
export function idRange(kind: ResourceKind): { readonly after: number; readonly last: number } {
  const after = numbers[kind] * IDS_PER_KIND;
  return { after, last: after + IDS_PER_KIND - 1 };
}
