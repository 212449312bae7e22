// Logs in where a server asks for that before it shows anything (MS-CSSP; "NLA"): NTLM within TLS, bound to the certificate, then the password.
import { createHash, randomBytes, type X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { ConnectError } from '../../../../ports/reach.ts';
import { readBytes } from '../../read-bytes.ts';
import { Malformed, WrongPassword } from '../passing.ts';
import { der, derInteger, derOctets, member, readHead, readMembers, readValues, TAG } from './der.ts';
import { authenticate, negotiateMessage } from './ntlm.ts';

const VERSION = 6;
/** From here on the certificate is bound by a hash with a number that is used once. */
const VERSION_WITH_NONCE = 5;
const ANSWER_MOST_BYTES = 64 * 1024;
const PASSWORD_KIND = 1;

/** Codes that a server refuses with (MS-ERREF, 2.3.1). */
const refusals: ReadonlyMap<number, string> = new Map([
  [0xc000_0071, 'the password has expired'],
  [0xc000_0224, 'the password must be changed first'],
  [0xc000_0072, 'the account is disabled'],
  [0xc000_0234, 'the account is locked out'],
  [0xc000_0193, 'the account has expired'],
  [0xc000_006e, 'the account may not log in this way'],
  [0xc000_015b, 'the account may not log in over the network'],
]);

/** Throws ConnectError, WrongPassword, Malformed. */
export async function credSsp(
  server: Duplex,
  name: string,
  who: { readonly domain: string; readonly user: string; readonly password: string },
  certificate: X509Certificate,
): Promise<void> {
  const negotiate = negotiateMessage();
  server.write(request([1, tokens(negotiate)]));
  const asked = await readAnswer(server);
  const version = Math.min(VERSION, numberOf(asked.get(0)));
  const { message, sealing } = authenticate(negotiate, tokenOf(asked.get(1)), who);
  const key = subjectKey(certificate);
  const nonce = randomBytes(32);
  const hasNonce = version >= VERSION_WITH_NONCE;
  const bound = (way: string): Buffer =>
    createHash('sha256').update(`CredSSP ${way} Binding Hash\0`, 'latin1').update(nonce).update(key).digest();
  server.write(
    request(
      [1, tokens(message)],
      [3, derOctets(sealing.seal(hasNonce ? bound('Client-To-Server') : key))],
      ...(hasNonce ? [[5, derOctets(nonce)] as const] : []),
    ),
  );
  // Servers of before version 3 hang up on a wrong password.
  const proven = await readAnswer(server).catch(() => {
    throw new WrongPassword(`${name} refused the login or its password`);
  });
  const code = proven.get(4);
  if (code) throw refused(name, code);
  const shown = proven.get(3);
  if (!shown) throw new WrongPassword(`${name} refused the login or its password`);
  const expected = hasNonce
    ? bound('Server-To-Client')
    : Buffer.concat([Buffer.of(((key[0] ?? 0) + 1) & 255), key.subarray(1)]);
  if (!sealing.open(shown).equals(expected)) throw new Malformed('its proof of who it is does not hold');
  server.write(request([2, derOctets(sealing.seal(credentials(who)))]));
}

function refused(name: string, code: Buffer): Error {
  const number =
    code.length === 0 || code.length > 5 ? 0 : Number(BigInt.asUintN(32, BigInt(code.readIntBE(0, code.length))));
  const why = refusals.get(number);
  if (why !== undefined) return new ConnectError('principal_refused', `${name} refused the login: ${why}.`);
  return new WrongPassword(`${name} refused the login or its password`);
}

const request = (...members: readonly (readonly [number, Buffer])[]): Buffer =>
  der(
    TAG.sequence,
    der(member(0), derInteger(VERSION)),
    ...members.map(([number, value]) => der(member(number), value)),
  );
const tokens = (token: Buffer): Buffer => der(TAG.sequence, der(TAG.sequence, der(member(0), derOctets(token))));
const credentials = ({ domain, user, password }: { domain: string; user: string; password: string }): Buffer => {
  const texts = [domain, user, password].map((text, index) =>
    der(member(index), derOctets(Buffer.from(text, 'utf16le'))),
  );
  return der(
    TAG.sequence,
    der(member(0), derInteger(PASSWORD_KIND)),
    der(member(1), derOctets(der(TAG.sequence, ...texts))),
  );
};

async function readAnswer(server: Duplex): Promise<ReadonlyMap<number, Buffer>> {
  let bytes = await readBytes(server, 2);
  let head = readHead(bytes);
  while (head === null) {
    bytes = Buffer.concat([bytes, await readBytes(server, 1)]);
    head = readHead(bytes);
  }
  if (head.tag !== TAG.sequence || head.size > ANSWER_MOST_BYTES) throw new Malformed('it answered what is no proof');
  const rest = head.size - bytes.length;
  return readMembers(rest > 0 ? Buffer.concat([bytes, await readBytes(server, rest)]) : bytes);
}
/** SEQUENCE OF SEQUENCE { [0] OCTET STRING }: the first. */
function tokenOf(list: Buffer | undefined): Buffer {
  const [outer] = readValues(list ?? Buffer.alloc(0));
  const [first] = readValues(outer?.content ?? Buffer.alloc(0));
  const found = first && readMembers(der(TAG.sequence, first.content)).get(0);
  if (!found) throw new Malformed('it asks for no proof');
  return found;
}
const numberOf = (bytes: Buffer | undefined): number =>
  bytes && bytes.length > 0 && bytes.length <= 4 ? bytes.readUIntBE(0, bytes.length) : 0;

/** The public key without what says of which kind it is. */
function subjectKey(certificate: X509Certificate): Buffer {
  const [info] = readValues(certificate.publicKey.export({ type: 'spki', format: 'der' }));
  const bits = readValues(info?.content ?? Buffer.alloc(0))[1]?.content;
  if (!bits) throw new Malformed('its certificate has no key');
  return bits.subarray(1);
}
