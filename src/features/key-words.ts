// Keys of trusted devices in words: the page of one's own account says them without what lists of things need.
import type { TrustedDevice } from '../contract/trusted-devices.ts';

/** What keeps a device's key, as the list of devices says it. */
export const keyWords: Readonly<Record<NonNullable<TrustedDevice['key_in']>, string>> = {
  browser: 'Browser key',
  'command line': 'Key file',
  webauthn: 'WebAuthn key',
};
