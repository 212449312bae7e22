// Host keys: reading OpenSSH one-line public keys, naming them by fingerprint, and which algorithms ask for which.
import { createHash } from 'node:crypto';
import { Failure } from '../../../../contract/failure.ts';
import type { HostKey } from '../../../../contract/host-keys.ts';
import { sshFields } from '../wire.ts';

const RSA_LEAST_BITS = 2048;
const LINE_MOST_CHARACTERS = 16_384;

/** Key type -> signature algorithms that ask a host for it, best first. SHA-1 (`ssh-rsa`) is never asked for. */
const algorithms = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
} as const;
type KeyType = keyof typeof algorithms;
export type HostKeyAlgorithm = (typeof algorithms)[KeyType][number];
const types = Object.keys(algorithms) as readonly KeyType[];

/** Point length of each curve, bytes: 0x04 and two coordinates. */
const pointBytes: Readonly<Record<string, number>> = { nistp256: 65, nistp384: 97, nistp521: 133 };

export interface PublicKey {
  readonly type: KeyType;
  readonly blob: Buffer;
  /** `type base64`, without the comment. */
  readonly line: string;
}

const refuse = (problem: string): never => {
  throw new Failure('bad_request', `Host key: ${problem}`, { hostKey: problem });
};

/** Reads the blob of a public key as a host shows it. Throws Failure bad_request, saying what is wrong. */
function parsePublicBlob(blob: Buffer): PublicKey {
  const fields = sshFields(blob);
  const name = fields?.[0]?.toString('latin1') ?? '';
  const type = types.find(known => known === name);
  if (!fields || !type) {
    return refuse(`the key is not one of ${types.join(', ')}`);
  }
  const problem = problemOf(type, fields);
  if (problem) refuse(problem);
  return { type, blob, line: `${type} ${blob.toString('base64')}` };
}

function problemOf(type: KeyType, fields: readonly Buffer[]): string | undefined {
  const [, second, third] = fields;
  if (type === 'ssh-ed25519') {
    return fields.length === 2 && second?.length === 32 ? undefined : 'an ssh-ed25519 key holds 32 bytes';
  }
  if (type === 'ssh-rsa') {
    if (fields.length !== 3 || !third) return 'an ssh-rsa key holds an exponent and a modulus';
    const first = third.findIndex(byte => byte !== 0);
    const bits = first < 0 ? 0 : (third.length - first) * 8 - Math.clz32(third[first] ?? 0) + 24;
    return bits < RSA_LEAST_BITS ? `this RSA key has ${bits} bits; at least ${RSA_LEAST_BITS} are needed` : undefined;
  }
  const curve = type.slice('ecdsa-sha2-'.length);
  return fields.length === 3 && second?.toString('latin1') === curve && third?.length === pointBytes[curve]
    ? undefined
    : `the key does not hold a point of ${curve}`;
}

/** Reads an OpenSSH one-line public key, `ssh-ed25519 AAAA… comment`. Throws Failure bad_request, saying what is wrong. */
export function parsePublicKey(line: string): PublicKey {
  if (line.length > LINE_MOST_CHARACTERS) refuse(`the line is longer than ${LINE_MOST_CHARACTERS} characters`);
  const text = line.trim();
  if (/[\r\n]/.test(text)) refuse('one line is wanted, such as "ssh-ed25519 AAAA…"');
  const [name = '', base64 = ''] = text.split(/[ \t]+/);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    refuse('a type and its key in base64 are wanted, such as "ssh-ed25519 AAAA…"');
  const key = parsePublicBlob(Buffer.from(base64, 'base64'));
  if (key.type !== name) refuse(`the line says ${JSON.stringify(name.slice(0, 64))}, the key in it is ${key.type}`);
  return key;
}

/** SHA-256 fingerprint of a key's blob as OpenSSH writes it: base64 without padding. */
export const fingerprintOfBlob = (blob: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;

/** SHA-256 fingerprint of a one-line public key. Throws Failure bad_request. */
export const fingerprintOf = (publicKeyLine: string): string => fingerprintOfBlob(parsePublicKey(publicKeyLine).blob);

/** A key as a person is asked to confirm it. Throws Failure bad_request for kinds that we do not pin. */
export function hostKeyOf(blob: Buffer): HostKey {
  const key = parsePublicBlob(blob);
  return { type: key.type, fingerprint: fingerprintOfBlob(blob), publicKey: key.line };
}

/** A one-line public key as a person is asked to confirm it. Throws Failure bad_request. */
export const readHostKey = (line: string): HostKey => hostKeyOf(parsePublicKey(line).blob);

/** Signature algorithms to offer, those of the pinned keys first: a host with several keys then shows the pinned kind. */
export function algorithmsFor(pinned: readonly PublicKey[]): HostKeyAlgorithm[] {
  const wanted = new Set(pinned.map(key => key.type));
  const ordered = [...types.filter(type => wanted.has(type)), ...types.filter(type => !wanted.has(type))];
  return ordered.flatMap(type => algorithms[type]);
}
