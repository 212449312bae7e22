// Addresses of SSH servers: host, host:port, [IPv6], [IPv6]:port.
import { isPort, readAddress, SSH_PORT } from '../../../../contract/address.ts';
import { Failure } from '../../../../contract/failure.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Reads an address; the port is 22 when it is not named. Throws Failure bad_request. */
export function parseAddress(text: string): Address {
  const { host = '', port } = readAddress(text) ?? {};
  if (host === '' || host.length > 255 || !isPort(port ?? SSH_PORT)) {
    const problem = 'host or host:port is wanted, the port from 1 to 65535, IPv6 in brackets';
    throw new Failure('bad_request', `Address ${JSON.stringify(text.slice(0, 80))}: ${problem}`, { addr: problem });
  }
  return { host, port: port ?? SSH_PORT };
}

/** host:port for people; IPv6 in brackets. */
export const showAddress = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
