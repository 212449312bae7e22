// How a browser or a command line becomes a trusted device and proves that it is one. Where its key is kept is for each to say.
import type { MakeCall } from '../contract/call.ts';
import { type DevicePurpose, deviceProofText } from '../contract/device-proof.ts';
import {
  authenticateDevice,
  createDeviceChallenge,
  type DeviceProof,
  enrollDevice,
  type NewDeviceKey,
  type TrustedDevice,
} from '../contract/trusted-devices.ts';

/** What a key is to answer. */
export interface DeviceAsked {
  /** Signed with ECDSA over P-256 and SHA-256 (r and s, base64url), or the challenge of WebAuthn. */
  readonly text: string;
  /** The domain that a key of WebAuthn is bound to; absent where there is none for this gateway's address. */
  readonly rpId?: string | undefined;
}
/** Where keys are kept, one for each person of the gateway. */
export interface DeviceKeys {
  /** Null when there is none for that person. */
  read(user: string): Promise<{
    readonly device: string;
    prove(asked: DeviceAsked): Promise<DeviceProof>;
  } | null>;
  /** A new key, which is kept once it is known as which device. */
  make(
    user: string,
    asked: DeviceAsked,
  ): Promise<{
    readonly shown: NewDeviceKey;
    keep(device: string): Promise<void>;
  }>;
  forget(user: string): Promise<void>;
}

async function ask(call: MakeCall, purpose: DevicePurpose) {
  const { challenge, cluster, rp_id: rpId } = await call(createDeviceChallenge, { body: { purpose } });
  return { challenge, asked: { text: deviceProofText({ purpose, cluster, challenge }), rpId } };
}

/** Enrolls what runs this as the device that the token is for. Throws ApiError, and Error whose message is a sentence for people. */
export async function enrollHere(
  call: MakeCall,
  keys: DeviceKeys,
  user: string,
  token: string,
): Promise<TrustedDevice> {
  const { challenge, asked } = await ask(call, 'enroll');
  const { shown, keep } = await keys.make(user, asked);
  const device = await call(enrollDevice, { body: { token, challenge, ...shown } });
  await keep(device.id);
  return device;
}

/** Proves that this web session is of the person's device. False when no key of theirs is kept here. Throws as enrollHere does. */
export async function proveHere(call: MakeCall, keys: DeviceKeys, user: string): Promise<boolean> {
  const key = await keys.read(user);
  if (key === null) return false;
  const { challenge, asked } = await ask(call, 'authenticate');
  await call(authenticateDevice, { body: { device: key.device, challenge, ...(await key.prove(asked)) } });
  return true;
}
