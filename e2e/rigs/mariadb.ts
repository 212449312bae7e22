// A real MariaDB server of its own for tests and benchmarks: own folder, own port on loopback, gone when disposed.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './gateway.ts';
import { startServer } from './server.ts';

const run = promisify(execFile);

export interface MariadbRig {
  readonly port: number;
  /** Runs statements as the server's owner; answers what they print. */
  admin(statements: string): Promise<string>;
  dispose(): Promise<void>;
}

/** `files`: what the server shows and whom it believes, by the names of `postern db setup`. You must dispose it. */
export async function openMariadb(files: Readonly<Record<string, string>>): Promise<MariadbRig> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-mariadb-'));
  const data = join(folder, 'data');
  const socket = join(folder, 'socket');
  try {
    mkdirSync(data);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
    const user = `--user=${userInfo().username}`;
    const install = ['--no-defaults', user, `--datadir=${data}`, '--auth-root-authentication-method=normal'];
    await run('mariadb-install-db', [...install, '--skip-test-db', '--skip-name-resolve']);
    const port = await freePort();
    const server = await startServer({
      name: 'MariaDB',
      file: '/usr/sbin/mariadbd',
      args: [
        ...['--no-defaults', user, `--datadir=${data}`, `--socket=${socket}`, `--port=${port}`],
        ...['--bind-address=127.0.0.1', '--skip-name-resolve', '--skip-log-bin', '--innodb-buffer-pool-size=32M'],
        ...['--innodb-log-file-size=8M', '--innodb-flush-log-at-trx-commit=0', '--max-allowed-packet=32M'],
        ...[`--ssl-cert=${folder}/server.crt`, `--ssl-key=${folder}/server.key`, `--ssl-ca=${folder}/server.cas`],
      ],
      ready: 'ready for connections',
    });
    return {
      port,
      admin: async statements => {
        const words = ['--no-defaults', '-uroot', `-S${socket}`, '-N', '-e', statements];
        return (await run('mariadb', words)).stdout.trim();
      },
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
