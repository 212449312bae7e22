// A folder of a server as a tar that is written while it is read: nothing of it is kept, however large it is.
import { Failure } from '../../../../contract/failure.ts';
import { shownName } from '../../../../contract/files.ts';
import type { FileFacts, HostFiles } from '../../../ports/files.ts';
import { bytesOfName } from '../../protocols/sftp/names.ts';
import { tarEnd, tarHeader, tarPadding } from '../../tar.ts';
import { below } from './paths.ts';

/** Folders within folders: no more, so that a ring of mounts ends. */
const DEPTH_MOST = 200;
/** What was left out is named, as much as that. */
const LEFT_OUT_MOST = 10_000;

interface ArchivePorts {
  readonly host: HostFiles;
  readonly signal: AbortSignal;
  /** Waits until the log has it that a file is read. */
  readonly opening: (path: string) => Promise<void>;
}

const wordsOf = (error: unknown): string => (error instanceof Failure ? error.message : 'it failed at the gateway');

/**
 * The folder `path` under its own name, depth first, links as links. What cannot be read and what is no file, folder or link is left out;
 * a last file, NAME.left-out.txt, says what and why.
 */
export async function* archive(
  { host, signal, opening }: ArchivePorts,
  path: string,
  name: string,
): AsyncGenerator<Buffer, void> {
  const leftOut: string[] = [];
  const leave = (what: string, why: string): void => {
    if (leftOut.length < LEFT_OUT_MOST) leftOut.push(`${shownName(what)}: ${why}\n`);
  };

  async function* file(at: string, as: string, facts: FileFacts): AsyncGenerator<Buffer, void> {
    await opening(at);
    const bytes = host.read(at, 0, facts.size);
    // Whether it may be read shows with its first bytes, before it has a header.
    let next: IteratorResult<Buffer, void>;
    try {
      next = await bytes.next();
    } catch (error) {
      return leave(as, wordsOf(error));
    }
    yield tarHeader({ ...facts, kind: 'file', path: bytesOfName(as) });
    let sent = 0;
    try {
      for (; !next.done; next = await bytes.next()) {
        sent += next.value.length;
        yield next.value;
      }
    } catch (error) {
      signal.throwIfAborted();
      leave(as, `only its first ${sent} bytes are here: ${wordsOf(error)}`);
    } finally {
      await bytes.return();
    }
    if (sent < facts.size) leave(as, `it became shorter while it was read: after ${sent} bytes there are zeros`);
    for (let missing = facts.size - sent; missing > 0; missing -= 65_536) yield Buffer.alloc(Math.min(missing, 65_536));
    yield tarPadding(facts.size);
  }
  async function* folder(at: string, as: string, facts: FileFacts, depth: number): AsyncGenerator<Buffer, void> {
    yield tarHeader({ ...facts, kind: 'folder', size: 0, path: bytesOfName(`${as}/`) });
    if (depth > DEPTH_MOST) return leave(as, `it lies below ${DEPTH_MOST} folders`);
    const folders: (FileFacts & { readonly name: string })[] = [];
    try {
      for await (const entries of host.list(at)) {
        for (const entry of entries) {
          signal.throwIfAborted();
          const [inner, shown] = [below(at, entry.name), `${as}/${entry.name}`];
          if (entry.kind === 'folder') folders.push(entry);
          else if (entry.kind === 'file') yield* file(inner, shown, entry);
          else if (entry.kind === 'link') yield* link(inner, shown, entry);
          else leave(shown, 'it is no file, folder or link');
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Failure) || error.code === 'unreachable') throw error;
      leave(as, wordsOf(error));
    }
    for (const entry of folders) yield* folder(below(at, entry.name), `${as}/${entry.name}`, entry, depth + 1);
  }
  async function* link(at: string, as: string, facts: FileFacts): AsyncGenerator<Buffer, void> {
    const leads = await host.target(at).catch((error: unknown) => leave(as, wordsOf(error)));
    if (leads !== undefined)
      yield tarHeader({ ...facts, kind: 'link', size: 0, path: bytesOfName(as), link: bytesOfName(leads) });
  }

  const facts = await host.facts(path);
  yield* folder(path, name, facts, 0);
  if (leftOut.length > 0) {
    const said = Buffer.from(leftOut.join(''));
    const about = { ...facts, kind: 'file' as const, mode: 0o644, size: said.length };
    yield tarHeader({ ...about, path: bytesOfName(`${name}.left-out.txt`) });
    yield Buffer.concat([said, tarPadding(said.length)]);
  }
  yield tarEnd();
}
