// NTLMv2, a client's side (MS-NLMP): proves a password without showing it, and makes the keys that both then talk under.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Malformed } from '../passing.ts';
import { createRc4, md4 } from './old-ciphers.ts';

const SIGNATURE = Buffer.from('NTLMSSP\0', 'latin1');
const TYPE = { negotiate: 1, challenge: 2, authenticate: 3 } as const;
/** Messages say the version they are of: without it what comes behind stands elsewhere. */
const HAS_VERSION = 0x200_0000;
/** As Windows 10 says it: 10.0, build 19041, revision 15 of NTLM. */
const VERSION = Buffer.of(10, 0, 0x61, 0x4a, 0, 0, 0, 15);
/** Unicode, target, sign, seal, NTLM, always sign, extended session security, target information, 128 bits, key exchange, 56 bits. */
const FLAGS =
  (0x1 |
    0x4 |
    0x10 |
    0x20 |
    0x200 |
    0x8000 |
    0x8_0000 |
    0x80_0000 |
    HAS_VERSION |
    0x2000_0000 |
    0x4000_0000 |
    0x8000_0000) >>>
  0;
/** What is said of a target: the end, what this client does, and when it was asked. */
const ABOUT = { end: 0, flags: 6, time: 7 } as const;
const PROVES_ALL = 2;
const AUTHENTICATE_HEAD_BYTES = 88;
const MIC_AT = 72;
/** 1601 to 1970, in units of 100 ns. */
const EPOCH = 116_444_736_000_000_000n;

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const md5 = (...parts: readonly Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();
const hmac = (key: Buffer, ...parts: readonly Buffer[]): Buffer =>
  createHmac('md5', key).update(Buffer.concat(parts)).digest();

export interface Sealing {
  seal(message: Buffer): Buffer;
  /** Throws Malformed for what the other side did not seal. */
  open(sealed: Buffer): Buffer;
}
interface Proof {
  readonly domain: string;
  readonly user: string;
  readonly password: string;
}
/** What is random of it; given by tests. */
export interface NtlmChance {
  readonly challenge: Buffer;
  readonly key: Buffer;
  readonly now: bigint;
}
const chance = (): NtlmChance => ({
  challenge: randomBytes(8),
  key: randomBytes(16),
  now: BigInt(Date.now()) * 10_000n + EPOCH,
});

export function negotiateMessage(): Buffer {
  const message = Buffer.alloc(40);
  SIGNATURE.copy(message);
  message.writeUInt32LE(TYPE.negotiate, 8);
  message.writeUInt32LE(FLAGS, 12);
  VERSION.copy(message, 32);
  return message;
}

/** Answers a challenge. Throws Malformed. */
export function authenticate(
  negotiated: Buffer,
  challenge: Buffer,
  { domain, user, password }: Proof,
  random: NtlmChance = chance(),
): { readonly message: Buffer; readonly sealing: Sealing } {
  const { nonce, about, flags } = readChallenge(challenge);
  const time = about.find(({ id }) => id === ABOUT.time)?.value;
  const owner = hmac(md4(utf16(password)), utf16(user.toUpperCase() + domain));
  const target = writeAbout([
    ...about.filter(({ id }) => id !== ABOUT.flags),
    ...(time ? [{ id: ABOUT.flags, value: Buffer.of(PROVES_ALL, 0, 0, 0) }] : []),
  ]);
  const now = Buffer.alloc(8);
  now.writeBigUInt64LE(random.now);
  const blob = Buffer.concat([
    Buffer.of(1, 1, 0, 0, 0, 0, 0, 0),
    time ?? now,
    random.challenge,
    Buffer.alloc(4),
    target,
    Buffer.alloc(4),
  ]);
  const proof = hmac(owner, nonce, blob);
  const exchange = hmac(owner, proof);
  const older = time ? Buffer.alloc(24) : Buffer.concat([hmac(owner, nonce, random.challenge), random.challenge]);
  const parts = [
    older,
    Buffer.concat([proof, blob]),
    utf16(domain),
    utf16(user),
    utf16('postern'),
    createRc4(exchange)(random.key),
  ];
  const message = Buffer.concat([Buffer.alloc(AUTHENTICATE_HEAD_BYTES), ...parts]);
  SIGNATURE.copy(message);
  message.writeUInt32LE(TYPE.authenticate, 8);
  let at = AUTHENTICATE_HEAD_BYTES;
  for (const [index, part] of parts.entries()) {
    message.writeUInt16LE(part.length, 12 + 8 * index);
    message.writeUInt16LE(part.length, 14 + 8 * index);
    message.writeUInt32LE(at, 16 + 8 * index);
    at += part.length;
  }
  message.writeUInt32LE(((flags & FLAGS) | HAS_VERSION) >>> 0, 60);
  VERSION.copy(message, 64);
  hmac(random.key, negotiated, challenge, message).copy(message, MIC_AT);
  return { message, sealing: createSealing(random.key) };
}

function readChallenge(message: Buffer) {
  if (message.length < 48 || !message.subarray(0, 8).equals(SIGNATURE) || message.readUInt32LE(8) !== TYPE.challenge)
    throw new Malformed('it asks for a proof in a way that the gateway does not know');
  const [length, start] = [message.readUInt16LE(40), message.readUInt32LE(44)];
  const flags = message.readUInt32LE(20);
  // Without these there is no sealing, or one that is no good.
  for (const wanted of [0x8_0000, 0x2000_0000, 0x4000_0000])
    if ((flags & wanted) === 0) throw new Malformed('it seals what is said in a way that is not safe');
  return { nonce: message.subarray(24, 32), about: readAbout(message.subarray(start, start + length)), flags };
}
interface About {
  readonly id: number;
  readonly value: Buffer;
}
function readAbout(bytes: Buffer): readonly About[] {
  const all: About[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const [id, length] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)];
    if (id === ABOUT.end) break;
    all.push({ id, value: bytes.subarray(at + 4, at + 4 + length) });
    at += 4 + length;
  }
  return all;
}
function writeAbout(all: readonly About[]): Buffer {
  const heads = all.map(({ id, value }) => Buffer.of(id & 255, id >> 8, value.length & 255, value.length >> 8));
  return Buffer.concat([
    ...all.flatMap(({ value }, index) => [heads[index] ?? Buffer.alloc(0), value]),
    Buffer.alloc(4),
  ]);
}

function createSealing(key: Buffer): Sealing {
  const made = (way: string, what: string): Buffer =>
    md5(key, Buffer.from(`session key to ${way} ${what} key magic constant\0`, 'latin1'));
  const side = (way: string) => ({
    signs: made(way, 'signing'),
    crypt: createRc4(made(way, 'sealing')),
    count: 0,
  });
  const [ours, theirs] = [side('client-to-server'), side('server-to-client')];
  function signature(of: ReturnType<typeof side>, message: Buffer): Buffer {
    const number = Buffer.alloc(4);
    number.writeUInt32LE(of.count);
    of.count += 1;
    return Buffer.concat([Buffer.of(1, 0, 0, 0), of.crypt(hmac(of.signs, number, message).subarray(0, 8)), number]);
  }
  return {
    seal(message) {
      const sealed = ours.crypt(message);
      return Buffer.concat([signature(ours, message), sealed]);
    },
    open(sealed) {
      const message = theirs.crypt(sealed.subarray(16));
      if (!signature(theirs, message).equals(sealed.subarray(0, 16)))
        throw new Malformed('its proof of who it is does not hold');
      return message;
    },
  };
}
