import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from '../../../../contract/failure.ts';
import { algorithmsFor, fingerprintOf, hostKeyOf, parsePublicKey } from './host-key.ts';

/** A key as ssh-keygen makes it: its line with a comment, and its fingerprint. */
function generate(type: string, bits: number) {
  const folder = mkdtempSync(join(tmpdir(), 'postern-host-key-'));
  try {
    const file = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', type, '-b', String(bits), '-N', '', '-C', 'root@db-3', '-f', file]);
    const fingerprint = execFileSync('ssh-keygen', ['-l', '-f', file], { encoding: 'utf8' }).split(' ')[1];
    return { line: readFileSync(`${file}.pub`, 'utf8'), fingerprint };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const ed25519 = generate('ed25519', 256);

test.each([
  ['ed25519', 256, 'ssh-ed25519'],
  ['ecdsa', 256, 'ecdsa-sha2-nistp256'],
  ['ecdsa', 384, 'ecdsa-sha2-nistp384'],
  ['ecdsa', 521, 'ecdsa-sha2-nistp521'],
  ['rsa', 2048, 'ssh-rsa'],
  ['rsa', 3071, 'ssh-rsa'],
])('a key of ssh-keygen -t %s -b %s is read, and named as ssh-keygen names it', (type, bits, name) => {
  const { line, fingerprint } = generate(type, bits);
  const key = parsePublicKey(line);
  expect(key.type).toBe(name);
  expect(line).toBe(`${key.line} root@db-3\n`);
  expect(fingerprintOf(line)).toBe(fingerprint);
  expect(hostKeyOf(key.blob)).toEqual({ type: name, fingerprint, publicKey: key.line });
});

const [name = '', base64 = ''] = ed25519.line.split(' ');
const blob = Buffer.from(base64, 'base64');
const withByte = Buffer.concat([blob, Buffer.of(0)]).toString('base64');
test.each([
  ['nothing', '', 'wanted'],
  ['a type alone', 'ssh-ed25519', 'wanted'],
  ['a key that is cut', `${name} ${base64.slice(0, 40)}`, 'is not one of'],
  ['a key with a byte too many', `${name} ${withByte}`, 'is not one of'],
  ['another type before the key', `ssh-rsa ${base64}`, 'the key in it is ssh-ed25519'],
  ['two lines', `${ed25519.line}${ed25519.line}`, 'one line'],
  ['options before the type', `cert-authority ${ed25519.line}`, 'wanted'],
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n', 'one line'],
  ['an RSA key of 1024 bits', generate('rsa', 1024).line, 'has 1024 bits; at least 2048'],
  ['a line without end', `${name} ${'A'.repeat(20_000)}`, 'longer than'],
])('%s is refused with what is wrong', (_what, line, problem) => {
  expect(() => parsePublicKey(line)).toThrow(
    expect.objectContaining({ name: 'Failure', code: 'bad_request', message: expect.stringContaining(problem) }),
  );
});

test('whatever is given, the answer is a key or a refusal', () => {
  const almost = fc
    .tuple(fc.constantFrom('ssh-ed25519', 'ssh-rsa', 'ecdsa-sha2-nistp256'), fc.uint8Array({ maxLength: 80 }))
    .map(([type, tail]) => {
      const head = Buffer.alloc(4 + type.length);
      head.writeUInt32BE(type.length);
      head.write(type, 4);
      return `${type} ${Buffer.concat([head, tail]).toString('base64')}`;
    });
  fc.assert(
    fc.property(fc.oneof(fc.string(), almost), line => {
      try {
        expect(parsePublicKey(line).line).toMatch(/^\S+ \S+$/);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }),
    { numRuns: 1000 },
  );
});

test('the kinds that are pinned are asked for first, and SHA-1 never', () => {
  const rsa = parsePublicKey(generate('rsa', 2048).line);
  const ecdsa = parsePublicKey(generate('ecdsa', 256).line);
  expect(algorithmsFor([rsa, ecdsa]).slice(0, 3)).toEqual(['ecdsa-sha2-nistp256', 'rsa-sha2-512', 'rsa-sha2-256']);
  expect(algorithmsFor([])[0]).toBe('ssh-ed25519');
  expect(algorithmsFor([])).not.toContain('ssh-rsa');
});
