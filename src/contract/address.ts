// Addresses of hosts as people write them: one pattern, and everything that is read from it.
import * as z from 'zod/mini';

/** host or host:port; IPv6 in brackets, with a zone where it is link-local (RFC 6874). */
const ADDRESS = /^(?:\[([0-9A-Fa-f:.]+(?:%[A-Za-z0-9._-]+)?)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/;
const PORT_MOST = 65_535;
/** Where sshd listens when an address names no port. */
export const SSH_PORT = 22;

/** A host, and the port where one was named. IPv6 stands without its brackets. */
export interface HostAddress {
  readonly host: string;
  readonly port: number | null;
}
/** Reads host or host:port; null when it is neither. The port is a number of at most five digits: isPort says whether there is such. */
export function readAddress(text: string): HostAddress | null {
  const found = ADDRESS.exec(text);
  const host = found?.[1] ?? found?.[2];
  return host === undefined ? null : { host, port: found?.[3] === undefined ? null : Number(found[3]) };
}
/** Whether something can listen there: 1 to 65535. */
export const isPort = (port: number): boolean => port >= 1 && port <= PORT_MOST;

/** An address without the port at its end. */
export const withoutPort = (address: string): string => address.replace(/:\d{1,5}$/, '');
/** An address with a port: its own where it names one. */
export const withPort = (address: string, port: number): string =>
  withoutPort(address) === address ? `${address}:${port}` : address;
/** The name that a server gets from its address: no port, and no colons or percent signs, which such names cannot hold. */
export const hostNameOf = (address: string): string => (readAddress(address)?.host ?? address).replaceAll(/[:%]/g, '-');

/** host or host:port. Issues name what is allowed. */
export const hostAndPort = z.string().check(
  z.maxLength(262, 'at most 262 characters'),
  z.regex(ADDRESS, 'host or host:port; IPv6 in brackets'),
  z.refine(text => isPort(readAddress(text)?.port ?? 1), 'a port from 1 to 65535'),
);

/** Name of a server in lists and in command lines. */
export const hostName = z
  .string()
  .check(
    z.minLength(1, 'not empty'),
    z.maxLength(255, 'at most 255 characters'),
    z.regex(/^[A-Za-z0-9._-]+$/, 'letters, digits and . _ -'),
  );

/** Names as DNS has them, without scheme, port or path: letters, digits, dots and dashes. */
export const DNS_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/;
