// A bot as its machine has it: joined with one line, a folder that ssh, databases and every verb work with, renewed while it runs.
import { execFile, spawn } from 'node:child_process';
import { chmod, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import { createLocalConnector } from '../../gateway/services/protocols/local/connector.ts';
import { idTokenFor } from './id-token.ts';

// Real processes: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const login = userInfo().username;
const local = createLocalConnector();
let rig: CommandLineRig;
let line: readonly string[] = [];
beforeAll(async () => {
  rig = await openCommandLine({ databases: true, sshClients: { local, ssh: local }, inactiveTimeoutMs: 6000 });
  await rig.gateway.addServer('db-3');
  await rig.gateway.addUser('ann', ['editor', 'access', 'auditor'], [login]);
});
// People here are signed out soon, so that bots renew soon.
beforeEach(() => rig.signIn('ann'));
afterAll(() => rig?.dispose());

const at = (...names: string[]): string => join(rig.folder, ...names);
const bot = (...words: string[]) => rig.spawn(['bot', 'start', ...words]);
const identity = async (folder: string): Promise<{ readonly generation: number }> =>
  JSON.parse(await readFile(at(folder, 'identity.json'), 'utf8')) as { generation: number };
/** Makes a bot and answers the words that its line ends with. */
async function added(name: string, roles = 'access'): Promise<readonly string[]> {
  const printed = await rig.run(['bot', 'add', name, '--roles', roles, '--logins', login]);
  const [, token = ''] = /--token (\S+)/.exec(printed) ?? [];
  expect(printed).toContain('postern bot start --gateway');
  return ['--gateway', rig.url, '--token', token];
}

test('one line joins; ssh and every verb work from the folder, which nobody else may read', async () => {
  line = await added('ci');
  const joined = await bot(...line, '--to', at('ci'), '--oneshot');
  expect([joined.status, joined.error]).toEqual([0, '']);
  expect(joined.out).toContain('as bot-ci');
  for (const file of ['identity.json', 'session.json', 'ssh/id_ed25519', 'ssh/config'])
    expect([file, (await stat(at('ci', file))).mode & 0o777]).toEqual([file, 0o600]);
  const { env } = rig.program([]);
  const run = promisify(execFile)(
    'ssh',
    ['-F', at('ci/ssh/config'), '-o', 'BatchMode=yes', `${login}@db-3`, 'echo by $((6*7))'],
    { env },
  );
  run.child.stdin?.end();
  expect((await run).stdout).toBe('by 42\n');
  const listed = await rig.spawn(['servers', 'list', '--session-file', at('ci/session.json')]);
  expect(listed.out).toContain('db-3');
  expect(await rig.run(['bot', 'list'])).toContain('1 machine');
  expect(await rig.run(['users', 'list'])).toMatch(/bot-ci .*Bot/);
  expect(await rig.run(['events', 'list', 'bot-ci'])).toContain('bot-ci');
});

test('with --db and --kube its folder has a certificate for the database and a context for the cluster, and a name that there is not is said', async () => {
  const things = [
    "kind: role\nversion: v7\nmetadata: {name: reach}\nspec: {allow: {db_labels: {'*': '*'}, db_users: [app], kubernetes_labels: {'*': '*'}, kubernetes_groups: [dev]}}",
    'kind: db\nversion: v3\nmetadata: {name: shop}\nspec: {protocol: postgres, uri: "db.example.com:5432"}',
    'kind: kube_cluster\nversion: v3\nmetadata: {name: prod}\nspec: {server: "https://kube.example.com", token: t}',
  ];
  const content = things.join('\n---\n');
  expect(await rig.gateway.declared.apply([{ name: 'things.yaml', content }], { by: 'ann' })).toMatchObject({
    problems: [],
  });
  const given = await added('things', 'access,reach');
  const joined = await bot(...given, '--to', at('things'), '--oneshot', '--db', 'shop', '--kube', 'prod');
  expect([joined.status, joined.error]).toEqual([0, '']);
  const pem = await Promise.all(
    (await readdir(at('things', 'databases', 'shop'))).map(file =>
      readFile(at('things', 'databases', 'shop', file), 'utf8'),
    ),
  );
  expect(pem.join()).toMatch(/BEGIN CERTIFICATE[\s\S]*PRIVATE KEY|PRIVATE KEY[\s\S]*BEGIN CERTIFICATE/);
  const config = await readFile(at('things', 'kubeconfig.yaml'), 'utf8');
  expect(config).toContain('prod');
  expect((await stat(at('things', 'kubeconfig.yaml'))).mode & 0o777).toBe(0o600);
  const lost = await bot('--to', at('things'), '--oneshot', '--db', 'nothing');
  expect([lost.status, lost.error]).toEqual([1, expect.stringContaining('nothing')]);
});

test('its token works once; started again it renews by what it was given, one generation further', async () => {
  const other = await bot(...line, '--to', at('other'), '--oneshot');
  expect([other.status, other.error]).toEqual([1, expect.stringContaining('used up')]);
  expect((await bot('--to', at('ci'), '--oneshot')).status).toBe(0);
  expect((await identity('ci')).generation).toBe(2);
  await chmod(at('ci/identity.json'), 0o644);
  expect((await bot('--to', at('ci'), '--oneshot')).error).toContain('may be read by others');
  await chmod(at('ci/identity.json'), 0o600);
});

test('while it runs it renews before what it has ends, and over a gateway that is gone for a while', async () => {
  const { file, args, env } = rig.program(['bot', 'start', ...(await added('long')), '--to', at('long')]);
  const child = spawn(file, args, { env, stdio: 'pipe' });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  await expect.poll(() => said, { timeout: 30_000 }).toContain('generation 2');
  child.kill('SIGTERM');
  const status = await new Promise(done => child.once('close', done));
  expect(status).toBe(0);
  expect((await identity('long')).generation).toBeGreaterThanOrEqual(2);
});

test('a copy of the folder is found out, and both ends are told', async () => {
  await bot(...(await added('copied')), '--to', at('copied'), '--oneshot');
  await cp(at('copied'), at('stolen'), { recursive: true });
  expect((await bot('--to', at('copied'), '--oneshot')).status).toBe(0);
  const thief = await bot('--to', at('stolen'), '--oneshot');
  expect([thief.status, thief.error]).toEqual([1, expect.stringContaining('old copy')]);
  const real = await bot('--to', at('copied'), '--oneshot');
  expect([real.status, real.error]).toEqual([1, expect.stringContaining('join again')]);
  expect(await rig.run(['locks', 'list'])).toContain('bot-copied');
});

test('what is missing is asked for in words', async () => {
  expect((await bot('--to', at('new'))).error).toContain('give --gateway URL');
  expect((await bot('--gateway', rig.url, '--to', at('new'))).error).toContain('give --token TOKEN');
  expect((await bot('--gateway', rig.url, '--token', 'deploy', '--to', at('new'))).error).toContain('has no secret');
  await rig.run(['bot', 'remove', 'ci', '--yes']);
  expect((await bot('--to', at('ci'), '--oneshot')).error).toContain('join again');
});

test('an ID token comes from a file, a variable, or GitHub, in this order, and is not looked for where there is a secret', async () => {
  const file = at('id-token');
  await writeFile(file, 'a.b.c\n');
  const audience = async () => 'here';
  expect(await idTokenFor('t.secret', file, audience, {})).toBeUndefined();
  expect(await idTokenFor('deploy', file, audience, { POSTERN_ID_TOKEN: 'd.e.f' })).toBe('a.b.c');
  expect(await idTokenFor('deploy', undefined, audience, { POSTERN_ID_TOKEN: 'd.e.f' })).toBe('d.e.f');
  await expect(idTokenFor('deploy', undefined, audience, {})).rejects.toThrow('id-token: write');
});
