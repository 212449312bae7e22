// A real PostgreSQL server of its own for tests and benchmarks: own folder, own port on loopback, gone when disposed.
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './gateway.ts';
import { startServer } from './server.ts';

const run = promisify(execFile);
const PACKAGES = '/usr/lib/postgresql';

/** PEM: what the server shows, and whose clients it believes. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly clients: string;
}
export interface PostgresRig {
  readonly port: number;
  /** Of a database that is empty; its owner may create extensions. */
  readonly url: string;
  dispose(): Promise<void>;
}

/** The newest installed server's programs. Throws when the Debian package is missing. */
export function programs(): string {
  const versions = existsSync(PACKAGES)
    ? readdirSync(PACKAGES).filter(version => existsSync(join(PACKAGES, version, 'bin', 'initdb')))
    : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined)
    throw new Error(
      `PostgreSQL is not installed: no initdb under ${PACKAGES}. Install the Debian package "postgresql".`,
    );
  return join(PACKAGES, newest, 'bin');
}

/** initdb and postgres refuse to run as root: then they run as the user that the package made. */
function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(entry => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error('There is no user "postgres" to run the server as; the Debian package "postgresql" creates it.');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Files of a server that speaks TLS; its own user `postern` comes in without, everybody else by a certificate with their name. */
function protect(
  cluster: string,
  who: { readonly uid?: number; readonly gid?: number },
  shown: ServerCertificate,
): string[] {
  const files = { 'server.crt': shown.certificate, 'server.key': shown.key, 'clients.crt': shown.clients };
  const rules = 'host all postern 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 cert\n';
  for (const [name, text] of Object.entries({ ...files, 'pg_hba.conf': rules })) {
    const path = join(cluster, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (who.uid !== undefined && who.gid !== undefined) chownSync(path, who.uid, who.gid);
  }
  return ['ssl=on', 'ssl_cert_file=server.crt', 'ssl_key_file=server.key', 'ssl_ca_file=clients.crt'];
}

/** Starts a server without fsync: its files end with the test. You must dispose it. */
export async function openPostgres(shown?: ServerCertificate): Promise<PostgresRig> {
  const bin = programs();
  const who = account();
  const folder = mkdtempSync(join(tmpdir(), 'postern-postgres-'));
  if (who.uid !== undefined && who.gid !== undefined) chownSync(folder, who.uid, who.gid);
  const cluster = join(folder, 'cluster');
  try {
    await run(
      join(bin, 'initdb'),
      [
        '--pgdata',
        cluster,
        '--username',
        'postern',
        '--auth',
        'trust',
        '--encoding',
        'UTF8',
        '--locale',
        'C.UTF-8',
        '--no-sync',
        '--no-instructions',
      ],
      { ...who, cwd: folder },
    );
    const port = await freePort();
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      'shared_buffers=64MB',
      'max_connections=60',
      ...(shown ? protect(cluster, who, shown) : []),
    ];
    const server = await startServer({
      name: 'PostgreSQL',
      file: join(bin, 'postgres'),
      args: ['-D', cluster, ...settings.flatMap(setting => ['-c', setting])],
      options: { ...who, cwd: folder },
      ready: 'database system is ready to accept connections',
    });
    return {
      port,
      url: `postgres://postern@127.0.0.1:${port}/postgres`,
      async dispose() {
        // Ends sessions and processes at once, its own children first.
        await server.end('SIGINT');
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
