// Certificates as OpenSSH's own tools read them.
import { execFileSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ED25519_CERTIFICATE, issueUserCertificate, KEY_ID_MOST_BYTES, publicBlob } from './certificate.ts';
import { fingerprintOfBlob } from './host-key.ts';

const ca = generateKeyPairSync('ed25519');
const subject = generateKeyPairSync('ed25519');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-certificate-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const request = {
  ca: ca.privateKey,
  subjectPublicKey: subject.publicKey,
  keyId: 'user=alice session=b1f5',
  principal: 'root',
  validAfter: new Date('2030-01-01T00:00:00.400Z'),
  validBefore: new Date('2030-01-01T00:05:00.400Z'),
  extensions: ['permit-pty'],
  serial: 18_446_744_073_709_551_615n,
};

/** What `ssh-keygen -L` prints of a certificate. */
function read(certificate: Buffer): string {
  const file = join(folder, 'id-cert.pub');
  writeFileSync(file, `${ED25519_CERTIFICATE} ${certificate.toString('base64')}\n`);
  return execFileSync('ssh-keygen', ['-L', '-f', file], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, TZ: 'UTC' },
  });
}

test('ssh-keygen reads back all that was asked for, and finds the signature good', () => {
  const lines = read(issueUserCertificate({ ...request, extensions: ['permit-user-rc', 'permit-pty', 'permit-pty'] }))
    .split('\n')
    .slice(1)
    .map(line => line.trim());
  expect(lines.filter(Boolean)).toEqual([
    `Type: ${ED25519_CERTIFICATE} user certificate`,
    `Public key: ED25519-CERT ${fingerprintOfBlob(publicBlob(subject.publicKey))}`,
    `Signing CA: ED25519 ${fingerprintOfBlob(publicBlob(ca.publicKey))} (using ssh-ed25519)`,
    'Key ID: "user=alice session=b1f5"',
    'Serial: 18446744073709551615',
    'Valid: from 2030-01-01T00:00:00 to 2030-01-01T00:05:01',
    'Principals:',
    'root',
    'Critical Options: (none)',
    'Extensions:',
    'permit-pty',
    'permit-user-rc',
  ]);
});

test('extensions with values stand among the others by their names', () => {
  const valuedExtensions = { 'login@github.com': 'ann', 'a@example.com': '' };
  const printed = read(issueUserCertificate({ ...request, valuedExtensions }));
  expect(
    printed
      .split('Extensions:')[1]
      ?.split('\n')
      .map(line => line.trim())
      .filter(Boolean),
  ).toEqual([
    'a@example.com UNKNOWN FLAG OPTION',
    expect.stringMatching(/^login@github\.com UNKNOWN OPTION: 00000003616e6e/),
    'permit-pty',
  ]);
});

test('without extensions nothing is allowed', () => {
  expect(read(issueUserCertificate({ ...request, extensions: [] }))).toContain('Extensions: (none)');
});

test('ssh-keygen refuses a certificate in which one byte was changed', () => {
  const certificate = issueUserCertificate(request);
  const at = certificate.indexOf('root');
  certificate.write('toor', at);
  expect(() => read(certificate)).toThrow();
});

test('nonce and serial differ from certificate to certificate', () => {
  const { serial: _serial, ...unnumbered } = request;
  const seen = Array.from({ length: 20 }, () => issueUserCertificate(unnumbered).toString('base64'));
  expect(new Set(seen).size).toBe(20);
});

test('names of any script and length are framed by their bytes', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 });
  fc.assert(
    fc.property(text, text, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (keyId, principal, serial) => {
      fc.pre(Buffer.byteLength(keyId) <= KEY_ID_MOST_BYTES);
      const certificate = issueUserCertificate({ ...request, keyId, principal, serial });
      const fields = reader(certificate);
      expect(fields.text()).toBe(ED25519_CERTIFICATE);
      expect(fields.bytes()).toHaveLength(32);
      expect(fields.bytes()).toHaveLength(32);
      expect(fields.skip(8).readBigUInt64BE()).toBe(serial);
      expect(fields.skip(4).readUInt32BE()).toBe(1);
      expect(fields.text()).toBe(keyId);
      expect(reader(fields.bytes()).text()).toBe(principal);
      fields.skip(16);
      fields.bytes();
      fields.bytes();
      expect(fields.bytes()).toHaveLength(0);
      expect(fields.bytes().equals(publicBlob(ca.publicKey))).toBe(true);
      const signed = certificate.subarray(0, fields.at());
      const signature = reader(fields.bytes());
      expect(signature.text()).toBe('ssh-ed25519');
      expect(verify(null, signed, createPublicKey(ca.privateKey), signature.bytes())).toBe(true);
      expect(fields.at()).toBe(certificate.length);
    }),
    { numRuns: 200 },
  );
});

function reader(bytes: Buffer) {
  let at = 0;
  const skip = (count: number): Buffer => {
    at += count;
    return bytes.subarray(at - count, at);
  };
  const field = (): Buffer => skip(skip(4).readUInt32BE());
  return { skip, bytes: field, text: () => field().toString('utf8'), at: () => at };
}

test.each([
  ['no login, which would mean any login', { principal: '' }, 'login name'],
  ['a key id that is too long', { keyId: 'ž'.repeat(KEY_ID_MOST_BYTES) }, '1024 bytes'],
  ['an end before its beginning', { validBefore: new Date('2029-01-01') }, 'end after it begins'],
  ['no real time', { validBefore: new Date(Number.NaN) }, 'after 1970'],
  ['a key of another kind', { subjectPublicKey: generateKeyPairSync('x25519').publicKey }, 'Ed25519'],
])('a certificate with %s is not issued', (_name, change, message) => {
  expect(() => issueUserCertificate({ ...request, ...change })).toThrow(message);
});
