// What people are told when a browser has no hardware keys, or the key does not do its part (specification section 5).
import { afterEach, expect, test, vi } from 'vitest';
import { askKey, createKey } from './hardware-key.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});
const creation = { publicKey: {} } as unknown as Parameters<typeof createKey>[0];
const challenge = { webauthn_challenge: { publicKey: {} } } as unknown as Parameters<typeof askKey>[0];

/** A browser whose keys answer like this. */
function browserWith(answer: () => Promise<unknown>): void {
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => undefined, {
      parseCreationOptionsFromJSON: (given: unknown) => given,
      parseRequestOptionsFromJSON: (given: unknown) => given,
    }),
  );
  vi.stubGlobal('navigator', { credentials: { create: answer, get: answer } });
}

// Rule 5: what a browser without WebAuthn, and a key that answers nothing, are told
test('a browser without WebAuthn is said to lack it, and which have it', async () => {
  const words =
    'this browser does not support Webauthn required for hardware tokens, please try the latest version of Chrome, Firefox or Safari';
  await expect(createKey(creation)).rejects.toThrow(words);
  await expect(askKey(challenge)).rejects.toThrow(words);
});

// Rule 5: a key that answers nothing while it is made, and while it is asked, are told apart
test.each([
  ['no credential', async () => null],
  ['an error of its own', async () => Promise.reject(new DOMException('x', 'UnknownError'))],
])('a key that gives %s is asked for again in the words for creating and for obtaining', async (_what, answer) => {
  browserWith(answer);
  await expect(createKey(creation)).rejects.toThrow('error creating credential, please try again');
  await expect(askKey(challenge)).rejects.toThrow('error obtaining credential from the hardware key, please try again');
});

test('where there is no challenge for a key, none is obtained', async () => {
  browserWith(async () => null);
  await expect(askKey({ ...challenge, webauthn_challenge: null })).rejects.toThrow(
    'error obtaining credential from the hardware key, please try again',
  );
});
