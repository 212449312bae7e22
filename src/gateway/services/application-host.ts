// The host name by which browsers know an application.
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
