// Whose word on releases counts: the settings that begin with "release".
import { createPublicKey, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { flagOf, webAddress } from './setting.ts';
import { type SettingName, type SettingValue, settings } from './table.ts';

/** A file, or an address; and the public key of Ed25519 that has signed what is there. */
export interface ReleaseFeed {
  readonly place: string;
  readonly key: KeyObject;
}

/** Null: none is read. `read` answers a file's text, or undefined once it has said why there is none. */
export function readReleaseFeed(
  value: <Name extends SettingName>(name: Name) => SettingValue<Name> | undefined,
  read: (flag: string, path: string) => string | undefined,
  problem: (text: string) => void,
): ReleaseFeed | null {
  const [written, keyFile] = [value('releaseFeed'), value('releaseFeedKey')];
  if (written === undefined && keyFile === undefined) return null;
  if (written === undefined || keyFile === undefined) {
    const [has, lacks] =
      written === undefined
        ? (['releaseFeedKey', 'releaseFeed'] as const)
        : (['releaseFeed', 'releaseFeedKey'] as const);
    problem(`${flagOf(settings[has])}: goes with ${flagOf(settings[lacks])}, which is missing`);
    return null;
  }
  const pem = read(flagOf(settings.releaseFeedKey), keyFile);
  if (pem === undefined) return null;
  const address = webAddress(written);
  const place = 'value' in address ? address.value : resolve(written);
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return { place, key };
  } catch {
    // What OpenSSL says of it helps nobody: it is said below what is wanted.
  }
  problem(`${flagOf(settings.releaseFeedKey)}: ${keyFile}: a public key of Ed25519 in PEM expected`);
  return null;
}
