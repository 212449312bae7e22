// Keys and certificates for another user, as whoever asks has them on their own machine.
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import { createLocalConnector } from '../../gateway/services/protocols/local/connector.ts';
import { roleResource } from '../../gateway/services/rights/source.ts';

// Real processes: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const login = userInfo().username;
const local = createLocalConnector();
let rig: CommandLineRig;
beforeAll(async () => {
  rig = await openCommandLine({ sshClients: { local, ssh: local } });
  await rig.gateway.addServer('db-3');
  await rig.gateway.store.resources.create(
    roleResource(
      'kind: role\nversion: v7\nmetadata: {name: acts}\nspec: {allow: {impersonate: {users: [robot], roles: [access]}}}\n',
    ),
  );
  await rig.gateway.addUser('ann', ['acts', 'auditor']);
  await rig.gateway.addUser('robot', ['access'], [login]);
  await rig.signIn('ann');
});
afterAll(() => rig?.dispose());

const folder = (): string => join(rig.folder, 'robot');

test('one line makes a folder that ssh and every verb work from as the other, and the caller stays who they are', async () => {
  const made = await rig.spawn(['certificates', 'sign', '--user', 'robot', '--ttl', '10m', '--out', folder()]);
  expect([made.error, made.status]).toEqual(['', 0]);
  expect(made.out).toContain('You act as robot until');
  for (const file of ['session.json', 'ssh/id_ed25519', 'ssh/config'])
    expect([file, (await stat(join(folder(), file))).mode & 0o777]).toEqual([file, 0o600]);
  const run = promisify(execFile)(
    'ssh',
    ['-F', join(folder(), 'ssh/config'), '-o', 'BatchMode=yes', `${login}@db-3`, 'echo by $((6*7))'],
    { env: rig.program([]).env },
  );
  run.child.stdin?.end();
  expect((await run).stdout).toBe('by 42\n');
  const until = new Date(Date.now() + 3_600_000);
  // Written down a moment after the client has gone.
  const noted = async () => {
    const asked = { from: new Date(0), to: until, limit: 100, types: ['session.end', 'exec'], descending: true };
    return (await rig.gateway.store.events.search(asked)).events[0]?.raw;
  };
  await expect.poll(noted).toMatchObject({ user: 'robot', impersonator: 'ann' });
});

test('a folder of somebody else, and a user whom no role allows, are refused with words', async () => {
  const other = await rig.spawn(['certificates', 'sign', '--user', 'ann', '--out', folder()]);
  expect([other.status, other.error]).toEqual([1, expect.stringContaining('is of robot: give another')]);
  const nobody = await rig.spawn(['certificates', 'sign', '--user', 'nobody', '--out', join(rig.folder, 'x')]);
  expect([nobody.status, nobody.error]).toEqual([1, expect.stringContaining('no role lets you act as "nobody"')]);
});
