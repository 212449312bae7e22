// One upload, which may come in several parts when the connection is cut: to a name of its own beside the file, which takes the file's
// place once it is whole. So nobody ever sees half of it, and what was there stays when it fails.
import { randomBytes } from 'node:crypto';
import { Failure } from '../../../../contract/failure.ts';
import { shownName } from '../../../../contract/files.ts';
import type { FileFacts, FileWriter, HostFiles } from '../../../ports/files.ts';
import { below, folderOf, lastOf, nameOf } from './paths.ts';

/** What a file that is new may be used for: its login writes, all read. */
const NEW_MODE = 0o644;

export interface Upload {
  /** Where it will be, without links. */
  readonly path: string;
  /** Bytes that were taken. */
  readonly received: number;
  write(bytes: Uint8Array): Promise<void>;
  /** It is whole: the file has its name. Throws what the host refused. */
  finish(): Promise<void>;
  /** It will not be: what was written is taken away, where it was not written over the file itself. */
  discard(): Promise<void>;
}

/** Where a file goes: into a folder by its own name, else to the very path. Throws Failure bad_request, not_found. */
export async function destination(
  host: HostFiles,
  location: string,
  filename: string,
): Promise<{ readonly path: string; readonly existing: FileFacts | null }> {
  const at = async (path: string): Promise<FileFacts | null> =>
    host.facts(path).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found') return null;
      throw error;
    });
  const isFolder = /\/$/.test(location);
  let path = await host.resolve(location);
  let existing = isFolder ? await host.facts(path) : await at(path);
  if (existing?.kind === 'folder') {
    path = await host.resolve(below(path, nameOf(filename)));
    existing = await at(path);
  }
  if (existing?.kind === 'folder')
    throw new Failure('bad_request', `${shownName(path)} is a folder: an upload does not replace one.`);
  if (existing && existing.kind !== 'file')
    throw new Failure('bad_request', `${shownName(path)} is no file that could be written.`);
  nameOf(lastOf(path));
  return { path, existing };
}

/** Begins. Throws Failure with the host's refusal. */
export async function openUpload(
  host: HostFiles,
  path: string,
  existing: FileFacts | null,
  newMode = NEW_MODE,
): Promise<Upload> {
  const mode = existing?.mode ?? newMode;
  const beside = `${folderOf(path) === '/' ? '' : folderOf(path)}/.postern-${randomBytes(8).toString('hex')}.part`;
  const besides = await openBeside(host, beside, mode, existing);
  const writer = besides ?? (await host.write(path, { as: 'over', mode, at: 0 }));
  let received = 0;
  let isOver = false;
  return {
    path,
    get received() {
      return received;
    },
    async write(bytes) {
      await writer.write(bytes);
      received += bytes.length;
    },
    async finish() {
      await writer.end();
      isOver = true;
      if (!besides) return;
      try {
        if (besides.facts.mode !== mode) await host.change(beside, { mode });
        await host.rename(beside, path, existing !== null);
      } catch (error) {
        await host.removeFile(beside).catch(() => undefined);
        throw error;
      }
    },
    async discard() {
      if (isOver) return;
      isOver = true;
      await writer.end().catch(() => undefined);
      if (besides) await host.removeFile(beside).catch(() => undefined);
    },
  };
}

/** Null where the folder takes no new file, or not for the owner of the one that is there: then that one is written over. */
async function openBeside(
  host: HostFiles,
  beside: string,
  mode: number,
  existing: FileFacts | null,
): Promise<FileWriter | null> {
  let writer: FileWriter;
  try {
    writer = await host.write(beside, { as: 'new', mode, at: 0 });
  } catch (error) {
    if (existing && error instanceof Failure && error.code === 'denied') return null;
    throw error;
  }
  const { uid, gid } = writer.facts;
  if (!existing || (existing.uid === uid && existing.gid === gid)) return writer;
  try {
    await host.change(beside, { uid: existing.uid, gid: existing.gid });
    return writer;
  } catch {
    await writer.end().catch(() => undefined);
    await host.removeFile(beside).catch(() => undefined);
    return null;
  }
}
