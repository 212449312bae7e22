// OpenSSH certificates by Ed25519 keys, as OpenSSH's PROTOCOL.certkeys lays them out.
import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { sshFields, sshString, sshUint32, sshUint64 } from '../wire.ts';

export const ED25519 = 'ssh-ed25519';
export const ED25519_CERTIFICATE = 'ssh-ed25519-cert-v01@openssh.com';

const USER_CERTIFICATE = 1;
const HOST_CERTIFICATE = 2;
const NONCE_BYTES = 32;
/** OpenSSH keeps key ids in its log: a longer one is refused here rather than cut there. */
export const KEY_ID_MOST_BYTES = 1024;

/** What one certificate says. */
export interface CertificateRequest {
  /** Ed25519 private key of the authority. */
  readonly ca: KeyObject;
  /** Ed25519 public key that the certificate is for. */
  readonly subjectPublicKey: KeyObject;
  /** Free text that the host's sshd writes to its log at log-in. */
  readonly keyId: string;
  /** The one login name it is good for. */
  readonly principal: string;
  readonly validAfter: Date;
  readonly validBefore: Date;
  /** What the session may do, such as `permit-pty`; each without a value. Nothing is allowed that is not named. */
  readonly extensions: readonly string[];
  /** Further ones, each with its value; '' for none. */
  readonly valuedExtensions?: Readonly<Record<string, string>>;
  /** What whoever takes it must understand and hold to: others refuse it. */
  readonly criticalOptions?: Readonly<Record<string, string>>;
  /** Random when absent. */
  readonly serial?: bigint;
}

/** The 32 bytes of an Ed25519 public key. Throws for other kinds of key. */
function rawEd25519(key: KeyObject): Buffer {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`an Ed25519 key is needed, not ${key.asymmetricKeyType}`);
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
}

/** SSH public key blob of an Ed25519 key. */
export const publicBlob = (key: KeyObject): Buffer => Buffer.concat([sshString(ED25519), sshString(rawEd25519(key))]);

/** SSH signature blob: the algorithm's plain name and the signature. */
export const signatureBlob = (data: Uint8Array, key: KeyObject): Buffer =>
  Buffer.concat([sshString(ED25519), sshString(sign(null, data, key))]);

const seconds = (date: Date, round: (value: number) => number): bigint => {
  const value = round(date.getTime() / 1000);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error('the time of a certificate must lie after 1970');
  return BigInt(value);
};

/** Signs a user certificate and answers its blob. Throws when the request makes no usable certificate. */
export function issueUserCertificate(request: CertificateRequest): Buffer {
  const validAfter = seconds(request.validAfter, Math.floor);
  const validBefore = seconds(request.validBefore, Math.ceil);
  if (validBefore <= validAfter) throw new Error('a certificate must end after it begins');
  // An empty principal list would mean "any login": never issue one.
  if (request.principal === '') throw new Error('a certificate needs a login name');
  if (Buffer.byteLength(request.keyId) > KEY_ID_MOST_BYTES)
    throw new Error(`a key id has at most ${KEY_ID_MOST_BYTES} bytes`);
  const extensions = { ...request.valuedExtensions, ...Object.fromEntries(request.extensions.map(name => [name, ''])) };
  const signed = Buffer.concat([
    sshString(ED25519_CERTIFICATE),
    sshString(randomBytes(NONCE_BYTES)),
    sshString(rawEd25519(request.subjectPublicKey)),
    sshUint64(request.serial ?? randomBytes(8).readBigUInt64BE()),
    sshUint32(USER_CERTIFICATE),
    sshString(request.keyId),
    sshString(sshString(request.principal)),
    sshUint64(validAfter),
    sshUint64(validBefore),
    sshString(optionsOf(request.criticalOptions ?? {})),
    sshString(optionsOf(extensions)),
    sshString(''),
    sshString(publicBlob(publicOf(request.ca))),
  ]);
  return Buffer.concat([signed, sshString(signatureBlob(signed, request.ca))]);
}

/** Signs the certificate of a host key of any kind, as its blob has it. Throws when the request makes no usable certificate. */
export function issueHostCertificate(request: {
  readonly ca: KeyObject;
  readonly subject: Buffer;
  readonly keyId: string;
  /** Names that clients know the host by. */
  readonly principals: readonly string[];
  readonly validAfter: Date;
  readonly validBefore: Date;
}): { readonly type: string; readonly certificate: Buffer } {
  const [kind] = sshFields(request.subject) ?? [];
  // An empty principal list would mean "any host": never issue one.
  if (!kind || request.principals.length === 0) throw new Error('a host certificate needs a key and a name');
  const type = `${kind.toString('latin1')}-cert-v01@openssh.com`;
  const signed = Buffer.concat([
    sshString(type),
    sshString(randomBytes(NONCE_BYTES)),
    // What makes the key, as it stands in it.
    request.subject.subarray(4 + kind.length),
    sshUint64(randomBytes(8).readBigUInt64BE()),
    sshUint32(HOST_CERTIFICATE),
    sshString(request.keyId),
    sshString(Buffer.concat(request.principals.map(name => sshString(name)))),
    sshUint64(seconds(request.validAfter, Math.floor)),
    sshUint64(seconds(request.validBefore, Math.ceil)),
    sshString(''),
    sshString(''),
    sshString(''),
    sshString(publicBlob(publicOf(request.ca))),
  ]);
  return { type, certificate: Buffer.concat([signed, sshString(signatureBlob(signed, request.ca))]) };
}

/** Sorted by name: sshd refuses any other order. Each value is a string within a string, and none is an empty string. */
const optionsOf = (options: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(options)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([name, value]) => [sshString(name), sshString(value === '' ? '' : sshString(value))]),
  );

const publicKeys = new WeakMap<KeyObject, KeyObject>();
/** The public half, kept beside its private key: deriving it costs more than the signature. */
function publicOf(key: KeyObject): KeyObject {
  const known = publicKeys.get(key);
  if (known) return known;
  const derived = createPublicKey(key);
  publicKeys.set(key, derived);
  return derived;
}
