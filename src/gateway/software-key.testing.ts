// For tests: a hardware key made of software, which can also answer what no honest key would.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Assertion, Challenge, Creation, CreationOptions } from '../contract/mfa.ts';

export interface SoftwareKey {
  create(options: CreationOptions, change?: Change): Creation;
  get(challenge: Challenge, change?: Change): Assertion;
}
/** In place of what an honest key and browser would say. */
interface Change {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  /** It may be copied to other machines. */
  readonly isSynced?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly isForged?: boolean;
}

const PRESENT = 1;
const VERIFIED = 4;
const BACKUP_ELIGIBLE = 8;
const HAS_CREDENTIAL = 64;
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** CBOR: a text, and the head of a byte string. */
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
const cborBytes = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]), bytes]);

export function createSoftwareKey(origin: string): SoftwareKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let counter = 0;
  let handle = '';

  const clientData = (type: string, challenge: string, change: Change): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: change.origin ?? origin, crossOrigin: false }));
  const head = (rpId: string, flags: number, count: number): Buffer => {
    const numbers = Buffer.alloc(5);
    numbers.writeUInt8(flags);
    numbers.writeUInt32BE(count, 1);
    return Buffer.concat([sha256(rpId), numbers]);
  };
  const flagsOf = ({ isVerified = true, isSynced = false }: Change): number =>
    PRESENT | (isVerified ? VERIFIED : 0) | (isSynced ? BACKUP_ELIGIBLE : 0);
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const };

  return {
    create({ publicKey: options }, change = {}) {
      handle = options.user.id;
      const coordinate = (text: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')]);
      const cose = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
        coordinate(x),
        Buffer.from([0x22]),
        coordinate(y),
      ]);
      const authData = Buffer.concat([
        head(change.rpId ?? options.rp.id, flagsOf(change) | HAS_CREDENTIAL, change.counter ?? counter),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cose,
      ]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(authData),
      ]);
      const client = clientData('webauthn.create', options.challenge, change);
      return {
        ...credential,
        response: {
          attestationObject: attestation.toString('base64url'),
          clientDataJSON: client.toString('base64url'),
        },
      };
    },

    get({ webauthn_challenge }, change = {}) {
      if (!webauthn_challenge) throw new Error('no key was asked for');
      const { publicKey: options } = webauthn_challenge;
      counter += 1;
      const authData = head(change.rpId ?? options.rpId, flagsOf(change), change.counter ?? counter);
      const client = clientData('webauthn.get', options.challenge, change);
      const signed = Buffer.concat([authData, sha256(client)]);
      const signature = sign('sha256', change.isForged ? randomBytes(32) : signed, privateKey);
      return {
        ...credential,
        response: {
          authenticatorData: authData.toString('base64url'),
          clientDataJSON: client.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: change.userHandle ?? handle,
        },
      };
    },
  };
}

/** Registers a new key of the person who calls, who has no device yet. `origin`: where they are signed in. */
export async function enrolSoftwareKey(
  origin: string,
  call: (method: string, path: string, body?: unknown) => Promise<unknown>,
): Promise<SoftwareKey> {
  const key = createSoftwareKey(origin);
  const tokenId = await call('POST', 'users/privilege/token', {});
  const path = `mfa/token/${tokenId}/registerchallenge`;
  const { webauthn } = (await call('POST', path, { deviceType: 'webauthn' })) as { webauthn: CreationOptions };
  await call('POST', 'mfa/devices', { tokenId, deviceName: 'key', webauthnRegisterResponse: key.create(webauthn) });
  return key;
}
