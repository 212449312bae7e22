// A real PostgreSQL that takes the clients of a gateway by their certificates, and the roles that lead there.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Rig } from '../../src/gateway/app.testing.ts';
import { roleResource } from '../../src/gateway/services/rights/source.ts';
import { openPostgres, type PostgresRig } from './postgres.ts';

const run = promisify(execFile);
const TTL_MS = 24 * 3_600_000;

/** The files that a database server gets, by name. */
export async function signedFiles(gateway: Rig, hostname: string): Promise<Readonly<Record<string, string>>> {
  const archive = gunzipSync(
    await gateway.services.databaseSetUp.sign([hostname], TTL_MS, { user: 'root', rights: null }),
  );
  const files: Record<string, string> = {};
  for (let at = 0; archive[at]; ) {
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*/s, '');
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8);
    files[name] = archive.toString('utf8', at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

const role = (name: string, dbUser: string): string => `kind: role
version: v7
metadata: { name: ${name} }
spec:
  options: { reach_loopback: true }
  allow:
    db_labels: { team: shop }
    db_users: [${dbUser}]
    db_names: [orders]
`;

/**
 * The databases `orders` and `invoices`, both the one server, whose user `app` owns `orders`; role `shop` leads there as `app`, and role
 * `reader` as `nobody`, whom the server does not know. You must dispose it.
 */
export async function openDatabases(gateway: Rig): Promise<PostgresRig> {
  const files = await signedFiles(gateway, '127.0.0.1');
  const postgres = await openPostgres({
    certificate: files['server.crt'] ?? '',
    key: files['server.key'] ?? '',
    clients: files['server.cas'] ?? '',
  });
  await run('psql', [postgres.url, '-qc', 'create role app login', '-c', 'create database orders owner app']);
  for (const content of [role('shop', 'app'), role('reader', 'nobody')])
    await gateway.store.resources.create(roleResource(content));
  const document = (name: string): string =>
    `kind: db\nversion: v3\nmetadata: { name: ${name}, labels: { team: shop } }\nspec: { protocol: postgres, uri: "127.0.0.1:${postgres.port}" }\n`;
  const content = ['orders', 'invoices'].map(document).join('---\n');
  const { problems } = await gateway.declared.apply([{ name: 'databases.yaml', content }], { by: 'root' });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return postgres;
}
