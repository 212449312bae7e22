// A real Redis server of its own for tests and benchmarks: own folder, own port on loopback, gone when disposed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './gateway.ts';
import { startServer } from './server.ts';

export interface RedisRig {
  readonly port: number;
  dispose(): Promise<void>;
}

/** `files`: what the server shows, whom it believes and its users, by the names of `postern db setup`. You must dispose it. */
export async function openRedis(files: Readonly<Record<string, string>>): Promise<RedisRig> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-redis-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
    const port = await freePort();
    const server = await startServer({
      name: 'Redis',
      file: 'redis-server',
      args: [
        ...['--port', '0', '--tls-port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
        ...['--tls-cert-file', 'server.crt', '--tls-key-file', 'server.key', '--tls-ca-cert-file', 'server.cas'],
        ...['--tls-auth-clients', 'yes', '--aclfile', 'users.acl'],
      ],
      options: { cwd: folder },
      ready: 'Ready to accept connections',
    });
    return {
      port,
      async dispose() {
        await server.end();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
