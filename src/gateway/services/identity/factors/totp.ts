// Authenticator apps: six digits every 30 seconds (RFC 6238), one step of tolerance to either side.
import { derived } from '../../secrets.ts';

const STEP_S = 30;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const QR_PIXELS = 220;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * The secret of the device that is registered with a one-time link or token: its holder gets the same QR code however often they ask, and
 * nothing is kept until the device has shown that it works.
 */
export function totpSecret(token: string): string {
  const bits = [...derived(token, ['totp']).subarray(0, SECRET_BYTES)].map(byte => byte.toString(2).padStart(8, '0'));
  return (bits.join('').match(/.{5}/g) ?? []).map(five => BASE32[Number.parseInt(five, 2)]).join('');
}

/** PNG with the address that authenticator apps read, base64. */
export async function totpQrCode(secret: string, label: string): Promise<string> {
  const [{ generateURI }, { default: QRCode }] = await Promise.all([import('otplib'), import('qrcode')]);
  const uri = generateURI({ issuer: 'Postern', label, secret });
  return (await QRCode.toBuffer(uri, { errorCorrectionLevel: 'M', width: QR_PIXELS, margin: 2 })).toString('base64');
}

/** The time step that a code belongs to, when that is near now and after `used`; null otherwise. */
export async function totpStep(secret: string, code: string, used: number, now: Date): Promise<number | null> {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const { verify } = await import('otplib');
  const checked = await verify({
    secret,
    token,
    epochTolerance: STEP_S,
    epoch: Math.floor(now.getTime() / 1000),
    ...(used >= 0 && { afterTimeStep: used }),
  });
  return checked.valid && 'timeStep' in checked ? checked.timeStep : null;
}
