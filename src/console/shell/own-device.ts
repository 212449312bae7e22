// The key by which this browser is a trusted device: made by WebCrypto so that nobody can take it out, not even a script of this page, and
// kept in IndexedDB, where a copy of the browser's folder holds no more than a handle to it. A key of WebAuthn would ask for a touch at each sign-in.
import type { DeviceKeys } from '../../client/own-device.ts';

const DATABASE = 'postern-device';
const STORE = 'keys';
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

interface Kept {
  readonly device: string;
  readonly key: CryptoKey;
}

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const signWith = (key: CryptoKey) => async (text: string) =>
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

/** By the name of the person. */
export const browserKeys: DeviceKeys = {
  keyIn: 'browser',
  async read(user) {
    const kept: Kept | undefined = await inStore('readonly', store => store.get(user));
    return kept === undefined ? null : { device: kept.device, sign: signWith(kept.key) };
  },
  async make() {
    if (globalThis.crypto?.subtle === undefined)
      throw new Error('A browser keeps keys for pages that came over HTTPS only, or from this very machine');
    const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, false, ['sign']);
    return {
      publicKey: base64url(await crypto.subtle.exportKey('spki', publicKey)),
      sign: signWith(privateKey),
      keep: async (user, device) => {
        const kept: Kept = { device, key: privateKey };
        await inStore('readwrite', store => store.put(kept, user));
      },
    };
  },
  forget: user => inStore('readwrite', store => store.delete(user)),
};
