// The command line as one file: installed by the gateway's own script, and run by Node alone in an empty folder.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openCommandLine } from '../../e2e/rigs/command-line.ts';
import { openDatabases } from '../../e2e/rigs/databases.ts';
import { PASSWORD, type Rig } from '../gateway/app.testing.ts';
import { packageVersion } from '../node/version.ts';
import { isBefore } from './person/older.ts';

// Real processes: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let gateway: Rig;
let url: string;
let home: string;
const open: { dispose(): Promise<void> }[] = [];
beforeAll(async () => {
  const rig = await openCommandLine({ databases: true });
  gateway = rig.gateway;
  const { port } = rig.network;
  url = `http://localhost:${port}`;
  open.push(rig, await openDatabases(gateway));
  // The script names the public address, which leads to the rig here.
  Object.assign(gateway.services.config, { publicUrl: url });
  await build({
    configFile: resolve(import.meta.dirname, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: gateway.services.config.consoleFolder },
  });
  await gateway.addUser('ada', ['access', 'editor', 'shop'], ['root']);
  await gateway.addServer('db-1', {});
  home = await mkdtemp(join(tmpdir(), 'postern-alone-'));
});
afterAll(async () => {
  for (const one of open.reverse()) await one.dispose();
  await rm(home, { recursive: true, force: true });
});

const environment = (): Record<string, string> => ({ PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm' });
const installed = (): string => join(home, '.local', 'bin', 'postern');
/** Runs the file as Node runs any. Rejects where it fails. */
const postern = (...words: readonly string[]) =>
  promisify(execFile)(process.execPath, [installed(), ...words], { cwd: home, env: environment() });

test('two lines install it and sign in; it lists, runs a command, and opens a database with the native client', async () => {
  const script = await fetch(`${url}/scripts/postern.sh`);
  await promisify(execFile)('sh', ['-c', await script.text()], { env: environment() });
  expect(await readdir(join(home, '.local', 'bin'))).toEqual(['postern', 'postern.mjs']);
  await writeFile(join(home, 'password'), PASSWORD, { mode: 0o600 });
  await postern('sign-in', '--url', url, '--user', 'ada', '--password-file', join(home, 'password'));
  expect((await postern('servers', 'list')).stdout).toContain('db-1');
  const ran = postern('ssh', 'root@db-1', '--', 'uname', '-a');
  await vi.waitFor(() => expect(gateway.shells.map(({ command }) => command)).toEqual(['uname -a']), {
    timeout: 30_000,
  });
  gateway.shells[0]?.print('Linux\n');
  gateway.shells[0]?.exit(0);
  expect((await ran).stdout).toBe('Linux\n');
  const asked = await postern('db', 'connect', 'orders', '--', '-qAtXc', 'select current_user');
  expect(asked.stdout).toBe('app\n');
  await expect(postern('users', 'add', 'bob', '--roles', 'access')).rejects.toThrow(
    'for the own account of a gateway, on its machine',
  );
});

test('the checksum that the gateway tells is of the file that it serves, and the scripts hold it and no other', async () => {
  const text = async (name: string): Promise<string> => (await fetch(`${url}/scripts/${name}`)).text();
  const sum = await text('postern.mjs.sha256');
  expect(sum).toMatch(/^[0-9a-f]{64} {2}postern\.mjs\n$/);
  await writeFile(join(home, 'sums'), sum);
  await writeFile(join(home, 'postern.mjs'), await text('postern.mjs'));
  await promisify(execFile)('sha256sum', ['-c', 'sums'], { cwd: home });
  for (const name of ['postern.sh', 'postern.ps1']) expect(await text(name)).toContain(sum.slice(0, 64));
  // What comes otherwise than it was sent is not installed.
  const before = await readFile(installed(), 'utf8');
  const wrong = (await text('postern.sh')).replace(sum.slice(0, 64), '0'.repeat(64));
  await expect(promisify(execFile)('sh', ['-c', wrong], { env: environment() })).rejects.toThrow();
  expect(await readFile(installed(), 'utf8')).toBe(before);
});

test('an older one than its gateway says so once a day, on standard error', async () => {
  const compared = join(home, '.config', 'postern', 'session.json.compared');
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  const list = () => postern('clusters', 'list', '--output', 'json');
  Object.assign(gateway.services.config, { version: '999.0.0' });
  await utimes(compared, yesterday, yesterday);
  const { stdout, stderr } = await list();
  expect(stderr).toBe(
    `postern: this is version ${packageVersion()}, and the gateway's is 999.0.0. This brings it here: curl -fsSL ${url}/scripts/postern.sh | sh\n`,
  );
  expect(JSON.parse(stdout)).toHaveLength(1);
  expect((await list()).stderr).toBe('');
});

test.each([
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.1.1', true],
  ['0.9.0', '0.10.0', true],
  ['1.0.0', '0.10.0', false],
  ['0.2.0', '0.1.9', false],
])('%s before %s: %s', (one, other, expected) => expect(isBefore(one, other)).toBe(expected));
