// The files of a host over SFTP version 3. Our own, because names are bytes and the SSH library's client reads them as UTF-8, and because
// this machine's files are reached by the same words over a pipe.
import type { Readable, Writable } from 'node:stream';
import { Failure } from '../../../../contract/failure.ts';
import { shownName } from '../../../../contract/files.ts';
import type { FileFacts, HostFiles } from '../../../ports/files.ts';
import { sshString, sshUint32, sshUint64 } from '../wire.ts';
import { bytesOfName, textOfName } from './names.ts';
import {
  type Attributes,
  attributes,
  type Cursor,
  createAssembly,
  kinds,
  openFlags,
  POSIX_RENAME,
  packet,
  packetBefore,
  readPacket,
  STATVFS,
  STATVFS_READ_ONLY,
  statuses,
} from './packets.ts';
import { failureOf, lostFailure, noRoomFailure, type Place, Unexplained } from './reasons.ts';

/** What every server takes in one packet, and what OpenSSH's does, bytes: each packet costs both ends some work. */
const PIECE_BYTES = 32 * 1024;
const LARGE_PIECE_BYTES = 128 * 1024;
/** Bytes of one file that are on their way at once: as much as a channel has room for. */
const AHEAD_BYTES = 2 * 1024 * 1024;
/** A host has this long to begin, ms. */
const BEGIN_MS = 10_000;
/** Bits of stat(2) that say what something is. */
const KIND_BITS = 0o170000;
const kindsOf = new Map<number, FileFacts['kind']>([
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'link'],
]);

const factsOf = ({ size = 0, mode = 0, uid = 0, gid = 0, modified = 0 }: Attributes): FileFacts => ({
  kind: kindsOf.get(mode & KIND_BITS) ?? 'other',
  size,
  mode: mode & 0o7777,
  uid,
  gid,
  modified: new Date(modified * 1000),
});

