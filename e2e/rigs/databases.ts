// Real database servers that take the clients of a gateway by their certificates, and the roles that lead there.
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type Browser, CLUSTER, type Rig } from '../../src/gateway/app.testing.ts';
import { createCertificates } from '../../src/gateway/services/certificates/certificates.ts';
import { createSecretBox } from '../../src/gateway/services/identity/secret-box.ts';
import { roleResource } from '../../src/gateway/services/rights/source.ts';
import type { WireClient } from './client.ts';
import { type MariadbRig, openMariadb } from './mariadb.ts';
import { openPostgres, type PostgresRig } from './postgres.ts';
import { openRedis, type RedisRig } from './redis.ts';

const run = promisify(execFile);
const TTL_MS = 24 * 3_600_000;

/** The files that a database server gets, by name. */
export async function signedFiles(
  gateway: Rig,
  hostname: string,
  users: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  return filesOf(await gateway.services.databaseSetUp.sign([hostname], TTL_MS, { user: 'root', rights: null }, users));
}

/** The files of a gzip tar archive, by name. */
function filesOf(packed: Uint8Array): Readonly<Record<string, string>> {
  const archive = gunzipSync(packed);
  const files: Record<string, string> = {};
  for (let at = 0; archive[at]; ) {
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*/s, '');
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8);
    files[name] = archive.toString('utf8', at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

/** The files that a database server on this machine gets, for a client that has the wire alone and may sign them. */
export async function filesByWire(url: string, who: WireClient): Promise<Readonly<Record<string, string>>> {
  const signed = await fetch(`${url}/v1/webapi/sites/${who.cluster}/sign/db`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.bearer}`, cookie: who.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ hostname: '127.0.0.1' }),
  });
  return filesOf(new Uint8Array(await signed.arrayBuffer()));
}

export const role = (name: string, dbUser: string): string => `kind: role
version: v7
metadata: { name: ${name} }
spec:
  options: { reach_loopback: true }
  allow:
    db_labels: { team: shop }
    db_users: [${dbUser}]
    db_names: [orders]
`;

/** What a person's machine has after a log-in: a port, and files. */
export interface DatabaseClient {
  readonly port: number;
  readonly tlsPort: number;
  readonly certificate: string;
  readonly authority: string;
  readonly key: string;
}
/** As `postern db login` does: the key is made here and stays here. */
export async function logIn(folder: string, who: Browser, name: string): Promise<DatabaseClient> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const answer = await who.call('POST', `/v1/webapi/sites/-current-/databases/${name}/certificate`, {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
  });
  if (answer.status !== 200) throw new Error(answer.body);
  const { certificate, authority, port, tlsPort } = answer.json as DatabaseClient;
  const write = (file: string, text: string | Buffer): string => {
    const path = join(folder, `${who.user}-${name}-${file}`);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return {
    port,
    tlsPort,
    certificate: write('crt', certificate),
    authority: write('ca', authority),
    key: write('key', key),
  };
}
export interface Noted {
  readonly code: string;
  readonly [field: string]: unknown;
}
/** Events of databases from one on, the oldest first. */
export async function auditTrail({ store }: Pick<Rig, 'store'>, from: Date): Promise<readonly Noted[]> {
  const to = new Date(Date.now() + 60_000);
  const found = await store.events.search({ from, to, limit: 1000, types: [], descending: false });
  return found.events.map(({ raw, code }) => ({ ...raw, code })).filter(({ code }) => /^T(DB|PG|MY)/.test(code));
}

async function addRoles(gateway: Rig): Promise<void> {
  if (await gateway.store.resources.get('role', 'shop')) return;
  for (const content of [role('shop', 'app'), role('reader', 'nobody')])
    await gateway.store.resources.create(roleResource(content));
}
/** The authorities of a gateway, which it keeps in its store. */
export const certificatesOf = ({ store }: Pick<Rig, 'store'>) =>
  createCertificates({
    settings: store.settings,
    secrets: createSecretBox(Buffer.alloc(32), store.settings),
    clusterName: CLUSTER,
  });
/** What the gateway itself shows a database, for a client that goes there straight. */
export async function directClient(gateway: Rig, folder: string, port: number): Promise<DatabaseClient> {
  const certificates = certificatesOf(gateway);
  const ends = new Date(Date.now() + TTL_MS);
  const shown = await certificates.issue('databaseClients', { name: 'app', ends, for: 'client' });
  const files = {
    authority: await certificates.authority('databaseServers'),
    certificate: shown.certificate,
    key: shown.privateKey,
  };
  const write = (name: keyof typeof files): string => {
    const path = join(folder, `direct-${name}`);
    writeFileSync(path, files[name], { mode: 0o600 });
    return path;
  };
  return {
    ...{ port, tlsPort: port, authority: write('authority') },
    ...{ certificate: write('certificate'), key: write('key') },
  };
}

const databaseDocument = (name: string, protocol: string, port: number): string =>
  `kind: db\nversion: v3\nmetadata: { name: ${name}, labels: { team: shop } }\nspec: { protocol: ${protocol}, uri: "127.0.0.1:${port}" }\n`;
/** Databases of one server on this machine. */
export async function addDatabases(
  gateway: Rig,
  protocol: string,
  port: number,
  names: readonly string[],
): Promise<void> {
  const content = names.map(name => databaseDocument(name, protocol, port)).join('---\n');
  const { problems } = await gateway.declared.apply([{ name: `${protocol}.yaml`, content }], { by: 'root' });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** A server with the database `orders`, which its user `app` owns. `files`: what it gets of a gateway. You must dispose it. */
export async function openOrders(files: Readonly<Record<string, string>>): Promise<PostgresRig> {
  const postgres = await openPostgres({
    certificate: files['server.crt'] ?? '',
    key: files['server.key'] ?? '',
    clients: files['server.cas'] ?? '',
  });
  await run('psql', [postgres.url, '-qc', 'create role app login', '-c', 'create database orders owner app']);
  return postgres;
}
/** That server as the database `orders` of a gateway, as YAML. */
export const ordersDocument = ({ port }: Pick<PostgresRig, 'port'>): string =>
  databaseDocument('orders', 'postgres', port);

/**
 * The databases `orders` and `invoices`, both the one server, whose user `app` owns `orders`; role `shop` leads there as `app`, and role
 * `reader` as `nobody`, whom the server does not know. You must dispose it.
 */
export async function openDatabases(gateway: Rig): Promise<PostgresRig> {
  const postgres = await openOrders(await signedFiles(gateway, '127.0.0.1'));
  await addRoles(gateway);
  await addDatabases(gateway, 'postgres', postgres.port, ['orders', 'invoices']);
  return postgres;
}

/** The same with MariaDB behind `books` and `prices`. You must dispose it. */
export async function openBooks(gateway: Rig): Promise<MariadbRig> {
  const mariadb = await openMariadb(await signedFiles(gateway, '127.0.0.1'));
  await mariadb.admin(
    "create database orders; create database secrets; create user app require subject '/CN=app'; grant all on *.* to app",
  );
  await addRoles(gateway);
  await addDatabases(gateway, 'mysql', mariadb.port, ['books', 'prices']);
  return mariadb;
}
/** The same with Redis behind `cache` and `queue`. `more`: what its user `app` may do beside what the set-up gives it. You must dispose it. */
export async function openCache(gateway: Rig, more = ''): Promise<RedisRig> {
  const files = await signedFiles(gateway, '127.0.0.1', ['app']);
  // Besides, a user of those who measure what it is without the gateway.
  const users = `${files['users.acl']?.replace(/^user app .*/m, `$& ${more}`)}user direct on nopass ~* &* +@all\n`;
  const redis = await openRedis({ ...files, 'users.acl': users });
  await addRoles(gateway);
  await addDatabases(gateway, 'redis', redis.port, ['cache', 'queue']);
  return redis;
}
