// What can be reached as bytes alone: TCP applications, and databases whose protocol the gateway does not speak.
import { isPort, readAddress } from '../../../../contract/address.ts';
import { type CloudProvider, cloudOf } from '../../../../contract/cloud-applications.ts';
import { relayedPorts } from '../../../../contract/database-protocols.ts';
import { Failure } from '../../../../contract/failure.ts';
import type { TunnelKind } from '../../../../contract/tunnels.ts';
import type { ApplicationTarget } from '../../../ports/applications.ts';
import type { DatabaseTarget } from '../../../ports/databases.ts';
import type { Rights } from '../../../ports/rights.ts';
import type { Resource, Resources } from '../../../store/store.ts';

interface Place {
  readonly host: string;
  readonly port: number;
}
export type TunnelTarget =
  | (Place &
      (
        | { readonly kind: 'app'; readonly application: ApplicationTarget }
        | { readonly kind: 'db'; readonly database: DatabaseTarget }
      ))
  | { readonly kind: 'cloud'; readonly provider: CloudProvider; readonly application: ApplicationTarget };

/** Throws Failure not_found, also where no role selects it; unsupported for what is reached in a better way; bad_request without a port. */
export async function tunnelTarget(
  resources: Pick<Resources, 'get'>,
  rights: Pick<Rights, 'selects'>,
  kind: TunnelKind,
  name: string,
): Promise<TunnelTarget> {
  const found = await resources.get(kind, name);
  if (!found || !rights.selects(kind, found.labels)) throw new Failure('not_found', `"${name}" was not found`);
  return kind === 'app' ? applicationOf(found) : databaseOf(found);
}

function applicationOf({ name, labels, spec }: Resource): TunnelTarget {
  const { uri = '' } = spec as { readonly uri?: string };
  const provider = cloudOf(uri);
  if (provider !== null) return { kind: 'cloud', provider, application: { name, uri, publicAddr: '', labels } };
  if (!uri.startsWith('tcp://'))
    throw new Failure('unsupported', `${name} is at ${uri}, which is no TCP application: open it in a browser`);
  return { kind: 'app', ...placeOf(name, uri), application: { name, uri, publicAddr: '', labels } };
}

function databaseOf({ name, labels, subtype, spec }: Resource): TunnelTarget {
  const { uri = '', protocol = '' } = spec as { readonly uri?: string; readonly protocol?: string };
  if (Object.hasOwn(relayedPorts, protocol))
    throw new Failure(
      'unsupported',
      `${name} speaks ${protocol}, which the gateway relays: use postern proxy db ${name}`,
    );
  const place = placeOf(name, uri);
  const database: DatabaseTarget = {
    ...{ name, protocol, uri, labels, ...place },
    ...{ serverName: place.host, authorities: null, type: subtype, made: null, rds: null, namesDatabases: true },
  };
  return { kind: 'db', ...place, database };
}

function placeOf(name: string, uri: string): Place {
  const address = readAddress(uri.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[/?#].*$/, ''));
  if (!address || address.port === null || !isPort(address.port))
    throw new Failure('bad_request', `the address of ${name}, ${uri}, names no port`);
  return { host: address.host, port: address.port };
}
