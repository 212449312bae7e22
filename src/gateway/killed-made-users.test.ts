// A gateway that is killed while sessions run whose database users it has made: once it is back they may log in no more, and hold nothing.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
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
let gates: Readonly<Record<'orders' | 'books', Gate>>;
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
  gates = { orders: await openGate(postgres.port), books: await openGate(mariadb.port) };
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
${database('orders', 'postgres', gates.orders.port)}---
${database('books', 'mysql', gates.books.port)}`,
  );
  await gateway.command('resources', 'apply', file);
}, 120_000);
afterAll(async () => {
  for (const one of open) one.kill();
  await postgres?.dispose();
  await mariadb?.dispose();
  await gateway?.dispose();
  for (const gate of Object.values(gates ?? {})) gate.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The way to a database: beyond so many connections from now on, those that come wait without an answer. */
interface Gate {
  readonly port: number;
  lets(connections: number): void;
  /** Those that wait. */
  held(): number;
  close(): void;
}
async function openGate(to: number): Promise<Gate> {
  let left = Number.POSITIVE_INFINITY;
  const held = new Set<Socket>();
  const server: Server = createServer(near => {
    near.on('error', () => near.destroy());
    if (left === 0) {
      held.add(near);
      return void near.on('close', () => held.delete(near)).resume();
    }
    left -= 1;
    const far = connect(to, '127.0.0.1').on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { readonly port: number }).port,
    lets(connections) {
      left = connections;
    },
    held: () => held.size,
    close: () => void server.close(),
  };
}

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

/** Clients of both databases: of one a statement, the other idle. */
async function openClients(): Promise<void> {
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
}

test('database users that a killed gateway has made are let go of in PostgreSQL and MariaDB once it is back', async () => {
  await openClients();
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

test('those of sessions that had not begun yet are let go of as well: may they log in already, or not yet', async () => {
  // The administrator comes through, and the person waits to.
  gates.orders.lets(1);
  gates.books.lets(1);
  await openClients();
  await expect.poll(() => [gates.orders.held(), gates.books.held()], SLOW).toEqual([1, 1]);
  expect([await inPostgres(name), await inMariadb(name)]).toEqual(['t|{postern-made,readers}', 'open: readers']);
  await gateway.kill('SIGKILL');
  for (const gate of Object.values(gates)) gate.lets(Number.POSITIVE_INFINITY);
  await gateway.start();
  await expect.poll(() => inPostgres(name), SLOW).toBe('f|{postern-made}');
  await expect.poll(() => inMariadb(name), SLOW).toBe('locked:');

  // It holds its roles, and somebody else keeps the administrator from letting it log in until the gateway is gone.
  const other = spawn('psql', [postgres.url, '-qAtX'], { stdio: ['pipe', 'pipe', 'ignore'] });
  open.push(other);
  other.stdin.write(`begin; alter role "${name}" connection limit -1; select 'held';\n`);
  await once(other.stdout, 'data');
  await openClients();
  const waits =
    "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter role%login'";
  await expect.poll(() => asOwner(waits), SLOW).toBe('1');
  expect(await inPostgres(name)).toBe('f|{postern-made,readers}');
  await gateway.kill('SIGKILL');
  other.stdin.end('rollback;\n');
  await gateway.start();
  await expect.poll(() => inPostgres(name), SLOW).toBe('f|{postern-made}');
  await expect.poll(() => inMariadb(name), SLOW).toBe('locked:');
}, 180_000);
