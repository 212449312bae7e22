// How a browser or a command line becomes a trusted device and proves that it is one. Where its key is kept is for each to say.
import type { MakeCall } from '../contract/call.ts';
import { type DevicePurpose, deviceProofText } from '../contract/device-proof.ts';
import {
  authenticateDevice,
  createDeviceChallenge,
  enrollDevice,
  type TrustedDevice,
} from '../contract/trusted-devices.ts';

/** Signs a text with ECDSA over P-256 and SHA-256: r and s, base64url. */
type Sign = (text: string) => Promise<string>;

/** Where keys are kept, one for each person of the gateway. */
export interface DeviceKeys {
  readonly keyIn: 'browser' | 'command line';
  /** Null when there is none for that person. */
  read(user: string): Promise<{ readonly device: string; readonly sign: Sign } | null>;
  /** A new key, which is kept once it is known as which device. */
  make(): Promise<{
    /** SPKI, base64url. */
    readonly publicKey: string;
    readonly sign: Sign;
    keep(user: string, device: string): Promise<void>;
  }>;
  forget(user: string): Promise<void>;
}

async function signed(call: MakeCall, purpose: DevicePurpose, sign: Sign) {
  const { challenge, cluster } = await call(createDeviceChallenge, { body: { purpose } });
  return { challenge, signature: await sign(deviceProofText({ purpose, cluster, challenge })) };
}

/** Enrolls what runs this as the device that the token is for. Throws ApiError. */
export async function enrollHere(
  call: MakeCall,
  keys: DeviceKeys,
  user: string,
  token: string,
): Promise<TrustedDevice> {
  const key = await keys.make();
  const proof = await signed(call, 'enroll', key.sign);
  const body = { token, public_key: key.publicKey, key_in: keys.keyIn, ...proof };
  const device = await call(enrollDevice, { body });
  await key.keep(user, device.id);
  return device;
}

/** Proves that this web session is of the person's device. False when no key of theirs is kept here. Throws ApiError. */
export async function proveHere(call: MakeCall, keys: DeviceKeys, user: string): Promise<boolean> {
  const key = await keys.read(user);
  if (key === null) return false;
  await call(authenticateDevice, { body: { device: key.device, ...(await signed(call, 'authenticate', key.sign)) } });
  return true;
}
