import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Settings } from '../../store/store.ts';
import { createSecretBox, openSecretBox } from './secret-box.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-secret-box-'));
afterAll(() => rmSync(folder, { recursive: true }));

let kept: Map<string, unknown>;
const settings: Omit<Settings, 'replace' | 'remove'> = {
  get: async key => kept.get(key) ?? null,
  put: async (key, value) => void kept.set(key, value),
  putIfAbsent: async (key, value) => {
    if (!kept.has(key)) kept.set(key, value);
    return kept.get(key);
  },
};
let count = 0;
const newFile = (): string => join(folder, `${++count}.key`);
beforeEach(() => {
  kept = new Map();
});

test('a secret opens where it was sealed for, and nowhere else', async () => {
  const box = createSecretBox(randomBytes(32), settings);
  const sealed = await box.seal('JBSWY3DP é', 'mfa_device:1');
  expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]+$/);
  expect(box.open(sealed, 'mfa_device:1')).toBe('JBSWY3DP é');
  expect(() => box.open(sealed, 'mfa_device:2')).toThrow();
  expect(await box.seal('JBSWY3DP é', 'mfa_device:1')).not.toBe(sealed);
});

test.each([
  ['nothing', () => ''],
  ['another version', (sealed: string) => sealed.replace('v1', 'v2')],
  ['a changed byte', (sealed: string) => `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`],
  ['a cut tag', (sealed: string) => sealed.slice(0, 25)],
])('%s does not open', async (_what, change) => {
  const box = createSecretBox(randomBytes(32), settings);
  const sealed = await box.seal('secret', 'here');
  expect(() => box.open(change(sealed), 'here')).toThrow();
});

test('the key is made once, for its owner only, and read again', async () => {
  const file = newFile();
  const sealed = await (await openSecretBox({ file }, settings)).seal('secret', 'here');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await openSecretBox({ file }, settings)).open(sealed, 'here')).toBe('secret');
});

test('a key that the store does not know is refused once there are secrets, and a missing one is not made anew', async () => {
  const first = newFile();
  const other = newFile();
  const stranger = await openSecretBox({ file: other }, settings);
  await (await openSecretBox({ file: first }, settings)).seal('secret', 'here');
  await expect(openSecretBox({ file: other }, settings)).rejects.toThrow(
    /gateways that share a store need the same file/,
  );
  await expect(stranger.seal('secret', 'here')).rejects.toThrow(/another key/);
  await expect(openSecretBox({ file: newFile() }, settings)).rejects.toThrow(/is missing/);
});

test('a file that holds no key is named', async () => {
  const file = newFile();
  writeFileSync(file, 'short\n');
  await expect(openSecretBox({ file }, settings)).rejects.toThrow(`${file} must hold 32 bytes as base64`);
  await expect(openSecretBox({ file: join(folder, 'none', 'a.key') }, settings)).rejects.toThrow(/cannot be made/);
});

test('a command may give the key; what is wrong with it is told without what it printed', async () => {
  const key = randomBytes(32).toString('base64');
  const sealed = await (await openSecretBox({ command: `echo ${key}` }, settings)).seal('secret', 'here');
  expect((await openSecretBox({ command: `printf %s ${key}` }, settings)).open(sealed, 'here')).toBe('secret');
  const refusals: readonly (readonly [string, RegExp])[] = [
    [`echo ${randomBytes(32).toString('base64')}`, /^key-command: it does not print the key that the secrets/],
    ['echo c2hvcnQ=', /^key-command: it must print 32 bytes as base64$/],
    ['echo c2hvcnQ=; echo "no such key" >&2; exit 3', /^key-command: no such key$/],
    ['yes', /^key-command: it failed and gave no reason$/],
  ];
  for (const [command, why] of refusals) {
    const refused = await openSecretBox({ command }, settings).catch((error: Error) => error.message);
    expect(refused).toMatch(why);
    expect(refused).not.toContain('c2hvcnQ');
  }
});
