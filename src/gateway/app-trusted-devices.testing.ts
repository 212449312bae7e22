// Keys of trusted devices in tests, and what they prove to a gateway.
import { generateKeyPairSync, sign } from 'node:crypto';
import { type DevicePurpose, deviceProofText } from '../contract/device-proof.ts';
import type { Browser } from './app.testing.ts';

/** A key that only what makes it can use, as a browser's is. */
export function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
    sign: (text: string) =>
      sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  };
}
export type Key = ReturnType<typeof newKey>;

/** Asks for a challenge, and answers it. */
export async function proof(who: Browser, key: Pick<Key, 'sign'>, purpose: DevicePurpose) {
  const { json } = await who.call('POST', '/v1/webapi/devicetrust/challenge', { purpose });
  const { challenge, cluster } = json as { challenge: string; cluster: string };
  return { challenge, signature: key.sign(deviceProofText({ purpose, cluster, challenge })) };
}
export const enrollWith = async (who: Browser, key: Key, token: string) =>
  who.call('POST', '/v1/webapi/devicetrust/enroll', {
    token,
    public_key: key.publicKey,
    ...(await proof(who, key, 'enroll')),
  });
