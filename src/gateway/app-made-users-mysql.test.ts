// Database users of people's own, made for their sessions by a real MariaDB: what they hold, when they go, and what is left alone.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditTrail, logIn, signedFiles } from '../../e2e/rigs/databases.ts';
import { type MariadbRig, openMariadb } from '../../e2e/rigs/mariadb.ts';
import { openRig, type Rig } from './app.testing.ts';
import { addMakingRoles } from './app-made-users.testing.ts';

const run = promisify(execFile);
const SLOW = { timeout: 20_000 };
let rig: Rig;
let server: MariadbRig;
let folder: string;
/** What the manual tells an administrator to prepare. */
const PREPARED = `create user gatekeeper require subject '/CN=gatekeeper';
  grant create user, process on *.* to gatekeeper;
  grant select on mysql.user to gatekeeper;
  grant select on mysql.roles_mapping to gatekeeper`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-made-my-'));
  rig = await openRig({ databases: true });
  server = await openMariadb(await signedFiles(rig, '127.0.0.1'));
  await server.admin(`${PREPARED};
    create database orders; create table orders.orders (id int); insert into orders.orders values (1);
    create role readers; grant select on orders.* to readers; grant readers to gatekeeper with admin option;
    create role writers; grant insert on orders.* to writers; grant writers to gatekeeper with admin option;
    create role guarded; create user old require subject '/CN=old'; create user may@localhost;
    create user lazy require subject '/CN=lazy'`);
  const document = (name: string, admin: string): string =>
    `kind: db\nversion: v3\nmetadata: { name: ${name}, labels: { team: shop } }\nspec: { protocol: mysql, uri: "127.0.0.1:${server.port}", admin_user: { name: ${admin} } }\n`;
  const content = `${document('books', 'gatekeeper')}---\n${document('unprepared', 'nobody')}---\n${document('bare', 'lazy')}`;
  expect((await rig.declared.apply([{ name: 'db.yaml', content }], { by: 'root' })).problems).toEqual([]);
  await addMakingRoles(rig, [['beyond', 'guarded']]);
}, 60_000);
afterAll(async () => {
  await server?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** The words of a client of somebody's, as their own user unless said. */
async function wordsOf(name: string, { user = name, database = 'books' } = {}): Promise<readonly string[]> {
  const { port, certificate, authority, key } = await logIn(folder, await rig.signIn(name), database);
  return [
    ...['--no-defaults', '-N', '-B', '-hlocalhost', '--protocol=tcp', `-P${port}`, `-u${user}`, '-Dorders'],
    ...[`--ssl-ca=${authority}`, `--ssl-cert=${certificate}`, `--ssl-key=${key}`, '--ssl-verify-server-cert'],
  ];
}
async function mariadb(words: readonly string[], statements: string): Promise<string> {
  const { stdout, stderr } = await run('mariadb', [...words, '-e', statements]).catch(
    error => error as { stdout: string; stderr: string },
  );
  return `${stdout}${stderr}`.trim();
}
/** Whether it may log in, and all that it holds. */
const held = (name: string): Promise<string> =>
  server.admin(`select concat(if(json_value(priv, '$.account_locked') = true, 'locked', 'open'), ': ',
    ifnull((select group_concat(role order by role) from mysql.roles_mapping where user = '${name}' and host = '%'), ''), ': ',
    ifnull((select group_concat(role order by role) from mysql.roles_mapping where user = 'postern-role-${name}' and host = ''), ''))
    from mysql.global_priv where user = '${name}' and host = '%'`);
const gone = (name: string): string => `locked: postern-made,postern-role-${name}:`;

test('a person is a database user of their own, with all roles that theirs name, and that user is locked once they are gone', async () => {
  await rig.addUser('ann', ['reading', 'writing']);
  const from = new Date();
  const words = await wordsOf('ann');
  const printed = await mariadb(
    words,
    'select current_user(), current_role(); insert into orders values (2); select count(*) from orders; delete from orders',
  );
  expect(printed).toContain('ann@%\tpostern-role-ann\n2\n');
  expect(printed).toContain("DELETE command denied to user 'ann'");
  const [ready, start] = await auditTrail(rig, from);
  expect(ready).toMatchObject({ code: 'TDB08I', user: 'ann', username: 'ann', roles: ['readers', 'writers'] });
  expect(start).toMatchObject({ code: 'TDB00I', user: 'ann', db_user: 'ann', db_roles: ['readers', 'writers'] });
  await expect.poll(() => held('ann'), SLOW).toBe(gone('ann'));
  // What was given beside is taken away at the next session, a password too: the certificate alone lets in.
  await server.admin(
    "create role stray; grant stray to gatekeeper with admin option; grant stray to ann; grant stray to 'postern-role-ann'; alter user ann identified by 'x' require none",
  );
  expect(await mariadb(words, 'select current_user()')).toBe('ann@%');
  await expect.poll(() => held('ann'), SLOW).toBe(gone('ann'));
  expect(await server.admin('show create user ann')).toContain("REQUIRE SUBJECT '/CN=ann' ACCOUNT LOCK");
});

test('a user stays while another session of theirs goes on', async () => {
  await rig.addUser('joe', ['reading']);
  const words = await wordsOf('joe');
  const other = ['mariadb', ...words, '-e', '"select 1"'].join(' ');
  expect(await mariadb(words, `\\! ${other}\nselect count(*) from orders`)).toMatch(/^1\n\d$/);
  await expect.poll(() => held('joe'), SLOW).toBe(gone('joe'));
});

test('a name that is long, or not of plain letters, is another name in the server, made from it', async () => {
  const long = `${'a-very-long-name-of-somebody'.repeat(3)}@example.com`;
  await rig.addUser(long, ['reading']);
  const printed = await mariadb(await wordsOf(long), 'select current_user(); select count(*) from orders');
  expect(printed).toMatch(/^postern-[\w-]{24}@%\n\d$/);
});

test('users that were not made from here are left alone, and what cannot be made is refused with a sentence', async () => {
  for (const [name, roles, why] of [
    ['old', ['reading'], 'books has a user of this name that was not made from here: it is left alone'],
    ['may', ['reading'], 'books has a user of this name that was not made from here: it is left alone'],
    ['tom', ['wrong'], 'books has no role "nobody-has-this" (db_roles)'],
    ['eve', ['beyond'], 'books was to make the user "eve" (create_db_user): Access denied'],
  ] as const) {
    await rig.addUser(name, roles);
    expect(await mariadb(await wordsOf(name), 'select 1')).toContain(why);
  }
  expect(await held('old')).toBe('open: :');
  expect(await server.admin("select count(*) from mysql.user where user = 'tom'")).toBe('0');
  // What was begun and could not be finished lets nobody in.
  expect(await held('eve')).toMatch(/^locked/);
  // Nobody is made under the name of another, and one role that says no is enough.
  await rig.addUser('una', ['reading']);
  expect(await mariadb(await wordsOf('una', { user: 'ann' }), 'select 1')).toContain(
    'You may not use books as database user "ann"',
  );
  await rig.addUser('max', ['reading', 'without']);
  await expect(wordsOf('max')).rejects.toThrow('no role gives you a database user on books');
});

test('a server whose administrator was not prepared says so', async () => {
  await rig.addUser('bob', ['reading']);
  expect(await mariadb(await wordsOf('bob', { database: 'unprepared' }), 'select 1')).toMatch(
    /unprepared refused database user "nobody": Access denied/,
  );
  expect(await mariadb(await wordsOf('bob', { database: 'bare' }), 'select 1')).toContain(
    'bare was to make the user "bob" (create_db_user): SELECT command denied',
  );
});
