// What no relay of this runtime is faster than: a process that ends TLS, begins TLS to a database, and does nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = new URL('./bare-pipe.ts', import.meta.url);

/** To a server on this machine; the files are what both sides are shown. You must dispose it. */
export async function openBarePipe(
  protocol: 'postgres' | 'mysql' | 'redis',
  port: number,
  files: { readonly certificate: string; readonly key: string },
): Promise<{ readonly port: number; dispose(): void }> {
  const words = [fileURLToPath(PROGRAM), String(port), protocol, files.certificate, files.key];
  const program = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await once(program.stdout, 'data');
  return { port: Number(String(said)), dispose: () => void program.kill() };
}
