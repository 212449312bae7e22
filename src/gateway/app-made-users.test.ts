// Database users of people's own, made for their sessions by a real PostgreSQL: what they hold, when they go, and what is left alone.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditTrail, logIn, openOrders, signedFiles } from '../../e2e/rigs/databases.ts';
import type { PostgresRig } from '../../e2e/rigs/postgres.ts';
import { openRig, type Rig } from './app.testing.ts';
import { addMakingRoles } from './app-made-users.testing.ts';
import { roleResource } from './services/rights/source.ts';

const run = promisify(execFile);
let rig: Rig;
let postgres: PostgresRig;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-made-'));
  rig = await openRig({ databases: true });
  postgres = await openOrders(await signedFiles(rig, '127.0.0.1'));
  await asOwner(
    'create role gatekeeper login createrole',
    'create role readers',
    'create role writers',
    'create role old login',
    'create role mighty superuser',
  );
  const document = `kind: db\nversion: v3\nmetadata: { name: orders, labels: { team: shop } }\nspec: { protocol: postgres, uri: "127.0.0.1:${postgres.port}", admin_user: { name: gatekeeper } }\n`;
  expect((await rig.declared.apply([{ name: 'db.yaml', content: document }], { by: 'root' })).problems).toEqual([]);
  await addMakingRoles(rig, [['ruling', 'mighty']]);
}, 60_000);
afterAll(async () => {
  await postgres?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function asOwner(...statements: readonly string[]): Promise<string> {
  const { stdout } = await run('psql', [postgres.url, '-qAtX', ...statements.flatMap(text => ['-c', text])]);
  return stdout.trim();
}
/** A connection string of somebody, as their own user unless said. */
async function lineOf(name: string, user = name): Promise<string> {
  const { port, certificate, authority, key } = await logIn(folder, await rig.signIn(name), 'orders');
  return `host=localhost hostaddr=127.0.0.1 port=${port} user=${user} dbname=orders sslmode=verify-full sslrootcert=${authority} sslcert=${certificate} sslkey=${key}`;
}
async function psql(line: string, ...statements: readonly string[]): Promise<string> {
  const args = ['-qAtX', '-d', line, ...statements.flatMap(text => ['-c', text])];
  const { stdout, stderr } = await run('psql', args).catch(error => error as { stdout: string; stderr: string });
  return `${stdout}${stderr}`.trim();
}
const HELD = (name: string) =>
  `select rolcanlogin, array(select g.rolname from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid order by 1) from pg_roles r where rolname = '${name}'`;

test('a person is a database user of their own, with the roles that theirs name, and that user may not log in once they are gone', async () => {
  await rig.addUser('ann', ['reading', 'writing']);
  const from = new Date();
  const line = await lineOf('ann');
  expect(await psql(line, 'select current_user', HELD('ann'))).toBe('ann\nt|{postern-made,readers,writers}');
  const [ready, start] = await auditTrail(rig, from);
  expect(ready).toMatchObject({ code: 'TDB08I', user: 'ann', username: 'ann', roles: ['readers', 'writers'] });
  expect(start).toMatchObject({ code: 'TDB00I', user: 'ann', db_user: 'ann', db_roles: ['readers', 'writers'] });
  await expect.poll(() => asOwner(HELD('ann')), { timeout: 15_000 }).toBe('f|{postern-made}');
  // What the person's roles do not name is taken away at the next session.
  await asOwner('grant writers to ann', 'create role stray', 'grant stray to ann');
  expect(await psql(line, HELD('ann'))).toBe('t|{postern-made,readers,writers}');
});

test('a user stays while another session of theirs goes on', async () => {
  await rig.addUser('joe', ['reading']);
  const line = await lineOf('joe');
  const printed = await psql(line, `\\! psql -qAtX -d "${line}" -c 'select 1'`, HELD('joe'));
  expect(printed).toBe('1\nt|{postern-made,readers}');
  await expect.poll(() => asOwner(HELD('joe')), { timeout: 15_000 }).toBe('f|{postern-made}');
});

test('users that were not made from here are left alone, and what cannot be made is refused with a sentence', async () => {
  for (const [name, roles, why] of [
    ['old', ['reading'], 'orders has a user of this name that was not made from here: it is left alone'],
    ['tom', ['wrong'], 'orders has no role "nobody-has-this" (db_roles)'],
  ] as const) {
    await rig.addUser(name, roles);
    expect(await psql(await lineOf(name), 'select 1')).toContain(why);
  }
  expect(await asOwner(HELD('old'))).toBe('t|{}');
  expect(await asOwner("select count(*) from pg_roles where rolname = 'tom'")).toBe('0');
  // A role that the administrator may not grant: whoever was to hold it cannot log in without it either.
  await rig.addUser('eva', ['reading', 'ruling']);
  expect(await psql(await lineOf('eva'), 'select 1')).toContain('orders was to make the user "eva" (create_db_user): ');
  expect(await asOwner(HELD('eva'))).toMatch(/^f\|/);
  // Nobody is made under the name of another, and one role that says no is enough.
  await rig.addUser('una', ['reading']);
  expect(await psql(await lineOf('una', 'ann'), 'select 1')).toContain('You may not use orders as database user "ann"');
  await rig.store.resources.create(
    roleResource('kind: role\nversion: v7\nmetadata: { name: denying }\nspec: { deny: { db_users: [leo] } }\n'),
  );
  await rig.addUser('leo', ['reading', 'denying']);
  await expect(lineOf('leo')).rejects.toThrow('no role gives you a database user on orders');
  await rig.addUser('max', ['reading', 'without']);
  await expect(lineOf('max')).rejects.toThrow('no role gives you a database user on orders');
});

test('an administrator of users is taken for no other kind of database', async () => {
  const document =
    'kind: db\nversion: v3\nmetadata: { name: cache }\nspec: { protocol: redis, uri: "127.0.0.1:6379", admin_user: { name: root } }\n';
  const { problems } = await rig.declared.apply([{ name: 'db.yaml', content: document }], { by: 'root' });
  expect(problems.join()).toContain('users are made in databases that speak postgres or mysql alone');
});
