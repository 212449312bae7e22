// The host name by which browsers know an application.
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * Its own address, or its name below the gateway's. '' for cloud and TCP applications, which browsers do not come to, and where the gateway
 * has but an IP address, below which there is nothing.
 */
export function applicationHost(
  { name, address, uri }: { readonly name: string; readonly address: string; readonly uri: string },
  publicUrl: string,
): string {
  if (address !== '') return address.toLowerCase();
  const { hostname } = new URL(publicUrl);
  return /^(cloud|tcp):/.test(uri) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 ? '' : `${name}.${hostname}`;
}

/** A word for a cluster, part of a label whatever its name: long enough that no leaf finds a name with the word of another. */
const markOf = (leaf: string): string =>
  createHash('sha256').update(leaf.toLowerCase()).digest('hex').slice(0, MARK_CHARACTERS);
const MARK_CHARACTERS = 16;

/** Where the root's browsers come to an application of a leaf: a label below the root's own host. '' where there is none to be had. */
export function leafApplicationHost(leaf: string, name: string, publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  const label = `${name}-${markOf(leaf)}`;
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label) || label.length > 63) return '';
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? `${label}.${hostname}` : '';
}
/** Of which application of which leaf a host is. `leaves`: the names of all, asked only where the host could be one. */
export async function leafApplicationAt(
  host: string,
  publicUrl: string,
  leaves: () => Promise<readonly string[]>,
): Promise<{ readonly leaf: string; readonly name: string } | null> {
  const below = `.${new URL(publicUrl).hostname}`;
  const [, name = '', mark] =
    /^([a-z0-9-]+)-([0-9a-f]{16})$/.exec(host.endsWith(below) ? host.slice(0, -below.length) : '') ?? [];
  const leaf = mark === undefined ? undefined : (await leaves()).find(one => markOf(one) === mark);
  return leaf === undefined ? null : { leaf, name };
}

/** The console's own address with another host. */
export function addressAt(publicUrl: string, host: string): string {
  const { protocol, port } = new URL(publicUrl);
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}
