// Logging in to a VNC server on behalf of whoever has none of its password, and letting a client in without one (RFC 6143, 7.1 and 7.2).
import { createCipheriv } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { ConnectError } from '../../../../ports/reach.ts';
import { readBytes } from '../../read-bytes.ts';
import { WrongPassword } from '../passing.ts';

const SECURITY = { none: 1, vnc: 2 } as const;
/** Longest reason that is read, bytes. */
const REASON_MOST_BYTES = 1024;
const VERSION = 'RFB 003.008\n';

/** `password`: null where there is none to show. Throws ConnectError, WrongPassword. */
export async function logIn(server: Duplex, name: string, password: string | null): Promise<void> {
  try {
    await shake(server, name, password);
  } catch (error) {
    if (error instanceof ConnectError || error instanceof WrongPassword) throw error;
    throw new ConnectError('failed', `${name} hung up before it let anybody in.`);
  }
}
async function shake(server: Duplex, name: string, password: string | null): Promise<void> {
  const version = (await readBytes(server, 12)).toString('latin1');
  if (!/^RFB 003\.00[789]\n$/.test(version))
    throw new ConnectError('failed', `${name} speaks another version of VNC than 3.7 and later.`);
  const has38 = version.charAt(10) !== '7';
  server.write(has38 ? VERSION : version);
  const count = (await readBytes(server, 1))[0] ?? 0;
  if (count === 0) throw new ConnectError('failed', `${name} refused the connection: ${await reason(server)}`);
  const kinds = [...(await readBytes(server, count))];
  if (kinds.includes(SECURITY.vnc)) {
    if (password === null) throw new WrongPassword(`${name} asks for a password`);
    server.write(Buffer.of(SECURITY.vnc));
    server.write(answerOf(password, await readBytes(server, 16)));
  } else if (kinds.includes(SECURITY.none)) {
    server.write(Buffer.of(SECURITY.none));
    if (!has38) return;
  } else
    throw new ConnectError(
      'failed',
      `${name} lets nobody in by a VNC password or without one (it offers ${kinds.join(', ')}): have it offer VncAuth.`,
    );
  if ((await readBytes(server, 4)).readUInt32BE(0) === 0) return;
  const why = has38 ? await reason(server) : 'wrong password';
  if (/too many/i.test(why)) throw new ConnectError('failed', `${name} refused the log-in: ${why}`);
  throw new WrongPassword(`${name} refused the password (${why})`);
}

async function reason(server: Duplex): Promise<string> {
  const length = (await readBytes(server, 4)).readUInt32BE(0);
  return (await readBytes(server, Math.min(length, REASON_MOST_BYTES))).toString('utf8').replace(/\p{Cc}+/gu, ' ');
}

/** Lets a client in without a password, and reads on to where it says whether others may stay. Rejects when it hangs up. */
export async function letIn(client: Duplex): Promise<void> {
  client.write(VERSION);
  await readBytes(client, VERSION.length);
  client.write(Buffer.of(1, SECURITY.none));
  await readBytes(client, 1);
  client.write(Buffer.alloc(4));
  await readBytes(client, 1);
}

/**
 * The challenge, encrypted under the password. Single DES is not in OpenSSL 3's default provider; triple DES with one key three times is the same
 * function. Bits of each byte of the key are mirrored, and what is longer than eight bytes does not count.
 */
function answerOf(password: string, challenge: Buffer): Buffer {
  const key = Buffer.alloc(8);
  Buffer.from(password, 'latin1').copy(key, 0, 0, 8);
  for (const [index, byte] of key.entries()) key[index] = mirrored(byte);
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}
const mirrored = (byte: number): number =>
  Array.from({ length: 8 }, (_, bit) => ((byte >> bit) & 1) << (7 - bit)).reduce((all, bit) => all | bit, 0);
