// Registering a device with a one-time token: what the gateway gives for it, and what the browser makes of that.
import type { MakeCall } from '../../../contract/call.ts';
import { type Creation, registerChallenge } from '../../../contract/mfa.ts';
import type { AppSecret } from './DeviceForm.tsx';
import { createKey } from './hardware-key.ts';

/** What an authenticator app reads. Throws ApiError. */
export async function appSecretFor(api: MakeCall, token: string): Promise<AppSecret> {
  const { totp } = await api(registerChallenge, { params: { token }, body: { deviceType: 'totp' } });
  if (totp === null) throw new Error('The QR code cannot be had');
  return totp;
}

/** A new key. Throws ApiError, and Error whose message is a sentence for people. */
export async function newKeyFor(api: MakeCall, token: string, deviceUsage: 'mfa' | 'passwordless'): Promise<Creation> {
  const body = { deviceType: 'webauthn', deviceUsage } as const;
  const { webauthn } = await api(registerChallenge, { params: { token }, body });
  if (webauthn === null) throw new Error('error creating credential, please try again');
  return createKey(webauthn);
}
