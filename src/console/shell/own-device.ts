// The key by which this browser is a trusted device: one of WebAuthn, kept by the machine's own authenticator, where the browser and the
// gateway's address have it; else one made by WebCrypto so that nobody can take it out, not even a script of this page. IndexedDB keeps which, and
// of the second kind a handle: a copy of the browser's folder holds no more.
import type { DeviceAsked, DeviceKeys } from '../../client/own-device.ts';
import type { Creation } from '../../contract/mfa.ts';
import type { DeviceProof } from '../../contract/trusted-devices.ts';

/** Fetched where a key of WebAuthn is made or asked. */
const loadHardwareKeys = () => import('../wizards/credentials/hardware-key.ts');

const DATABASE = 'postern-device';
const STORE = 'keys';
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** How long a browser waits for the touch before it goes on without, ms: the console comes after it. */
const TOUCH_MS = 30_000;

type Kept = { readonly device: string } & ({ readonly key: CryptoKey } | { readonly credential: string });

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const signWith = async (key: CryptoKey, text: string): Promise<string> =>
  base64url(await crypto.subtle.sign(SIGNING, key, new TextEncoder().encode(text)));

const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error ?? new Error('this browser keeps nothing'));
  });
async function inStore<Value>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settled(opening);
  try {
    return await settled(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

/** Whether a key may be had that is bound to this machine and to this address: only of the machine's own authenticator, which others do not carry away. */
const hasAuthenticator = async (rpId: string | undefined): Promise<boolean> =>
  rpId === location.hostname &&
  (await globalThis.PublicKeyCredential?.isUserVerifyingPlatformAuthenticatorAvailable?.().catch(() => false)) === true;
const asChallenge = (text: string): string => base64url(new TextEncoder().encode(text).buffer);

/** A key of the machine's authenticator; null where what keeps it copies its keys to other machines. */
async function machineKey(user: string, text: string, rpId: string): Promise<Creation | null> {
  const { createMachineKey } = await loadHardwareKeys();
  // Of nobody: a passkey by which the person signs in is of their own handle, and would be replaced.
  const handle = base64url(crypto.getRandomValues(new Uint8Array(32)).buffer);
  const { creation, isSynced } = await createMachineKey({
    ...{ challenge: asChallenge(text), rpId, user, handle, label: `${user} on this device` },
  });
  return isSynced ? null : creation;
}
async function machineProof(credential: string, { text, rpId }: DeviceAsked): Promise<DeviceProof> {
  if (rpId === undefined)
    throw new Error('This gateway has no domain name now, to which the key of this device is bound');
  const { askKey } = await loadHardwareKeys();
  const publicKey = {
    ...{ challenge: asChallenge(text), rpId, timeout: TOUCH_MS },
    allowCredentials: [{ type: 'public-key' as const, id: credential }],
    userVerification: 'discouraged' as const,
  };
  return { assertion: await askKey({ webauthn_challenge: { publicKey }, totp_challenge: false }) };
}

/** By the name of the person. */
export const browserKeys: DeviceKeys = {
  async read(user) {
    const kept: Kept | undefined = await inStore('readonly', store => store.get(user));
    if (kept === undefined) return null;
    const { device } = kept;
    return 'key' in kept
      ? { device, prove: async ({ text }) => ({ signature: await signWith(kept.key, text) }) }
      : { device, prove: asked => machineProof(kept.credential, asked) };
  },
  async make(user, { text, rpId }) {
    if (globalThis.crypto?.subtle === undefined)
      throw new Error('A browser keeps keys for pages that came over HTTPS only, or from this very machine');
    const keepAs = (kept: Kept) => inStore('readwrite', store => store.put(kept, user)).then(() => {});
    const creation = rpId !== undefined && (await hasAuthenticator(rpId)) ? await machineKey(user, text, rpId) : null;
    if (creation) return { shown: { creation }, keep: device => keepAs({ device, credential: creation.id }) };
    const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, false, ['sign']);
    return {
      shown: {
        public_key: base64url(await crypto.subtle.exportKey('spki', publicKey)),
        key_in: 'browser',
        signature: await signWith(privateKey, text),
      },
      keep: device => keepAs({ device, key: privateKey }),
    };
  },
  forget: user => inStore('readwrite', store => store.delete(user)),
};
