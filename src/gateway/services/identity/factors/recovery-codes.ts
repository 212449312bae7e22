// Recovery codes: eight words each, 88 random bits, so that a plain hash is enough to keep them.
import { randomInt } from 'node:crypto';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { digest } from '../../secrets.ts';

const CODES = 3;
const WORDS = 8;
const PREFIX = 'postern-';

/** A new set, to be shown once. */
export const newRecoveryCodes = (): string[] =>
  Array.from(
    { length: CODES },
    () => PREFIX + Array.from({ length: WORDS }, () => wordlist[randomInt(wordlist.length)]).join('-'),
  );

/** What is kept of a code, and looked up for what somebody types: capitals, spaces and a missing prefix do not matter. */
export function recoveryHash(typed: string): string {
  const words = typed
    .trim()
    .toLowerCase()
    .replace(/[\s_–—-]+/g, '-');
  return digest(words.startsWith(PREFIX) ? words : PREFIX + words);
}
