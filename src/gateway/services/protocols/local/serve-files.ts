// Runs as the user beside the gateway, on this machine: their files, in the words of SFTP over standard input and output. What they may
// read and write is the operating system's to say.
import { constants, type Dir, type Stats } from 'node:fs';
import {
  chmod,
  chown,
  type FileHandle,
  lstat,
  mkdir,
  open,
  opendir,
  readlink,
  realpath,
  rename,
  rmdir,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises';
import {
  type Attributes,
  attributes,
  type Cursor,
  createAssembly,
  kinds,
  openFlags,
  PACKET_MOST_BYTES,
  POSIX_RENAME,
  packet,
  readPacket,
  STATVFS,
  statuses,
} from '../sftp/packets.ts';
import { sshString, sshUint32, sshUint64 } from '../wire.ts';
import type { Account } from './account.ts';
import { becomeUser, closeInherited } from './become.mjs';

/** Files and folders that are open at once. */
const OPEN_MOST = 256;
/** Entries of a folder in one answer. */
const ENTRIES_AT_ONCE = 100;
/** Largest part of a file in one answer, bytes. */
const READ_MOST_BYTES = PACKET_MOST_BYTES - 1024;

const { account } = JSON.parse(process.argv[2] ?? '') as { account: Account };
closeInherited();
becomeUser(account);
try {
  process.chdir(account.home);
} catch {
  process.chdir('/');
}

interface Opened {
  readonly file?: FileHandle;
  readonly folder?: Dir;
  readonly path: Buffer;
}
const opened = new Map<number, Opened>();
let lastHandle = 0;

const attributesOf = ({ size, uid, gid, mode, mtimeMs }: Stats): Attributes => ({
  size,
  uid,
  gid,
  mode,
  modified: Math.max(0, Math.floor(mtimeMs / 1000)),
});
const below = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from('/'), name]);
const send = (bytes: Buffer): void => void process.stdout.write(bytes);
const answerStatus = (id: number, status: number, said = ''): void =>
  send(packet(kinds.status, id, sshUint32(status), sshString(said), sshString('')));

/** Errors of the system as SFTP has them; the name goes along, since the protocol has no word for most. */
function answerError(id: number, error: unknown): void {
  const { code = 'EIO' } = error as NodeJS.ErrnoException;
  const status =
    code === 'ENOENT' ? statuses.missing : code === 'EACCES' || code === 'EPERM' ? statuses.denied : statuses.failure;
  answerStatus(id, status, code);
}
const wrong = (code: string): Error => Object.assign(new Error(code), { code });

function keep(id: number, one: Opened): void {
  lastHandle = (lastHandle + 1) >>> 0;
  opened.set(lastHandle, one);
  send(packet(kinds.handle, id, sshString(sshUint32(lastHandle))));
}
function held(body: Cursor): { readonly key: number; readonly one: Opened } {
  const handle = body.string();
  const key = handle.length === 4 ? handle.readUInt32BE(0) : 0;
  const one = opened.get(key);
  if (!one) throw wrong('EBADF');
  return { key, one };
}
const fileOf = (body: Cursor): FileHandle => {
  const { file } = held(body).one;
  if (!file) throw wrong('EISDIR');
  return file;
};
/** As OpenSSH has it: the last part of a path need not exist. */
async function resolved(path: Buffer): Promise<Buffer> {
  try {
    return await realpath(path, 'buffer');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const cut = path.lastIndexOf('/');
    const folder = await realpath(cut < 0 ? '.' : path.subarray(0, Math.max(1, cut)), 'buffer');
    return below(folder.length === 1 ? Buffer.alloc(0) : folder, path.subarray(cut + 1));
  }
}
async function readFolder({ folder, path }: Opened, id: number): Promise<void> {
  if (!folder) throw wrong('ENOTDIR');
  const names: Buffer[] = [];
  while (names.length < ENTRIES_AT_ONCE) {
    const entry = (await folder.read()) as unknown as { readonly name: Buffer } | null;
    if (entry === null) break;
    names.push(entry.name);
  }
  if (names.length === 0) return answerStatus(id, statuses.end);
  const facts = await Promise.all(names.map(name => lstat(below(path, name)).catch(() => null)));
  // What vanishes meanwhile is left out.
  const entries = names.flatMap((name, at) => {
    const one = facts[at];
    return one ? [sshString(name), sshString(''), attributes(attributesOf(one))] : [];
  });
  send(packet(kinds.name, id, sshUint32(entries.length / 3), ...entries));
}
async function extended(id: number, body: Cursor): Promise<void> {
  const name = body.string().toString('utf8');
  if (name === POSIX_RENAME) {
    await rename(body.string(), body.string());
    return answerStatus(id, statuses.ok);
  }
  if (name !== STATVFS) return answerStatus(id, statuses.unsupported);
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(body.string());
  const figures = [bsize, bsize, blocks, bfree, bavail, files, ffree, ffree, 0, 0, 255];
  send(packet(kinds.extendedReply, id, ...figures.map(figure => sshUint64(BigInt(figure)))));
}

