// A gateway that is killed while sessions run whose database users it has made: once it is back they may log in no more, and hold nothing.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acceptInvite, signIn, type WireClient } from '../../e2e/rigs/client.ts';
import { filesByWire, logIn, openOrders } from '../../e2e/rigs/databases.ts';
import { freePort, type GatewayRig, openGateway } from '../../e2e/rigs/gateway.ts';
import { type MariadbRig, openMariadb } from '../../e2e/rigs/mariadb.ts';
import type { PostgresRig } from '../../e2e/rigs/postgres.ts';
import { type Browser, PASSWORD } from './app.testing.ts';

const run = promisify(execFile);
const SLOW = { timeout: 60_000 };
let folder: string;
let gateway: GatewayRig;
let postgres: PostgresRig;
let mariadb: MariadbRig;
let ann: WireClient;
let name: string;
const open: { kill(): unknown }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-killed-'));
  gateway = await openGateway({
    flags: ['--databases-listen', `127.0.0.1:${await freePort()}`, '--mysql-listen', `127.0.0.1:${await freePort()}`],
  });
  name = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
  ann = await signIn(gateway.url, name, PASSWORD);
  const files = await filesByWire(gateway.url, ann);
  postgres = await openOrders(files);
  await asOwner('create role gatekeeper login createrole', 'create role readers');
  mariadb = await openMariadb(files);
  await mariadb.admin(`create user gatekeeper require subject '/CN=gatekeeper';
    grant create user, process on *.* to gatekeeper; grant select on mysql.user to gatekeeper;
    grant select on mysql.roles_mapping to gatekeeper; create database orders;
    create role readers; grant select on orders.* to readers; grant readers to gatekeeper with admin option`);
  const file = join(folder, 'site.yaml');
  const database = (called: string, protocol: string, port: number): string =>
    `kind: db\nversion: v3\nmetadata: { name: ${called}, labels: { team: shop } }\nspec: { protocol: ${protocol}, uri: "127.0.0.1:${port}", admin_user: { name: gatekeeper } }\n`;
  await writeFile(
    file,
    `kind: role
version: v7
metadata: { name: making }
spec:
  options: { reach_loopback: true, create_db_user: true }
  allow: { db_labels: { team: shop }, db_names: [orders], db_roles: [readers] }
---
kind: user
version: v2
metadata: { name: ${name} }
spec: { roles: [access, editor, auditor, making] }
---
${database('orders', 'postgres', postgres.port)}---
${database('books', 'mysql', mariadb.port)}`,
  );
  await gateway.command('resources', 'apply', file);
}, 120_000);
afterAll(async () => {
  for (const one of open) one.kill();
  await postgres?.dispose();
  await mariadb?.dispose();
  await gateway?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function asOwner(...statements: readonly string[]): Promise<string> {
  const { stdout } = await run('psql', [postgres.url, '-qAtX', ...statements.flatMap(text => ['-c', text])]);
  return stdout.trim();
}
const inPostgres = (name: string) =>
  asOwner(
    `select rolcanlogin, array(select g.rolname from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid order by 1) from pg_roles r where rolname = '${name}'`,
  );
const inMariadb = (name: string) =>
  mariadb.admin(`select concat(if(json_value(priv, '$.account_locked') = true, 'locked', 'open'), ': ',
    ifnull((select group_concat(role order by role) from mysql.roles_mapping where user = 'postern-role-${name}' and host = ''), ''))
    from mysql.global_priv where user = '${name}' and host = '%'`);

test('database users that a killed gateway has made are let go of in PostgreSQL and MariaDB once it is back', async () => {
  const who = {
    user: name,
    call: async (method: string, path: string, body?: unknown) => ({
      status: 200,
      json: await ann.call(method, path.replace('/v1/webapi/', ''), body),
    }),
  } as Browser;
  const [orders, books] = [await logIn(folder, who, 'orders'), await logIn(folder, who, 'books')];
  const line = `host=localhost hostaddr=127.0.0.1 port=${orders.port} user=${name} dbname=orders sslmode=verify-full sslrootcert=${orders.authority} sslcert=${orders.certificate} sslkey=${orders.key}`;
  // A statement goes on in PostgreSQL although nobody waits for it any more; the client of MariaDB is idle.
  open.push(spawn('psql', ['-qAtX', '-d', line, '-c', 'select pg_sleep(8)'], { stdio: 'ignore' }));
  const words = [
    ...['--no-defaults', '-hlocalhost', '--protocol=tcp', `-P${books.port}`, `-u${name}`, '-Dorders'],
    ...[`--ssl-ca=${books.authority}`, `--ssl-cert=${books.certificate}`, `--ssl-key=${books.key}`],
  ];
  open.push(spawn('mariadb', [...words, '--ssl-verify-server-cert'], { stdio: ['pipe', 'ignore', 'ignore'] }));
  const running = () =>
    Promise.all([
      asOwner(`select count(*) from pg_stat_activity where usename = '${name}' and query like '%pg_sleep%'`),
      mariadb.admin(`select count(*) from information_schema.processlist where user = '${name}' and db = 'orders'`),
    ]);
  await expect.poll(running, SLOW).toEqual(['1', '1']);

  await gateway.kill('SIGKILL');
  expect(await inPostgres(name)).toBe('t|{postern-made,readers}');
  expect(await inMariadb(name)).toBe('open: readers');
  await gateway.start();
  await expect.poll(() => inPostgres(name), SLOW).toBe('f|{postern-made}');
  await expect.poll(() => inMariadb(name), SLOW).toBe('locked:');
}, 120_000);
