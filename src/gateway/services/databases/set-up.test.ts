import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../ports/audit.ts';
import { type CertificateParts, createCertificates } from '../certificates/certificates.ts';
import { createDatabasePasswords } from './passwords.ts';
import { createDatabaseSetUp } from './set-up.ts';

const HOUR_MS = 3_600_000;
const kept = new Map<string, unknown>();
const parts: Omit<CertificateParts, 'clusterName'> = {
  settings: {
    get: async key => kept.get(key) ?? null,
    putIfAbsent: async (key, value) => {
      if (!kept.has(key)) kept.set(key, value);
      return kept.get(key);
    },
  },
  secrets: {
    seal: async (secret, place) => `${place}|${secret}`,
    open: (sealed, place) => sealed.slice(place.length + 1),
  },
};
const certificates = createCertificates({ ...parts, clusterName: 'here' });
const passwords = createDatabasePasswords(parts);
const log: AuditEntry[] = [];
const setUp = createDatabaseSetUp({
  certificates,
  passwords,
  audit: { emit: async entry => void log.push(entry) },
  clock: () => new Date(),
});

test('a database gets a key, a certificate with its names, and whom to believe, as tar unpacks it', async () => {
  const archive = await setUp.sign(['db.internal', '10.0.0.7'], 24 * HOUR_MS, { user: 'ann', rights: null });
  const folder = mkdtempSync(join(tmpdir(), 'postern-sign-'));
  execFileSync('tar', ['xzf', '-', '-C', folder], { input: archive });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const certificate = new X509Certificate(read('server.crt'));
  const { clients, servers } = await setUp.authorities();
  expect(certificate.checkHost('db.internal')).toBe('db.internal');
  expect(certificate.checkIP('10.0.0.7')).toBe('10.0.0.7');
  expect(certificate.verify(new X509Certificate(servers).publicKey)).toBe(true);
  expect(certificate.verify(new X509Certificate(clients).publicKey)).toBe(false);
  expect(read('server.cas')).toBe(clients);
  expect(
    execFileSync('openssl', ['pkey', '-in', join(folder, 'server.key'), '-pubout'])
      .toString()
      .trim(),
  ).toBe(certificate.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim());
  rmSync(folder, { recursive: true });
  expect(log).toMatchObject([{ code: 'TC000I', cert_type: 'database server', user: 'ann' }]);
  expect(JSON.stringify(log)).not.toContain('PRIVATE');
});

test('a time that is none is refused', async () => {
  for (const ttlMs of [0, 60_000, 20 * 365 * 24 * HOUR_MS])
    await expect(setUp.sign(['db'], ttlMs, { user: 'ann', rights: null })).rejects.toMatchObject({
      code: 'bad_request',
    });
});

test('an authority stays the same over starts, and its key is sealed', async () => {
  const first = await certificates.authority('people');
  const { key } = kept.get('certificates.people') as { key: string };
  expect(key.startsWith('certificates.people|')).toBe(true);
  expect(await certificates.authority('people')).toBe(first);
  await expect(
    certificates.issue('people', { name: 'ann', ends: new Date(), for: 'client', publicKey: 'no key' }),
  ).rejects.toMatchObject({ code: 'bad_request' });
});

test('a Redis gets its users with hashes of passwords that are good there alone', async () => {
  const archive = gunzipSync(
    await setUp.sign(['cache.internal'], 24 * HOUR_MS, { user: 'ann', rights: null }, ['app']),
  );
  const password = await passwords.of('cache.internal', 'app');
  const hash = createHash('sha256').update(password).digest('hex');
  expect(archive.toString('latin1')).toContain(
    `user default off\nuser app on #${hash} ~* &* +@all -@dangerous +info\n`,
  );
  expect(archive.toString('latin1')).not.toContain(password);
  expect(await createDatabasePasswords(parts).of('cache.internal', 'app')).toBe(password);
  for (const [server, user] of [
    ['other.internal', 'app'],
    ['cache.internal', 'boss'],
  ] as const)
    expect(await passwords.of(server, user)).not.toBe(password);
});