/** What each kind of packet asks for. */
const acts: Readonly<Record<number, (id: number, body: Cursor) => Promise<void>>> = {
  async [kinds.open](id, body) {
    if (opened.size >= OPEN_MOST) throw wrong('EMFILE');
    const path = body.string();
    const asked = body.uint32();
    const { mode = 0o644 } = body.attributes();
    const has = (flag: number): boolean => (asked & flag) !== 0;
    // Opening a pipe would wait for its other end.
    if (!has(openFlags.create) && !(await stat(path)).isFile()) throw wrong('EINVAL');
    const flags = has(openFlags.write)
      ? constants.O_WRONLY |
        (has(openFlags.create) ? constants.O_CREAT : 0) |
        (has(openFlags.truncate) ? constants.O_TRUNC : 0) |
        (has(openFlags.exclusive) ? constants.O_EXCL : 0)
      : constants.O_RDONLY;
    keep(id, { file: await open(path, flags | constants.O_NONBLOCK, mode & 0o7777), path });
  },
  async [kinds.close](id, body) {
    const { key, one } = held(body);
    opened.delete(key);
    await (one.file ?? one.folder)?.close();
    answerStatus(id, statuses.ok);
  },
  async [kinds.read](id, body) {
    const file = fileOf(body);
    const position = body.uint64();
    const bytes = Buffer.allocUnsafeSlow(Math.min(body.uint32(), READ_MOST_BYTES));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, position);
    if (bytesRead === 0) answerStatus(id, statuses.end);
    else send(packet(kinds.data, id, sshString(bytes.subarray(0, bytesRead))));
  },
  async [kinds.write](id, body) {
    const file = fileOf(body);
    const position = body.uint64();
    const bytes = body.string();
    for (let at = 0; at < bytes.length; )
      at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
    answerStatus(id, statuses.ok);
  },
  async [kinds.fstat](id, body) {
    send(packet(kinds.attributes, id, attributes(attributesOf(await fileOf(body).stat()))));
  },
  async [kinds.lstat](id, body) {
    send(packet(kinds.attributes, id, attributes(attributesOf(await lstat(body.string())))));
  },
  async [kinds.stat](id, body) {
    send(packet(kinds.attributes, id, attributes(attributesOf(await stat(body.string())))));
  },
  async [kinds.setstat](id, body) {
    const path = body.string();
    const { mode, uid, gid } = body.attributes();
    if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
    if (mode !== undefined) await chmod(path, mode & 0o7777);
    answerStatus(id, statuses.ok);
  },
  async [kinds.opendir](id, body) {
    if (opened.size >= OPEN_MOST) throw wrong('EMFILE');
    const path = body.string();
    keep(id, {
      folder: await opendir(path, { encoding: 'buffer' as BufferEncoding, bufferSize: ENTRIES_AT_ONCE }),
      path,
    });
  },
  async [kinds.readdir](id, body) {
    await readFolder(held(body).one, id);
  },
  async [kinds.remove](id, body) {
    await unlink(body.string());
    answerStatus(id, statuses.ok);
  },
  async [kinds.mkdir](id, body) {
    await mkdir(body.string(), 0o755);
    answerStatus(id, statuses.ok);
  },
  async [kinds.rmdir](id, body) {
    await rmdir(body.string());
    answerStatus(id, statuses.ok);
  },
  async [kinds.realpath](id, body) {
    send(packet(kinds.name, id, sshUint32(1), sshString(await resolved(body.string())), sshString(''), attributes({})));
  },
  async [kinds.readlink](id, body) {
    const leads = await readlink(body.string(), 'buffer');
    send(packet(kinds.name, id, sshUint32(1), sshString(leads), sshString(''), attributes({})));
  },
  async [kinds.rename](id, body) {
    const [from, to] = [body.string(), body.string()];
    // The protocol's own rename replaces nothing.
    if (await lstat(to).catch(() => null)) throw wrong('EEXIST');
    await rename(from, to);
    answerStatus(id, statuses.ok);
  },
  [kinds.extended]: extended,
};

const assemble = createAssembly(whole => {
  const body = readPacket(whole);
  const kind = body.byte();
  if (kind === kinds.init) {
    const known = [POSIX_RENAME, '1', STATVFS, '2'].map(sshString);
    return send(packet(kinds.version, null, sshUint32(3), ...known));
  }
  const id = body.uint32();
  const act = acts[kind];
  if (!act) return answerStatus(id, statuses.unsupported);
  act(id, body).catch((error: unknown) => answerError(id, error));
});
process.stdin.on('data', assemble);
process.stdin.on('end', () => process.exit(0));
