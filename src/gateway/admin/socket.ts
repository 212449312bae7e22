// Where the command line finds the running gateway: a Unix socket that only the gateway's own user may open.
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** Longest path of the socket, bytes: Linux and macOS both take it, also while it is being made in a folder of its own. */
const SOCKET_PATH_MOST_BYTES = 90;

/** The socket of a data folder. A folder too deep for a socket has it in a short folder of the user instead, named by a hash. */
export function adminSocket(dataFolder: string, env: Readonly<Record<string, string | undefined>>): string {
  const folder = resolve(dataFolder);
  const inside = join(folder, 'admin.sock');
  if (Buffer.byteLength(inside) <= SOCKET_PATH_MOST_BYTES) return inside;
  const runtime = env.XDG_RUNTIME_DIR?.startsWith('/') ? env.XDG_RUNTIME_DIR : undefined;
  const name = `postern-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.sock`;
  const short = runtime === undefined ? undefined : join(runtime, name);
  if (short !== undefined && Buffer.byteLength(short) <= SOCKET_PATH_MOST_BYTES) return short;
  return join(ownFolder(), name);
}

/** A folder of ours in the shared temp folder. Throws when somebody else made it first. */
function ownFolder(): string {
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `postern-${user}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== user || (found.mode & 0o077) !== 0)
    throw new Error(
      `${folder} is not a folder of this user alone; remove it, or choose a data folder with a shorter path`,
    );
  return folder;
}

/** Listens there. Whoever holds the folder's lock may clear away a dead gateway's socket. */
export async function listenOnSocket(admin: FastifyInstance, path: string): Promise<void> {
  // Made in a folder nobody else can enter and moved when its mode is right: at no moment can others connect.
  const nursery = mkdtempSync(join(dirname(path), '.admin-'));
  const born = join(nursery, 's');
  try {
    admin.addHook('onClose', async () => rmSync(path, { force: true }));
    await admin.listen({ path: born });
    chmodSync(born, 0o600);
    renameSync(born, path);
  } finally {
    rmSync(nursery, { recursive: true, force: true });
  }
}