function oneName(body: Cursor): string {
  body.uint32();
  return textOfName(body.string());
}
interface Answer {
  readonly kind: number;
  readonly body: Cursor;
  /** Bytes of a file, where they were asked for. */
  readonly data: readonly Buffer[];
}
interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** The two directions of what speaks SFTP, which may be one stream. What is written must have gone out of memory when it is called back. */
interface Pipes {
  readonly input: Readable;
  readonly output: Writable;
}
/** Takes them over, and begins. Throws Failure unreachable when the host does not speak it. */
export async function openSftp({ input, output }: Pipes, { hostname, login }: Omit<Place, 'path'>): Promise<HostFiles> {
  const waiting = new Map<number, Waiting>();
  const begun = Promise.withResolvers<Cursor>();
  const over = Promise.withResolvers<void>();
  let last = 0;
  let isOver = false;
  const lost = (): Error => lostFailure(hostname);

  function end(): void {
    if (isOver) return;
    isOver = true;
    input.destroy();
    output.destroy();
    const error = lost();
    begun.reject(error);
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
    over.resolve();
  }
  const assemble = createAssembly((whole, data) => {
    const body = readPacket(whole);
    const kind = body.byte();
    if (kind === kinds.version) return begun.resolve(body);
    const id = body.uint32();
    const asked = waiting.get(id);
    waiting.delete(id);
    asked?.resolve({ kind, body, data });
  });
  input.on('data', (piece: Buffer) => {
    try {
      assemble(piece);
    } catch {
      // Not SFTP: a login script that prints, for one.
      end();
    }
  });
  for (const event of ['end', 'close', 'error'] as const) input.on(event, end);
  output.on('error', end);

  function ask(kind: number, ...parts: readonly Uint8Array[]): Promise<Answer> {
    return askWith(kind, parts, null);
  }
  /** `data` ends the packet as it is: copying the bytes of a file into it would cost more than all else. */
  function askWith(kind: number, parts: readonly Uint8Array[], data: Uint8Array | null): Promise<Answer> {
    if (isOver) return Promise.reject(lost());
    last = (last + 1) >>> 0;
    const id = last;
    const answer = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }));
    if (data === null) output.write(packet(kind, id, ...parts));
    else {
      output.write(packetBefore(data, kind, id, ...parts));
      output.write(data);
    }
    return answer;
  }
  const pathOf = (path: string): Buffer => sshString(bytesOfName(path === '' ? '.' : path));
  /** The answer where it is of the kind that was asked for; null at the end of what there is. Throws Failure. */
  async function expect(kind: number, place: Place, answering: Promise<Answer>): Promise<Cursor | null> {
    const answer = await answering;
    if (answer.kind === kind) return answer.body;
    if (answer.kind !== kinds.status) throw lost();
    const code = answer.body.uint32();
    if (code === statuses.ok && kind === kinds.status) return answer.body;
    if (code === statuses.end) return null;
    throw failureOf(place, code, answer.body.left > 0 ? answer.body.string().toString('utf8') : '');
  }
  async function get<Value>(
    kind: number,
    place: Place,
    asked: Promise<Answer>,
    read: (body: Cursor) => Value,
  ): Promise<Value> {
    const body = await expect(kind, place, asked);
    if (body === null) throw failureOf(place, statuses.failure, '');
    return read(body);
  }
  const done = async (place: Place, asked: Promise<Answer>): Promise<void> => {
    // A status of OK is no other kind of answer: what it holds is read already.
    const { kind, body } = await asked;
    if (kind !== kinds.status) throw lost();
    const code = body.uint32();
    if (code !== statuses.ok) throw failureOf(place, code, body.left > 0 ? body.string().toString('utf8') : '');
  };
  const at = (path: string): Place => ({ hostname, login, path: shownName(path) });

  const clock = setTimeout(end, BEGIN_MS);
  output.write(packet(kinds.init, null, sshUint32(3)));
  const version = await begun.promise.finally(() => clearTimeout(clock));
  version.uint32();
  const extensions = new Set<string>();
  while (version.left > 0) {
    extensions.add(version.string().toString('utf8'));
    version.string();
  }

  const pieceBytes = extensions.has(POSIX_RENAME) ? LARGE_PIECE_BYTES : PIECE_BYTES;
  const piecesAhead = AHEAD_BYTES / pieceBytes;

  const open = (path: string, flags: number, mode?: number): Promise<Buffer> =>
    get(
      kinds.handle,
      at(path),
      ask(kinds.open, pathOf(path), sshUint32(flags), attributes(mode === undefined ? {} : { mode })),
      body => Buffer.from(body.string()),
    );
  // What cannot be closed is the host's to forget.
  const close = (handle: Buffer): Promise<unknown> => ask(kinds.close, sshString(handle)).catch(() => undefined);
  /** The file system of a path: whether it is full, can only be read, and which it is; null where the host does not say. */
  async function volumeOf(path: string) {
    if (!extensions.has(STATVFS)) return null;
    const folder = path.slice(0, path.lastIndexOf('/')) || '/';
    const asked = ask(kinds.extended, sshString(STATVFS), pathOf(folder));
    const body = await expect(kinds.extendedReply, at(folder), asked).catch(() => null);
    if (body === null) return null;
    const figures = Array.from({ length: 10 }, () => body.bigint());
    const [, , , , freeBlocks, files, freeFiles, , id, flags = 0n] = figures;
    const isFull = freeBlocks === 0n || (files !== 0n && freeFiles === 0n);
    return { id, isFull, isReadOnly: (flags & STATVFS_READ_ONLY) !== 0n };
  }
  const failed = (path: string, code: string): Failure => failureOf(at(path), statuses.failure, code);
  /** Looks for the reason where a host only says that it failed: OpenSSH has no word for most of them. */
  async function explained(path: string, error: unknown, writes: boolean): Promise<unknown> {
    const volume = error instanceof Unexplained ? await volumeOf(path) : null;
    if (volume?.isReadOnly) return failed(path, 'EROFS');
    return writes && volume?.isFull ? failed(path, 'ENOSPC') : error;
  }
  /** OpenSSH calls missing also what lies below no folder, and a link in a ring or to nothing: then that is said. */
  const there = <Value>(path: string, asked: Promise<Value>): Promise<Value> =>
    asked.catch(async (error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
      const facts = await itself(path).catch(() => null);
      throw facts === null ? error : failed(path, facts.kind === 'link' ? 'DEADLINK' : 'ENOTDIR');
    });
  const itself = (path: string): Promise<FileFacts> =>
    get(kinds.attributes, at(path), ask(kinds.lstat, pathOf(path)), body => factsOf(body.attributes()));
  /** What changes something: fails with the reason. `writes`: it needs room. */
  const changing = <Value>(path: string, asked: Promise<Value>, writes = true): Promise<Value> =>
    asked.catch(async (error: unknown) => {
      throw await explained(path, error, writes);
    });

  async function* list(path: string): ReturnType<HostFiles['list']> {
    const opening = get(kinds.handle, at(path), ask(kinds.opendir, pathOf(path)), body => Buffer.from(body.string()));
    const handle = await there(path, opening);
    try {
      for (;;) {
        const body = await expect(kinds.name, at(path), ask(kinds.readdir, sshString(handle)));
        if (body === null) return;
        const entries = [];
        for (let left = body.uint32(); left > 0; left--) {
          const name = textOfName(body.string());
          body.string();
          const facts = factsOf(body.attributes());
          if (name !== '.' && name !== '..') entries.push({ name, ...facts });
        }
        yield entries;
      }
    } finally {
      void close(handle);
    }
  }

  return {
    closed: over.promise,
    close: end,
    resolve: path => there(path, get(kinds.name, at(path), ask(kinds.realpath, pathOf(path)), oneName)),
    target: path => get(kinds.name, at(path), ask(kinds.readlink, pathOf(path)), oneName),
    facts: path =>
      there(
        path,
        get(kinds.attributes, at(path), ask(kinds.stat, pathOf(path)), body => factsOf(body.attributes())),
      ),
    itself,
    list,
    async *read(path, from, to) {
      const handle = await open(path, openFlags.read);
      const pieces: {
        readonly at: number;
        readonly length: number;
        readonly answer: Promise<Answer['data'] | null>;
      }[] = [];
      let next = from;
      const askMore = (start: number, length: number) => {
        const asked = ask(kinds.read, sshString(handle), sshUint64(BigInt(start)), sshUint32(length));
        const answer = expect(kinds.data, at(path), asked).then(async body => body && (await asked).data);
        // Whoever stops reading does not wait for what is still on its way.
        answer.catch(() => undefined);
        return { at: start, length, answer };
      };
      try {
        for (;;) {
          while (pieces.length < piecesAhead && next < to) {
            const length = Math.min(pieceBytes, to - next);
            pieces.push(askMore(next, length));
            next += length;
          }
          const piece = pieces.shift();
          if (!piece) return;
          const data = await piece.answer;
          const length = data?.reduce((sum, bytes) => sum + bytes.length, 0) ?? 0;
          if (data === null || length === 0) return;
          // A host may answer with less: the rest is asked for before anything that follows.
          if (length < piece.length) pieces.unshift(askMore(piece.at + length, piece.length - length));
          yield* data;
        }
      } finally {
        void close(handle);
      }
    },
    async write(path, how) {
      const flags = {
        new: openFlags.write | openFlags.create | openFlags.exclusive,
        over: openFlags.write | openFlags.create | openFlags.truncate,
        on: openFlags.write,
      }[how.as];
      const handle = await changing(path, open(path, flags, how.mode));
      const facts = await get(kinds.attributes, at(path), ask(kinds.fstat, sshString(handle)), body =>
        factsOf(body.attributes()),
      );
      let ahead = 0;
      let answered: () => void = () => undefined;
      let place = how.at;
      let problem: unknown;
      const send = (bytes: Uint8Array): void => {
        ahead++;
        done(
          at(path),
          askWith(kinds.write, [sshString(handle), sshUint64(BigInt(place)), sshUint32(bytes.length)], bytes),
        )
          .catch((error: unknown) => {
            problem ??= error;
          })
          .finally(() => {
            ahead--;
            answered();
          });
        place += bytes.length;
      };
      const wait = async (most: number): Promise<void> => {
        while (ahead > most) {
          await new Promise<void>(go => {
            answered = go;
          });
        }
      };
      const check = async (): Promise<void> => {
        if (problem === undefined) return;
        const error = await explained(path, problem, true);
        throw error instanceof Unexplained ? noRoomFailure(at(path)) : error;
      };
      return {
        facts,
        async write(bytes) {
          for (let from = 0; from < bytes.length; from += pieceBytes) {
            await wait(piecesAhead - 1);
            await check();
            send(bytes.subarray(from, from + pieceBytes));
          }
        },
        async end() {
          await wait(0);
          // Some hosts find out only now that there is no room.
          const closing = done(at(path), ask(kinds.close, sshString(handle)));
          await closing.catch((error: unknown) => {
            problem ??= error;
          });
          await check();
        },
      };
    },
    change: (path, to) => setAttributes(path, to),
    makeFolder: path => changing(path, done(at(path), ask(kinds.mkdir, pathOf(path), attributes({ mode: 0o755 })))),
    removeFile: path => changing(path, done(at(path), ask(kinds.remove, pathOf(path))), false),
    removeFolder: path =>
      changing(path, done(at(path), ask(kinds.rmdir, pathOf(path))), false).catch(async (error: unknown) => {
        if (!(error instanceof Unexplained)) throw error;
        for await (const { length } of list(path)) if (length > 0) throw failed(path, 'ENOTEMPTY');
        throw error;
      }),
    async rename(from, to, replace) {
      const names = [pathOf(from), pathOf(to)];
      if (!replace)
        return changing(to, done(at(to), ask(kinds.rename, ...names))).catch(async (error: unknown) => {
          if (!(error instanceof Unexplained)) throw error;
          if (await itself(to).catch(() => null)) throw failed(to, 'EEXIST');
          const [here, beyond] = [await volumeOf(from), await volumeOf(to)];
          throw here && beyond && here.id !== beyond.id ? failed(to, 'EXDEV') : error;
        });
      if (extensions.has(POSIX_RENAME))
        return changing(to, done(at(to), ask(kinds.extended, sshString(POSIX_RENAME), ...names)));
      // The host knows no other way; for a blink there is nothing of that name.
      await done(at(to), ask(kinds.remove, pathOf(to))).catch(() => undefined);
      await done(at(to), ask(kinds.rename, ...names));
    },
  };

  async function setAttributes(path: string, to: Attributes): Promise<void> {
    await changing(path, done(at(path), ask(kinds.setstat, pathOf(path), attributes(to))), false);
  }
}
