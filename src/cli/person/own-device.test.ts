// A command line as a trusted device, against a gateway on a port: enrolled once, it proves itself at every sign-in.
import { chmod, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import type { TrustedDevice } from '../../contract/trusted-devices.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let rig: CommandLineRig;
beforeAll(async () => {
  rig = await openCommandLine();
  await rig.gateway.addUser('ada', ['access', 'editor'], ['root']);
  await rig.gateway.addUser('bob', ['access'], ['root']);
});
afterAll(() => rig.dispose());

const signIn = (user: string) =>
  rig.run(['sign-in', '--url', rig.url, '--user', user, '--password-file', rig.passwordFile]);
const keyFile = () => join(dirname(rig.file), 'device-keys.json');
const listed = async () =>
  JSON.parse(await rig.run(['trusted-devices', 'list', '--output', 'json'])) as TrustedDevice[];

test('a device is registered, enrolled, proven at each sign-in and forgotten from a shell', async () => {
  await rig.signIn('ada');
  const handed = await rig.run(['device', 'add', 'linux', 'BUILD-7']);
  const token = /^[0-9a-f-]{36}\.\S+$/m.exec(handed)?.[0] ?? '';
  expect(await listed()).toMatchObject([{ asset_tag: 'BUILD-7', enroll_status: 'not_enrolled' }]);

  expect(await signIn('bob')).not.toContain('trusted device');
  expect(await rig.run(['device', 'enroll', token])).toBe('This is the trusted device BUILD-7 now');
  expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
  await expect(rig.run(['device', 'enroll', token])).rejects.toThrow('this enrol token is not known here');
  expect(await signIn('bob')).toContain('This is a trusted device.');
  // Another person of the same machine has a key of their own, or none.
  expect(await signIn('ada')).not.toContain('trusted device');
  expect(await listed()).toMatchObject([{ owner: 'bob', key_in: 'command line', enroll_status: 'enrolled' }]);
  await rig.run(['lock', 'device', 'BUILD-7', '1h', 'left in a taxi']);
  expect(await signIn('bob')).toMatch(/This was a trusted device, and is not accepted as one now: .*left in a taxi/);
  await signIn('ada');
  await rig.run(['unlock', 'device:BUILD-7']);

  await signIn('bob');
  await chmod(keyFile(), 0o644);
  await expect(signIn('bob')).rejects.toThrow('may be read by others');
  await chmod(keyFile(), 0o600);
  expect(await signIn('bob')).toContain('This is a trusted device.');
  expect(await rig.run(['device', 'forget', '--yes'])).toBe('BUILD-7 is not enrolled any more');
  expect(JSON.parse(await readFile(keyFile(), 'utf8'))).toEqual([]);
  expect(await signIn('bob')).not.toContain('trusted device');
});
