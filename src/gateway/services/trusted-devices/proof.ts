// Whether what a device has signed is from its key.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { Failure } from '../../../contract/failure.ts';
import { digest } from '../secrets.ts';

/** A key that a device shows. Throws Failure bad_request for anything but one on the curve P-256. */
export function readDeviceKey(publicKey: string): { readonly publicKey: string; readonly credentialId: string } {
  const key = keyOf(publicKey);
  if (key?.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Failure('bad_request', 'public_key: the SPKI of a P-256 key, base64url', {
      public_key: 'the SPKI of a P-256 key, base64url',
    });
  // The same key written in another way is the same credential.
  const written = key.export({ format: 'der', type: 'spki' }).toString('base64url');
  return { publicKey: written, credentialId: digest(written) };
}

/** Whether the signature (r and s, base64url) over the text is from this key (SPKI, base64url). */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = keyOf(publicKey);
  return (
    key !== null &&
    verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
  );
}

function keyOf(publicKey: string): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}
