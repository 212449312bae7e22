// What a password has to be, and how it travels: base64 of UTF-8.
import { Failure } from '../../../contract/failure.ts';

/** Longest password, bytes of UTF-8: argon2 takes more, but nobody types it. */
const LONGEST_BYTES = 1024;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Throws Failure bad_request that names the field. */
export function decodePassword(base64: string, field: string): string {
  if (!BASE64.test(base64)) return wrong(field, 'must be base64');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    return wrong(field, 'must be base64 of UTF-8 text');
  }
}

/** Checks a new password against the cluster's rule. Throws Failure bad_request that says the rule. */
export function checkNewPassword(password: string, leastCharacters: number, field: string): void {
  // Counted as a person counts: an accented letter or an emoji is one character.
  const characters = [...new Intl.Segmenter().segment(password)].length;
  if (characters < leastCharacters) wrong(field, `must have at least ${leastCharacters} characters`);
  if (Buffer.byteLength(password) > LONGEST_BYTES) wrong(field, `must not be longer than ${LONGEST_BYTES} bytes`);
}

function wrong(field: string, allowed: string): never {
  throw new Failure('bad_request', `${field} ${allowed}`, { [field]: allowed });
}
