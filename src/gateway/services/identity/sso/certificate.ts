// A certificate for a key of ours, signed by itself: providers of SAML know a key by one, and no authority is asked about it.
import { createSign, generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const YEARS = 10;
/** X.690 tags. */
const [INTEGER, BITS, NULL, OID, UTF8, TIME, SEQUENCE, SET, EXPLICIT] = [2, 3, 5, 6, 12, 24, 48, 49, 160] as const;
/** 1.2.840.113549.1.1.11 and 2.5.4.3, encoded. */
const SHA256_WITH_RSA = Buffer.from('2a864886f70d01010b', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 128 + length.length]), length, body]);
}

const pemOf = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`;
const timeOf = (time: Date): Buffer =>
  der(TIME, Buffer.from(`${time.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

export interface KeyPair {
  /** PEM, PKCS #8. */
  readonly privateKey: string;
  /** PEM, X.509 (RFC 5280), version 3 without extensions. */
  readonly certificate: string;
}

/** An RSA key of 2048 bits, which every provider of SAML takes. `name` is at most 64 characters of UTF-8. */
export async function newKeyPair(name: string, now = new Date()): Promise<KeyPair> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + YEARS);
  const algorithm = der(SEQUENCE, der(OID, SHA256_WITH_RSA), der(NULL));
  const title = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, der(OID, COMMON_NAME), der(UTF8, Buffer.from(name.slice(0, 64))))),
  );
  // Positive and never shorter than it says.
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(15)]);
  const unsigned = der(
    SEQUENCE,
    der(EXPLICIT, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, serial),
    algorithm,
    title,
    der(SEQUENCE, timeOf(now), timeOf(end)),
    title,
    publicKey,
  );
  const signature = createSign('sha256').update(unsigned).sign(privateKey);
  const whole = der(SEQUENCE, unsigned, algorithm, der(BITS, Buffer.from([0]), signature));
  return { privateKey, certificate: pemOf('CERTIFICATE', whole) };
}
