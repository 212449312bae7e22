// How a discovery is kept: what people wrote without the password, and the password sealed beside it.

import { withPort } from '../../../contract/address.ts';
import type { DiscoverySpec } from '../../../contract/discovery-documents.ts';
import { Failure } from '../../../contract/failure.ts';
import type { ResourceDocument } from '../../../contract/resource-documents.ts';
import type { NewResource, Resource } from '../../store/store.ts';

const LDAP_PORT = 389;
const LDAPS_PORT = 636;

/** Seals at rest. */
export interface DiscoverySecrets {
  seal(secret: string, place: string): Promise<string>;
  /** Throws Error when the key is not the one that sealed it. */
  open(sealed: string, place: string): string;
}
export type Directory = DiscoverySpec['ldap'] & { readonly password: string };
interface StoredSpec {
  readonly written: DiscoverySpec;
  readonly sealed: string;
}
const storedSpec = ({ spec }: Pick<Resource, 'spec'>): StoredSpec => spec as StoredSpec;
const placeOf = (name: string): string => `discovery_config:${name}`;
/** Fields that say where the password goes: whoever changes one gives it again. */
const PLACES = ['address', 'tls', 'ca_cert', 'server_name', 'bind_name'] as const;

/** The columns of a document: a password that it leaves out is that of `before`. Throws Failure bad_request. */
export async function discoveryColumns(
  secrets: DiscoverySecrets,
  { metadata: { name }, spec }: ResourceDocument<'discovery_config'>,
  before: Resource | null,
): Promise<Pick<NewResource, 'address' | 'subtype' | 'spec'>> {
  const { password, ...ldap } = spec.ldap;
  const { FilterParser } = await import('ldapts');
  try {
    if (ldap.filter !== undefined) FilterParser.parseString(ldap.filter);
  } catch {
    throw new Failure('bad_request', 'spec.ldap.filter: a filter such as (location=Berlin) or (&(a=1)(b=*)) expected');
  }
  const was = before && storedSpec(before);
  if (password === undefined) {
    if (!was) throw new Failure('bad_request', 'spec.ldap.password: missing: that of bind_name expected');
    const moved = PLACES.find(place => was.written.ldap[place] !== ldap[place]);
    if (moved !== undefined)
      throw new Failure('bad_request', `spec.ldap.password: give it again: with another ${moved} it is sent elsewhere`);
  }
  // What has not changed stays as it is, so that writing it again is no change.
  const isKept = was && (password === undefined || secrets.open(was.sealed, placeOf(name)) === password);
  return {
    address: withPort(ldap.address, ldap.tls === 'starttls' ? LDAP_PORT : LDAPS_PORT),
    subtype: 'ldap',
    spec: {
      written: { ...spec, ldap },
      sealed: isKept ? was.sealed : await secrets.seal(password ?? '', placeOf(name)),
    } satisfies StoredSpec,
  };
}

/** What people wrote, without the password. */
export const writtenDiscovery = (resource: Pick<Resource, 'spec'>): DiscoverySpec => storedSpec(resource).written;

/** With the password, and with the port in its address. Throws Error when the password cannot be opened. */
export const openDirectory = (
  secrets: DiscoverySecrets,
  resource: Pick<Resource, 'name' | 'address' | 'spec'>,
): Directory => ({
  ...writtenDiscovery(resource).ldap,
  address: resource.address,
  password: secrets.open(storedSpec(resource).sealed, placeOf(resource.name)),
});
