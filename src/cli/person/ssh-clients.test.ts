// A person's own ssh with what `sign-in` and `config ssh` have written: through the console's port, and at the SSH port by certificate.
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import { createLocalConnector } from '../../gateway/services/protocols/local/connector.ts';

// Real processes: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const login = userInfo().username;
const local = createLocalConnector();
let rig: CommandLineRig;
let folder = '';
beforeAll(async () => {
  rig = await openCommandLine({ sshClients: { local, ssh: local } });
  await rig.gateway.addServer('db-3');
  await rig.gateway.addUser('ada', ['access'], [login]);
  await rig.signIn('ada');
  folder = join(rig.folder, 'config', 'postern', 'ssh');
});
afterAll(() => rig?.dispose());

const config = (): string => join(rig.folder, 'ssh_config');
/** Never rejects. */
async function ssh(
  ...words: string[]
): Promise<{ readonly out: string; readonly error: string; readonly status: unknown }> {
  const { env } = rig.program([]);
  const run = promisify(execFile)('ssh', ['-F', config(), '-o', 'BatchMode=yes', ...words], { env });
  run.child.stdin?.end();
  return run.then(
    ({ stdout, stderr }) => ({ out: stdout, error: stderr, status: 0 }),
    ({ stdout, stderr, code }) => ({ out: String(stdout), error: String(stderr), status: code }),
  );
}

test('ssh reaches a server by its name and by that of the cluster, and at the port by certificate', async () => {
  for (const file of ['id_ed25519', 'id_ed25519-cert.pub'])
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  expect((await rig.spawn(['config', 'ssh', '--file', config()])).out).toContain('ssh root@db-3');
  expect(await readFile(join(folder, 'config'), 'utf8')).toContain('proxy ssh %r@%h');
  const once = await readFile(config(), 'utf8');
  await rig.spawn(['config', 'ssh', '--file', config()]);
  expect(await readFile(config(), 'utf8')).toBe(once);
  for (const host of [`${login}@db-3`, `${login}@db-3.here`, `ada:${login}@db-3@postern.here`])
    expect(await ssh(host, 'echo reached; exit 5'), host).toMatchObject({ out: 'reached\n', status: 5 });
});

test('what cannot be reached is said in words', async () => {
  expect((await ssh(`${login}@nowhere.here`, 'true')).error).toContain('server not found');
  expect((await ssh('daemon@db-3', 'true')).error).toContain('You may not log in to db-3 as daemon.');
  expect((await ssh('postern.here', '-l', `bob:${login}@db-3`, 'true')).error).toContain('Permission denied');
});

test('nothing is left to come in with once the person has signed out', async () => {
  const { certificate, key } = { certificate: join(folder, 'id_ed25519-cert.pub'), key: join(folder, 'id_ed25519') };
  const kept = join(rig.folder, 'kept');
  await promisify(execFile)('sh', ['-c', `cp "${key}" "${kept}" && cp "${certificate}" "${kept}-cert.pub"`]);
  const shown = ['-o', `IdentityFile=${kept}`, '-o', `CertificateFile=${kept}-cert.pub`];
  const at = `ada:${login}@db-3@postern.here`;
  expect(await ssh(...shown, at, 'echo reached')).toMatchObject({ out: 'reached\n' });
  const cut = await readFile(join(folder, 'config'), 'utf8');
  expect(await rig.run(['sign-out'])).toContain('Signed out');
  await expect(stat(join(folder, 'id_ed25519'))).rejects.toThrow();
  expect(cut).toContain('Host postern.here');
  // Both blocks choose the cipher that the gateway is fastest with.
  expect(cut.match(/^ {2}Ciphers aes128-gcm@openssh.com,/gm)).toHaveLength(2);
  const port = /^ {2}Port (\d+)$/m.exec(cut)?.[1] ?? '';
  const bare = ['-F', '/dev/null', '-p', port, '-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'];
  expect(
    (await ssh(...bare, '-o', 'IdentitiesOnly=yes', ...shown, `ada:${login}@db-3@127.0.0.1`, 'true')).error,
  ).toContain('Permission denied');
});
