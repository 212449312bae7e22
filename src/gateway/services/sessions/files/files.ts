// Files on servers, for people: copied to and from a browser, listed, made, moved and removed, as the login may on that host.
import { createHash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import { Failure } from '../../../../contract/failure.ts';
import { type CopyLine, type FileEntry, shownName } from '../../../../contract/files.ts';
import type { FileFacts, HostFiles } from '../../../ports/files.ts';
import { archive } from './archive.ts';
import { createBegun } from './begun.ts';
import {
  type ConnectionPorts,
  type Connections,
  createConnections,
  type FilesAsk,
  type FilesUse,
} from './connections.ts';
import { type FileAction, noteFile } from './files-audit.ts';
import { below, folderOf, lastOf, nameOf, pathOf } from './paths.ts';
import { destination, openUpload, type Upload } from './upload.ts';

/** Entries of a folder that one answer holds, and those that are looked through for the ones with a text in their names. */
const ENTRIES_MOST = 10_000;
const SEARCHED_MOST = 1_000_000;
/** What is removed with one folder. */
const REMOVED_MOST = 10_000;
/** How often a copy says how far it is, ms. */
const TELL_EVERY_MS = 250;
/** An upload that was cut off is kept for this long, ms. */
const RESUME_MS = 2 * 60_000;
/** Files up to this size are known by what is in them, bytes. */
const CONTENT_TAG_MOST_BYTES = 1_000_000;
/** A stream to the browser holds this much, bytes. */
const AHEAD_BYTES = 256 * 1024;

interface Download {
  readonly name: string;
  /** Of the whole file, bytes. */
  readonly size: number;
  /** First byte of what follows. */
  readonly from: number;
  /** Changes when the file does. */
  readonly tag: string;
  /** Permissions. */
  readonly mode: number;
  readonly bytes: Readable;
}
/** What is asked for of a download: all of it, or what follows `from` where the file still has the tag that was told. */
interface DownloadWish {
  readonly location: string;
  readonly from: number;
  readonly ifTag: string | null;
  /** Name under which it can go on after a cut without being proven and approved again; null: it cannot. */
  readonly transfer: string | null;
}
interface UploadWish {
  readonly location: string;
  readonly filename: string;
  /** Of this request, bytes. */
  readonly length: number;
  /** Bytes that went before it. */
  readonly from: number;
  /** Name under which it can go on after a cut; null: it cannot. */
  readonly transfer: string | null;
  /** Tag that the file must still have; null: whatever is there is replaced. */
  readonly ifTag: string | null;
  /** Permissions of a file that is new; absent: those of new files. */
  readonly mode?: number;
}
export interface Files extends Pick<Connections, 'list' | 'forbid' | 'prove' | 'proven'> {
  /** A folder with all that is in it, as a tar. Throws Failure not_found, denied, bad_request (no folder), unreachable. */
  downloadFolder(ask: FilesAsk, location: string): Promise<Pick<Download, 'name' | 'bytes'>>;
  /** What a download that was cut was proven with, when it goes on with the same file; null where nothing is known of it. */
  goesOn(ask: FilesAsk, wish: DownloadWish): FilesAsk | null;
  /** Throws Failure not_found, denied, bad_request (no file), unreachable, and `changed` for one that goes on. */
  download(ask: FilesAsk, wish: DownloadWish): Promise<Download>;
  /** Resolves when the file is whole and has its name. Throws Failure as the host refuses, and `changed`. */
  upload(ask: FilesAsk, wish: UploadWish, body: Readable): Promise<{ readonly path: string }>;
  /** Bytes that an upload has so far. Throws Failure not_found. */
  received(ask: FilesAsk, transfer: string): number;
  /** Forgets an upload and takes away what it has written. Throws Failure not_found. */
  cancel(ask: FilesAsk, transfer: string): Promise<void>;
  /**
   * From one server to another, through here: lines that say how far it is, the last one how it ended. Rejects before the first line as the
   * download does; whoever stops reading ends it.
   */
  copy(from: FilesAsk, location: string, to: FilesAsk, target: string): Promise<AsyncGenerator<CopyLine, void>>;
  /** `search`: only those that have it in their names, whatever its case. */
  entries(
    ask: FilesAsk,
    location: string,
    search?: string,
  ): Promise<{ readonly path: string; readonly entries: FileEntry[]; readonly whole: boolean }>;
  makeFolder(ask: FilesAsk, location: string): Promise<void>;
  /** Replaces nothing. */
  move(ask: FilesAsk, location: string, to: string): Promise<void>;
  /** A file, a link, or a folder; `all`: with what is in it, else only an empty one. */
  remove(ask: FilesAsk, location: string, all: boolean): Promise<void>;
  /** Breaks off what runs. */
  close(): Promise<void>;
}

interface RunningUpload {
  readonly upload: Upload;
  readonly use: FilesUse;
  readonly size: number;
  busy: boolean;
  isOver: boolean;
  /** Gives it up, for that reason. */
  end(why: string): Promise<void>;
  timer: NodeJS.Timeout | undefined;
}

/** What is done, for the audit log: the path as it was given until the host has said where it leads. */
interface Doing {
  action: FileAction;
  path: string;
  to?: string;
}

/** Where a name is, its folder without links: a link itself is meant, not what it leads to. Throws Failure bad_request for what has no name. */
async function placeOf(host: HostFiles, path: string): Promise<string> {
  const bare = path.replace(/\/+$/, '');
  const name = nameOf(lastOf(bare));
  return below(await host.resolve(bare.includes('/') ? folderOf(bare) : '.'), name);
}

/**
 * Changes when the file does. Hosts tell times in whole seconds, so a small file, which people change in place, is known by what is in it:
 * whoever saves it twice in one second, as long as it was, has changed it all the same.
 */
async function tagOf(host: HostFiles, path: string, { size, modified }: FileFacts): Promise<string> {
  if (size > CONTENT_TAG_MOST_BYTES) return `"${modified.getTime().toString(36)}-${size.toString(36)}"`;
  const hash = createHash('sha256');
  for await (const bytes of host.read(path, 0, size)) hash.update(bytes);
  return `"${hash.digest('base64url')}"`;
}
const wordsOf = (error: unknown): string => (error instanceof Failure ? error.message : 'it failed at the gateway');

export function createFiles(
  ports: ConnectionPorts & { readonly report: (problem: string, error: unknown) => void },
): Files {
  const { audit, report } = ports;
  const connections = createConnections(ports);
  /** Uploads that run or were cut, by whose they are and the name that was given to each. */
  const uploads = new Map<string, RunningUpload>();
  const begun = createBegun();
  const keyOf = ({ who, target, login }: FilesAsk, transfer: string): string =>
    JSON.stringify([who.webSessionId, target.id, login, transfer]);

  /** Does something and tells the audit log what it was, also when it failed. */
  async function acting<Value>(ask: FilesAsk, doing: Doing, act: (use: FilesUse) => Promise<Value>): Promise<Value> {
    const use = await connections.use(ask, true);
    try {
      const value = await act(use);
      await noteFile(audit, ask, use.sid, doing.action, doing);
      return value;
    } catch (error) {
      const reason = use.signal.aborted ? use.signal.reason : error;
      await noteFile(audit, ask, use.sid, doing.action, { ...doing, failed: wordsOf(reason) });
      throw reason;
    } finally {
      use.release();
    }
  }
  /** The log hears of the end of a copy, whoever waits for it or not. */
  const noteEnd = (
    ask: FilesAsk,
    sid: string,
    action: FileAction,
    path: string,
    size: number,
    failed: string | undefined,
  ) =>
    noteFile(audit, ask, sid, action, { path, size, ...(failed !== undefined && { failed }) }).catch((error: unknown) =>
      report('the end of a file transfer is not in the audit log', error),
    );

  /** A file on its way out; when it ends, however it does, the log hears of it. */
  function openBytes(
    ask: FilesAsk,
    use: FilesUse,
    path: string,
    /** null: it shows at the end. */
    size: number | null,
    pieces: AsyncGenerator<Buffer, void>,
    from = 0,
  ): Readable {
    let sent = from;
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const bytes of pieces) {
        sent += bytes.length;
        yield bytes;
      }
      if (size !== null && sent < size)
        throw new Failure('changed', `The file became shorter meanwhile: ${sent} of ${size} bytes came.`);
    }
    const bytes = Readable.from(counted(), { objectMode: false, highWaterMark: AHEAD_BYTES });
    addAbortSignal(use.signal, bytes);
    let failed: string | undefined;
    bytes.once('error', error => {
      failed = wordsOf(use.signal.aborted ? use.signal.reason : error);
    });
    bytes.once('close', () => {
      use.release();
      if (!bytes.readableEnded)
        failed ??= `It was broken off after ${size === null ? sent : `${sent} of ${size}`} bytes.`;
      void noteEnd(ask, use.sid, 'download', path, size ?? sent, failed);
    });
    return bytes;
  }

  async function begin(ask: FilesAsk, wish: UploadWish): Promise<RunningUpload> {
    const location = pathOf(wish.location);
    if (wish.from > 0)
      throw new Failure('not_found', 'Nothing of this upload is kept (any more): begin with its first byte.');
    const use = await connections.use(ask);
    let path = location;
    try {
      const place = await destination(use.host, location, wish.filename);
      path = place.path;
      await use.confine(path);
      if (wish.ifTag !== null && (!place.existing || (await tagOf(use.host, path, place.existing)) !== wish.ifTag))
        throw new Failure('changed', `${shownName(lastOf(path))} was changed on ${ask.target.hostname} meanwhile.`);
      // The log has it before the host does.
      await noteFile(audit, ask, use.sid, 'open', { path });
      const upload = await openUpload(use.host, path, place.existing, wish.mode);
      const one: RunningUpload = {
        upload,
        use,
        size: wish.length,
        busy: false,
        isOver: false,
        timer: undefined,
        end: why => giveUp(ask, keyOf(ask, wish.transfer ?? ''), one, why),
      };
      return one;
    } catch (error) {
      await noteEnd(ask, use.sid, 'upload', path, wish.length, wordsOf(error));
      use.release();
      throw error;
    }
  }
  async function giveUp(ask: FilesAsk, key: string, one: RunningUpload, why: string): Promise<void> {
    if (one.isOver) return;
    one.isOver = true;
    uploads.delete(key);
    clearTimeout(one.timer);
    await one.upload.discard();
    one.use.release();
    await noteEnd(ask, one.use.sid, 'upload', one.upload.path, one.size, why);
  }
  /** Takes what comes. False: it was cut before its end. */
  async function take({ upload, use, size }: RunningUpload, body: Readable): Promise<boolean> {
    const stop = (): void => void body.destroy(use.signal.reason);
    use.signal.addEventListener('abort', stop);
    const chunks = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        // A body that fails was cut; a host that fails is another matter.
        const next = await chunks.next().catch(() => null);
        use.signal.throwIfAborted();
        if (next === null) return false;
        if (next.done) return upload.received === size;
        await upload.write(next.value as Buffer);
      }
    } finally {
      use.signal.removeEventListener('abort', stop);
    }
  }

  const files: Files = {
    goesOn: (ask, { transfer, location, ifTag }) => begun.find(ask, { transfer, location, tag: ifTag })?.ask ?? null,
    prove: connections.prove,
    proven: connections.proven,
    list: connections.list,
    forbid: connections.forbid,
    async download(ask, wish) {
      const { location, from, ifTag } = wish;
      const wanted = pathOf(location);
      const use = await connections.use(ask);
      let path = wanted;
      try {
        path = await use.host.resolve(wanted);
        await use.confine(path);
        const facts = await use.host.facts(path);
        if (facts.kind === 'folder')
          throw new Failure('bad_request', `${shownName(lastOf(path))} is a folder: choose a file in it.`);
        if (facts.kind !== 'file')
          throw new Failure('bad_request', `${shownName(lastOf(path))} is no file that could be copied.`);
        const tag = await tagOf(use.host, path, facts);
        const file = { transfer: wish.transfer, location, tag };
        // What others were asked for is this file as it was.
        const before = begun.find(ask, { ...file, tag: ifTag });
        if (before && before.tag !== tag) {
          begun.forget(ask, file);
          throw new Failure('changed', `${shownName(lastOf(path))} was changed on ${ask.target.hostname} meanwhile.`);
        }
        const start = ifTag === null || ifTag === tag ? from : 0;
        if (start > facts.size)
          throw new Failure(
            'bad_request',
            `The file has ${facts.size} bytes: there is none to go on from at ${start}.`,
          );
        // The log has it before the first byte goes out.
        await noteFile(audit, ask, use.sid, 'open', { path });
        begun.keep(ask, file, use.signal);
        const bytes = openBytes(ask, use, path, facts.size, use.host.read(path, start, facts.size), start);
        bytes.once('close', () => begun.cut(ask, file));
        return { name: lastOf(path), size: facts.size, from: start, tag, mode: facts.mode, bytes };
      } catch (error) {
        use.release();
        await noteEnd(ask, use.sid, 'download', path, 0, wordsOf(error));
        throw error;
      }
    },
    async downloadFolder(ask, location) {
      const wanted = pathOf(location);
      const use = await connections.use(ask);
      let path = wanted;
      try {
        path = await use.host.resolve(wanted);
        await use.confine(path);
        const name = lastOf(path) || ask.target.hostname;
        if ((await use.host.facts(path)).kind !== 'folder')
          throw new Failure('bad_request', `${shownName(name)} is no folder: download it as the file it is.`);
        await noteFile(audit, ask, use.sid, 'list', { path });
        const opening = (inner: string): Promise<void> => noteFile(audit, ask, use.sid, 'open', { path: inner });
        const pieces = archive({ host: use.host, signal: use.signal, opening }, path, name);
        return { name: `${name}.tar`, bytes: openBytes(ask, use, path, null, pieces) };
      } catch (error) {
        use.release();
        await noteEnd(ask, use.sid, 'download', path, 0, wordsOf(error));
        throw error;
      }
    },
    async upload(ask, wish, body) {
      const key = keyOf(ask, wish.transfer ?? '');
      const before = wish.transfer === null ? undefined : uploads.get(key);
      if (before?.busy) throw new Failure('exists', 'This upload is running already.');
      if (before && (before.upload.received !== wish.from || before.size !== wish.from + wish.length))
        throw new Failure('changed', `This upload has ${before.upload.received} of ${before.size} bytes.`);
      const one = before ?? (await begin(ask, wish));
      clearTimeout(one.timer);
      one.busy = true;
      if (wish.transfer !== null) uploads.set(key, one);
      const { upload, use, size } = one;
      try {
        if (await take(one, body)) {
          await upload.finish();
          uploads.delete(key);
          use.release();
          await noteEnd(ask, use.sid, 'upload', upload.path, size, undefined);
          return { path: upload.path };
        }
      } catch (error) {
        const reason = use.signal.aborted ? use.signal.reason : error;
        await one.end(wordsOf(reason));
        throw reason;
      }
      const cut = `The upload was cut off after ${upload.received} of ${size} bytes.`;
      if (wish.transfer === null) {
        await one.end(cut);
      } else {
        const stop = (): void => void (one.busy || one.end(cut));
        one.busy = false;
        one.timer = setTimeout(stop, RESUME_MS).unref();
        use.signal.addEventListener('abort', stop, { once: true });
      }
      throw new Failure('bad_request', cut);
    },
    async copy(from, location, to, target) {
      const { size, mode, bytes } = await files.download(from, { location, from: 0, ifTag: null, transfer: null });
      let copied = 0;
      let problem: unknown;
      async function* counted(): AsyncGenerator<Buffer> {
        try {
          for await (const piece of bytes) {
            yield piece as Buffer;
            copied += (piece as Buffer).length;
          }
        } catch (error) {
          problem = error;
          throw error;
        }
      }
      const body = Readable.from(counted(), { objectMode: false, highWaterMark: AHEAD_BYTES });
      const wish = { location: target, filename: '', length: size, from: 0, ifTag: null, transfer: null };
      async function* lines(): AsyncGenerator<CopyLine, void> {
        let isOver = false;
        const copying = files
          .upload(to, { ...wish, mode: mode & 0o777 }, body)
          .then(
            () => ({ done: true }),
            (error: unknown) => {
              const reason = problem instanceof Failure ? problem : error;
              return {
                failed: { code: reason instanceof Failure ? reason.code : 'unknown', message: wordsOf(reason) },
              };
            },
          )
          .finally(() => {
            isOver = true;
          });
        try {
          for (let told = -1; !isOver; ) {
            if (told !== copied) yield { copied, size };
            told = copied;
            const pause = new AbortController();
            await Promise.race([
              copying,
              later(TELL_EVERY_MS, undefined, { signal: pause.signal }).catch(() => undefined),
            ]);
            pause.abort();
          }
          yield { copied, size, ...(await copying) };
        } finally {
          body.destroy();
          await copying;
        }
      }
      return lines();
    },
    received(ask, transfer) {
      const one = uploads.get(keyOf(ask, transfer));
      if (!one) throw new Failure('not_found', 'Nothing of this upload is kept (any more).');
      return one.upload.received;
    },
    async cancel(ask, transfer) {
      const one = uploads.get(keyOf(ask, transfer));
      if (!one) throw new Failure('not_found', 'Nothing of this upload is kept (any more).');
      await one.end('It was cancelled.');
    },
    entries: (ask, location, search = '') => {
      const wanted = search.toLowerCase();
      const doing: Doing = { action: 'list', path: pathOf(location) };
      return acting(ask, doing, async ({ host, signal, confine }) => {
        doing.path = await host.resolve(doing.path);
        await confine(doing.path);
        const { path } = doing;
        const entries: FileEntry[] = [];
        let seen = 0;
        for await (const some of host.list(path)) {
          signal.throwIfAborted();
          for (const { name, kind, size, mode, modified } of some) {
            if (entries.length === ENTRIES_MOST || seen++ === SEARCHED_MOST) return { path, entries, whole: false };
            if (!name.toLowerCase().includes(wanted)) continue;
            entries.push({ name, kind, size, mode, modified: modified.toISOString() });
          }
        }
        return { path, entries, whole: true };
      });
    },
    makeFolder: (ask, location) => {
      const doing: Doing = { action: 'makeFolder', path: pathOf(location) };
      return acting(ask, doing, async ({ host, confine }) => {
        doing.path = await placeOf(host, doing.path);
        await confine(doing.path);
        if (await host.facts(doing.path).catch(() => null))
          throw new Failure('exists', `There is already something named ${shownName(lastOf(doing.path))}.`);
        await host.makeFolder(doing.path);
      });
    },
    move: (ask, location, to) => {
      const doing = { action: 'rename' as const, path: pathOf(location), to: pathOf(to) };
      return acting(ask, doing, async ({ host }) => {
        doing.path = await placeOf(host, doing.path);
        doing.to = await placeOf(host, doing.to);
        if (doing.path !== doing.to && `${doing.to}/`.startsWith(`${doing.path}/`))
          throw new Failure('bad_request', `${shownName(lastOf(doing.path))} cannot be moved into itself.`);
        await host.rename(doing.path, doing.to, false);
      });
    },
    remove: (ask, location, all) => {
      const doing: Doing = { action: 'remove', path: pathOf(location) };
      let removed = 0;
      return acting(ask, doing, async ({ host, sid, signal }) => {
        /** Each thing in a folder has an event of its own. */
        async function empty(folder: string): Promise<void> {
          const inner: { readonly path: string; readonly isFolder: boolean }[] = [];
          for await (const some of host.list(folder)) {
            for (const { name, kind } of some) inner.push({ path: below(folder, name), isFolder: kind === 'folder' });
            signal.throwIfAborted();
            if (removed + inner.length > REMOVED_MOST)
              throw new Failure(
                'too_large',
                `${shownName(folder)} has more than ${REMOVED_MOST} things in it: remove them in parts.`,
              );
          }
          for (const { path, isFolder } of inner) {
            signal.throwIfAborted();
            removed++;
            if (isFolder) await empty(path);
            await (isFolder ? host.removeFolder(path) : host.removeFile(path));
            await noteFile(audit, ask, sid, isFolder ? 'removeFolder' : 'remove', { path });
          }
        }
        doing.path = await placeOf(host, doing.path);
        if ((await host.itself(doing.path)).kind !== 'folder') return host.removeFile(doing.path);
        doing.action = 'removeFolder';
        if (all) await empty(doing.path);
        await host.removeFolder(doing.path);
      });
    },
    async close() {
      await Promise.all([...uploads.values()].map(({ end }) => end('The gateway stopped.')));
      begun.close();
      connections.close();
    },
  };
  return files;
}
