import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Settings } from '../../../store/store.ts';
import { createAuthority, openAuthority } from './authority.ts';
import { KEY_ID_MOST_BYTES } from './certificate.ts';
import { parsePublicKey } from './host-key.ts';

/** Settings in memory, with the promise of the real ones: the first value stays. */
function createSettings(): Omit<Settings, 'replace' | 'remove'> & { readonly kept: Map<string, unknown> } {
  const kept = new Map<string, unknown>();
  return {
    kept,
    get: async key => kept.get(key) ?? null,
    put: async (key, value) => void kept.set(key, value),
    putIfAbsent: async (key, value) => {
      if (!kept.has(key)) kept.set(key, value);
      return kept.get(key);
    },
  };
}
const request = { user: 'alice', sid: 'b1f5', login: 'root', ttlMs: 60_000 };

/** The key id stands in a certificate as readable text. */
const saysIn = (certificate: Buffer) => /user=[\s\S]*? session=[0-9a-zA-Z?-]*/.exec(certificate.toString('utf8'))?.[0];

test('the key is made once, kept, and the same for gateways that start together', async () => {
  const settings = createSettings();
  const [one, two] = await Promise.all([openAuthority(settings, 'main'), openAuthority(settings, 'main')]);
  const later = await openAuthority(settings, 'main');
  expect(one.trustedUserCaLine()).toMatch(/^ssh-ed25519 [A-Za-z0-9+/]{68} postern-main$/);
  expect([two.trustedUserCaLine(), later.trustedUserCaLine()]).toEqual([
    one.trustedUserCaLine(),
    one.trustedUserCaLine(),
  ]);
  expect([...settings.kept.keys()]).toEqual(['ssh.user_ca']);
  expect(parsePublicKey(one.trustedUserCaLine()).type).toBe('ssh-ed25519');
});

test.each([
  'not a key',
  17,
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
])('a stored value that is no Ed25519 key stops the start without being shown', async value => {
  const settings = createSettings();
  settings.kept.set('ssh.user_ca', value);
  await expect(openAuthority(settings)).rejects.toThrow(
    /^setting ssh\.user_ca of the store is not an Ed25519 private key \(PKCS#8 PEM\)$/,
  );
});

test('every session gets a key of its own', () => {
  const authority = createAuthority(generateKeyPairSync('ed25519').privateKey, 'main');
  const [one, two] = [authority.issue(request), authority.issue(request)];
  expect(one.privateKey.equals(two.privateKey)).toBe(false);
  expect(one.privateKey.equals(createPrivateKey(one.privateKey.export({ type: 'pkcs8', format: 'pem' })))).toBe(true);
  expect(saysIn(one.certificate)).toBe('user=alice session=b1f5');
});

test('a certificate lives as long as asked, and five minutes at most', () => {
  const authority = createAuthority(generateKeyPairSync('ed25519').privateKey, 'main');
  const life = (ttlMs: number): number => {
    const { certificate } = authority.issue({ ...request, ttlMs });
    // The two times follow the principal, "root".
    const at = certificate.lastIndexOf('root') + 4;
    return Number(certificate.readBigUInt64BE(at + 8) - certificate.readBigUInt64BE(at));
  };
  expect(life(30_000)).toBeGreaterThanOrEqual(90);
  expect(life(30_000)).toBeLessThanOrEqual(92);
  expect(life(30 * 3_600_000)).toBeLessThanOrEqual(362);
  expect(() => authority.issue({ ...request, ttlMs: 0 })).toThrow('no time left');
  expect(() => authority.issue({ ...request, ttlMs: Number.NaN })).toThrow('no time left');
});

test('a user name can neither forge a line of the log of a host nor outgrow a key id', () => {
  const authority = createAuthority(generateKeyPairSync('ed25519').privateKey, 'main');
  const forged = authority.issue({ ...request, user: 'eve\nAccepted publickey for root\u2028' });
  expect(saysIn(forged.certificate)).toBe('user=eve?Accepted publickey for root? session=b1f5');
  const long = saysIn(authority.issue({ ...request, user: '漢'.repeat(2000) }).certificate) ?? '';
  expect(long).toMatch(/漢 session=b1f5$/);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(KEY_ID_MOST_BYTES);
});
