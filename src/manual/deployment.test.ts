// What the chapter on deployment says outside of the gateway holds: unit, proxy, and backups that are restored by its own words.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type GatewayRig, openGateway } from '../../e2e/rigs/gateway.ts';
import { openPostgres } from '../../e2e/rigs/postgres.ts';

// Real processes: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const root = resolve(import.meta.dirname, '../..');
const chapter = readFileSync(join(import.meta.dirname, 'deployment.md'), 'utf8');
const blocks = [...chapter.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
/** The only block with these words. Throws when there is none. */
function block(words: string): string {
  const found = blocks.filter(text => text.includes(words));
  expect(found, words).toHaveLength(1);
  return found[0] ?? '';
}
/** The only line that begins so. */
function line(start: string): string {
  const found = blocks.flatMap(text => text.split('\n')).filter(text => text.startsWith(start));
  expect(found, start).toHaveLength(1);
  return found[0] ?? '';
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-deployment-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const sh = (command: string): string => execFileSync('sh', ['-ec', command], { cwd: folder, encoding: 'utf8' });

test('the unit is one that systemd takes, and starts a line that the gateway knows', () => {
  const unit = block('[Unit]').replaceAll('/opt/postern', root);
  expect([...unit.matchAll(/^\[(\w+)\]$/gm)].map(([, name]) => name)).toEqual(['Unit', 'Service', 'Install']);
  const start = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';
  expect(spawnSync('sh', ['-c', `${start} --help`], { cwd: root }).status).toBe(0);
  const file = join(folder, 'postern.service');
  writeFileSync(file, unit);
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  if (verified.error === undefined) expect(verified.stderr.split('\n').filter(said => said.includes(file))).toEqual([]);
});

test('the proxy passes what the gateway reads', () => {
  const location = block('proxy_pass');
  expect(location).toMatch(/^location \/ \{\n(?: {2}[a-z_]+(?: [^\s;{}]+)+;\n)+\}\n$/);
  const headers = [...location.matchAll(/^ {2}proxy_set_header (\S+) (.+);$/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  expect(Object.fromEntries(headers)).toEqual({
    Host: '$host',
    'X-Forwarded-For': '$proxy_add_x_forwarded_for',
    'X-Forwarded-Proto': '$scheme',
    Upgrade: '$http_upgrade',
    Connection: '"upgrade"',
  });
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `pid ${folder}/pid; events {} http { access_log off; server { listen 127.0.0.1:1; ${location} } }`,
  );
  const tried = spawnSync('nginx', ['-t', '-c', file, '-e', join(folder, 'log')], { encoding: 'utf8' });
  if (tried.error === undefined) expect(tried.status, tried.stderr).toBe(0);
});

test('every flag of a start is one of the gateway', () => {
  const known = spawnSync(process.execPath, ['src/gateway/start.mjs', '--help'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout;
  const flags = blocks
    .flatMap(text => [...text.matchAll(/^npm start -- (.*)$/gm)])
    .flatMap(([, text = '']) => text.match(/--[\w-]+/g) ?? []);
  expect(flags.filter(flag => !known.includes(`  ${flag}`))).toEqual([]);
});

/** Starts on what was restored; its users and its whole log must be there. */
async function isWhole(copyOf: string, flags: readonly string[] = []): Promise<void> {
  const restored = await openGateway({ copyOf, flags });
  try {
    expect(await restored.command('resources', 'get', 'user/dave')).toContain('logins');
    expect(await restored.command('audit', 'verify')).toContain('whole');
    expect(restored.output()).toContain('is ready');
  } finally {
    await restored.dispose();
  }
}
const addDave = (gateway: GatewayRig) =>
  gateway.command('users', 'add', 'dave', '--roles', 'access', '--logins', 'dave');

test('a data folder is restored from the archive, and from a copy taken while the gateway ran', async () => {
  const gateway = await openGateway();
  try {
    await addDave(gateway);
    sh(line('sqlite3').replace('/var/lib/postern', gateway.folder));
    await gateway.kill('SIGTERM');
    const name = basename(gateway.folder);
    sh(
      line('tar -C /var/lib -czf')
        .replace('/var/lib', dirname(gateway.folder))
        .replace(/postern$/, name),
    );
    sh(line('tar -C /var/lib -xzpf').replace('/var/lib', folder));
    await isWhole(join(folder, name));
    const other = join(folder, 'copied');
    cpSync(join(folder, name), other, { recursive: true });
    for (const end of ['', '-wal', '-shm']) rmSync(join(other, `postern.db${end}`), { force: true });
    renameSync(join(folder, 'copy.db'), join(other, 'postern.db'));
    await isWhole(other);
  } finally {
    await gateway.dispose();
  }
});

test('a PostgreSQL database is made for an ordinary user, dumped and restored', async () => {
  const server = await openPostgres();
  const { hostname, port, username } = new URL(server.url);
  const as = (command: string): string =>
    command
      .replace(/^\w+/, `$& --host=${hostname} --port=${port} --username=${username}`)
      .replace('--owner=postern', '--owner=owner');
  const of = (name: string): string => server.url.replace(/postgres$/, name).replace(`${username}@`, 'owner:secret@');
  const here = (command: string, name: string): string => command.replace(/postgres:\/\/\S+/, of(name));
  const make = (name: string): string => as(line('createdb')).replace(/postern$/, name);
  try {
    // Without a terminal it reads the password, and the password again, from where it is piped.
    sh(`printf 'secret\\nsecret\\n' | setsid ${as(line('createuser')).replace(/postern$/, 'owner')} 2>&1`);
    sh(make('postern'));
    const gateway = await openGateway({ flags: ['--store', of('postern')] });
    try {
      await addDave(gateway);
      sh(here(line('pg_dump'), 'postern'));
      await gateway.kill('SIGTERM');
      sh(make('restored'));
      sh(here(line('pg_restore'), 'restored'));
      await isWhole(gateway.folder, ['--store', of('restored')]);
    } finally {
      await gateway.dispose();
    }
  } finally {
    await server.dispose();
  }
});
