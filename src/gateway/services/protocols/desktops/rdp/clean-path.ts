// RDCleanPath, version 1: how a browser's RDP engine asks whoever relays for it to connect, and is told of the certificate (Devolutions'
// IronRDP, crates/ironrdp-rdcleanpath). Where it wants to go is not looked at: that is the session's to know.
import type { Duplex } from 'node:stream';
import { readBytes } from '../../read-bytes.ts';
import { Malformed } from '../passing.ts';
import { der, derInteger, derOctets, derText, member, readHead, readMembers, TAG } from './der.ts';

const VERSION = 3390;
/** No request is longer, bytes. */
const REQUEST_MOST_BYTES = 64 * 1024;

export interface CleanPathRequest {
  /** What proves whose it is. */
  readonly token: string;
  /** X.224 connection request. */
  readonly x224: Buffer;
}

/** Reads the request that a client begins with. Throws Malformed; rejects when it hangs up. */
export async function readCleanPath(client: Duplex): Promise<CleanPathRequest> {
  let bytes = await readBytes(client, 2);
  let head = readHead(bytes);
  while (head === null) {
    bytes = Buffer.concat([bytes, await readBytes(client, 1)]);
    head = readHead(bytes);
  }
  if (head.tag !== TAG.sequence || head.size > REQUEST_MOST_BYTES)
    throw new Malformed('the client did not begin with RDCleanPath');
  const rest = head.size - bytes.length;
  const members = readMembers(rest > 0 ? Buffer.concat([bytes, await readBytes(client, rest)]) : bytes);
  const [version, token, x224] = [members.get(0), members.get(3), members.get(6)];
  if (!version || version.length > 4 || version.readUIntBE(0, version.length) !== VERSION)
    throw new Malformed('the client speaks another version of RDCleanPath');
  if (!token || !x224) throw new Malformed('the client asked for no connection');
  return { token: token.toString('utf8'), x224 };
}

/** `certificates`: DER, the server's own first. `address`: shown to nobody. */
export const cleanPathReply = (confirm: Buffer, certificates: readonly Buffer[], address: string): Buffer =>
  der(
    TAG.sequence,
    der(member(0), derInteger(VERSION)),
    der(member(6), derOctets(confirm)),
    der(member(7), der(TAG.sequence, ...certificates.map(derOctets))),
    der(member(9), derText(address)),
  );
/** A refusal without a reason: that is said over the session's own socket. */
export const cleanPathRefusal = (): Buffer =>
  der(
    TAG.sequence,
    der(member(0), derInteger(VERSION)),
    der(member(1), der(TAG.sequence, der(member(0), derInteger(1)))),
  );
