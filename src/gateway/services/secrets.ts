// Random secrets, their stored digests, and comparisons that take the same time whatever differs.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Every secret of ours: 256 bits. */
const SECRET_BYTES = 32;

/** A new random secret as lower-case hex. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex');

/** SHA-256 as hex: what is stored in place of a secret. */
export const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** A secret that the key's holder can compute again from the same words. */
export const derived = (keyHex: string, words: readonly string[]): Buffer =>
  createHmac('sha256', Buffer.from(keyHex, 'hex')).update(words.join('\n')).digest();

/** Compares two secrets in constant time; lengths may differ and are not secret. */
export function sameSecret(left: string, right: string): boolean {
  const a = createHash('sha256').update(left).digest();
  const b = createHash('sha256').update(right).digest();
  return timingSafeEqual(a, b);
}

/** A uuid (version 8, RFC 9562) that follows from a digest. */
export const uuidOf = (digestHex: string): string =>
  digestHex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5');
