// Addresses that are the gateway's own: this machine, and the link it is on, where clouds keep their credentials (RFC 5735, RFC 4291).
import { BlockList, isIP } from 'node:net';

const own = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
] as const)
  own.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of [
  ['::', 127],
  ['fe80::', 10],
] as const)
  own.addSubnet(address, prefix, 'ipv6');

/** Whether an IP address, in whatever notation, leads to this machine or to its link alone. Names are none: false. */
export function isOwnAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const family = isIP(plain);
  return family !== 0 && own.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}
