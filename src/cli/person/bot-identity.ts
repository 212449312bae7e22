// What a bot keeps of itself between runs: one file that only its owner may read, with the key that its next renewal is signed with.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { renewalText } from '../../contract/bots.ts';
import { readJson } from '../../contract/json.ts';
import { Refused } from '../verb.ts';

const identity = z.strictObject({
  version: z.literal(1),
  /** Origin of the gateway. */
  url: z.string(),
  bot: z.string(),
  instance: z.string(),
  generation: z.number(),
  /** Whether the gateway takes a renewal; otherwise the bot joins again. */
  renews: z.boolean(),
  /** PKCS 8, PEM: what the gateway knows the public half of. */
  key: z.string(),
  /** The one to come, written before it is asked for: a lost answer is asked for again with the same. */
  next: z.optional(z.string()),
  /** When it is forgotten unless it is renewed, ms since 1970. */
  ends: z.number(),
});
export type BotIdentity = z.infer<typeof identity>;

/** Longest file that is read, bytes. */
const FILE_MOST_BYTES = 65_536;

/** Null where there is none. Throws Refused when others may read it, or it is no such file. */
export function readIdentity(path: string): BotIdentity | null {
  if (!existsSync(path)) return null;
  const { mode, size } = statSync(path);
  // Windows keeps no such bits.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Refused(`${path} may be read by others, so it is not used: remove the bot, and join anew elsewhere`);
  const read = size > FILE_MOST_BYTES ? null : z.safeParse(identity, readJson(readFileSync(path, 'utf8')));
  if (!read?.success) throw new Refused(`${path} is no identity of a bot: delete it and join with a new token`);
  return read.data;
}
/** Replaces the file as a whole. A folder that is missing is made for the owner alone. */
export function writeIdentity(path: string, given: BotIdentity): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(part, `${JSON.stringify(given, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(part, path);
}

/** A new Ed25519 key, as the file keeps it. */
export const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
/** The public half as the gateway takes it: 32 bytes, base64url. */
export const publicHalf = (key: string): string =>
  createPublicKey(createPrivateKey(key)).export({ format: 'jwk' }).x ?? '';
/** Says by the key of before which one comes next. */
export function signedRenewal(given: BotIdentity & { readonly next: string }): {
  readonly instance: string;
  readonly generation: number;
  readonly publicKey: string;
  readonly signature: string;
} {
  const { instance, generation } = given;
  const publicKey = publicHalf(given.next);
  const text = Buffer.from(renewalText({ instance, generation, publicKey }));
  return { instance, generation, publicKey, signature: sign(null, text, given.key).toString('base64url') };
}
