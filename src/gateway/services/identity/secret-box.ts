/**
 * Secrets of others that the gateway must be able to read again (of authenticator apps, of sign-in connectors), encrypted at rest.
 *
 * AES-256-GCM under a key that is not in the store, so that a copy of the store alone gives nothing away. What is sealed for one
 * place opens at no other: the place is authenticated with it. A sealed text says its version, so that ciphers can change.
 */
import { execFile } from 'node:child_process';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { plainText } from '../../../contract/visible-text.ts';
import type { Settings } from '../../store/store.ts';

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** 96 bits, as NIST SP 800-38D recommends; random, so that one key is good for some 2^32 secrets. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_FILE_MODE = 0o600;
/** Holds a sealed text of no secret: whether a key is this store's. */
const CHECK = 'identity.secret_box_check';

export interface SecretBox {
  /** `place` names where it will be kept, such as `mfa_device:<id>`. Rejects when another key has sealed what the store has already. */
  seal(secret: string, place: string): Promise<string>;
  /** Throws Error for a text that this key did not seal for this place. */
  open(sealed: string, place: string): string;
}

/** A box over a key of 32 bytes. */
export function createSecretBox(key: Buffer, settings: Pick<Settings, 'putIfAbsent'>): SecretBox {
  if (key.length !== KEY_BYTES) throw new Error(`a key of ${KEY_BYTES} bytes expected`);
  let checked: Promise<void> | undefined;

  const seal = (secret: string, place: string): string => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place));
    const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, nonce.toString('base64url'), body.toString('base64url')].join('.');
  };
  const open = (sealed: string, place: string): string => {
    const [version, nonce = '', body = ''] = sealed.split('.');
    const bytes = Buffer.from(body, 'base64url');
    if (version !== VERSION || bytes.length < TAG_BYTES) throw new Error('not a sealed secret');
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64url'), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  };

  return {
    async seal(secret, place) {
      // Before the first secret, so that no gateway of the store ever adds one that the others cannot open.
      checked ??= settings
        .putIfAbsent(CHECK, seal('', CHECK))
        .then(kept => void open(String(kept), CHECK))
        .catch(error => {
          checked = undefined;
          throw new Error('the secrets of this store are encrypted with another key', { cause: error });
        });
      await checked;
      return seal(secret, place);
    },
    open,
  };
}

/** A command that gives no key in this time gives none, ms. */
const COMMAND_MS = 30_000;
const PRINTED_MOST_BYTES = 4096;

/**
 * Opens the box with the key of a file, one line of base64 (`openssl rand -base64 32`), making the file where the store has no secrets yet, or
 * with what a command prints, which the shell runs. Gateways that share a store need the same key. Throws Error with a sentence for people when
 * the key is missing or not this store's.
 */
export async function openSecretBox(
  from: { readonly file: string } | { readonly command: string },
  settings: Pick<Settings, 'get' | 'put' | 'putIfAbsent'>,
): Promise<SecretBox> {
  const check = await settings.get(CHECK);
  const key = 'file' in from ? readKey(from.file, check === null) : await printedKey(from.command);
  const box = createSecretBox(key, settings);
  if (check === null) return box;
  try {
    box.open(String(check), CHECK);
    return box;
  } catch {
    throw new Error(
      'file' in from
        ? `key-file: ${from.file} is not the key that the secrets of this store are encrypted with: gateways that share a store need the same file`
        : 'key-command: it does not print the key that the secrets of this store are encrypted with',
    );
  }
}

/** What the command printed is in no error: it may be the key. */
async function printedKey(command: string): Promise<Buffer> {
  const run = promisify(execFile);
  const { stdout } = await run('/bin/sh', ['-c', command], {
    timeout: COMMAND_MS,
    maxBuffer: PRINTED_MOST_BYTES,
  }).catch((error: Error & { stderr?: string; killed?: boolean }) => {
    const why = error.killed
      ? `it printed no key within ${COMMAND_MS / 1000} s`
      : plainText(error.stderr?.trim() || 'it failed and gave no reason');
    throw new Error(`key-command: ${why}`);
  });
  const key = Buffer.from(stdout.trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new Error(`key-command: it must print ${KEY_BYTES} bytes as base64`);
  return key;
}

function readKey(file: string, create: boolean): Buffer {
  try {
    if (create) {
      const made = randomBytes(KEY_BYTES);
      writeFileSync(file, `${made.toString('base64')}\n`, { mode: KEY_FILE_MODE, flag: 'wx' });
      return made;
    }
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw new Error(`key-file: ${file} cannot be made: ${sentence(error)}`);
  }
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    const missing = isCode(error, 'ENOENT')
      ? 'is missing, and the secrets of this store are encrypted with it: put it back'
      : `cannot be read: ${sentence(error)}`;
    throw new Error(`key-file: ${file} ${missing}`);
  }
  throw new Error(`key-file: ${file} must hold ${KEY_BYTES} bytes as base64, as "openssl rand -base64 32" prints them`);
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));
