// Addresses that are the gateway's own: this machine, and the link it is on, where clouds keep their credentials (RFC 5735, RFC 4291), also
// those at which a cloud answers its machines alone although no RFC says so.
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
// Metadata services of AWS (EC2 user guide, "Access instance metadata"), Google Cloud ("About VM metadata") and Alibaba Cloud ("Instance
// metadata"), and what tells machines of Azure their secrets ("What is IP address 168.63.129.16?").
for (const address of ['fd00:ec2::254', 'fd20:ce::254']) own.addAddress(address, 'ipv6');
for (const address of ['100.100.100.200', '168.63.129.16']) own.addAddress(address, 'ipv4');

/** Whether an IP address, in whatever notation, leads to this machine or to its link alone. Names are none: false. */
export function isOwnAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const family = isIP(plain);
  return family !== 0 && own.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}
