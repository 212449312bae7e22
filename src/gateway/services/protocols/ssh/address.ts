// Addresses of SSH servers: host, host:port, [IPv6], [IPv6]:port.
import { Failure } from '../../../../contract/failure.ts';

const SSH_PORT = 22;

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Reads an address; the port is 22 when it is not named. Throws Failure bad_request. */
export function parseAddress(text: string): Address {
  const match = /^(?:\[([0-9A-Fa-f:.%a-z]+)\]|([^\s:[\]/@]+))(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? SSH_PORT : Number(match[3]);
  if (!host || host.length > 255 || port < 1 || port > 65_535) {
    const problem = 'host or host:port is wanted, the port from 1 to 65535, IPv6 in brackets';
    throw new Failure('bad_request', `Address ${JSON.stringify(text.slice(0, 80))}: ${problem}`, { addr: problem });
  }
  return { host, port };
}

/** host:port for people; IPv6 in brackets. */
export const showAddress = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
