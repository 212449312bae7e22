// Files and folders that a person drags here or picks.
import type { LocalPart } from '../../terminal/files/moves.ts';

/** Things in one folder. */
const PARTS_MOST = 100_000;

export interface Dropped {
  readonly files: readonly File[];
  readonly folders: readonly { readonly name: string; readonly parts: readonly LocalPart[] }[];
}

/** A folder that was picked comes as its files, each with its path; folders without files are not told by browsers. */
export function pickedFolder(files: readonly File[]): Dropped {
  const folders = new Map<string, Map<string, File | null>>();
  for (const file of files) {
    const [name = '', ...rest] = file.webkitRelativePath.split('/');
    const parts = folders.get(name) ?? new Map<string, File | null>();
    folders.set(name, parts);
    for (let depth = 1; depth < rest.length; depth++) parts.set(rest.slice(0, depth).join('/'), null);
    parts.set(rest.join('/'), file);
  }
  return {
    files: [],
    folders: [...folders].map(([name, parts]) => ({ name, parts: [...parts].map(([path, file]) => ({ path, file })) })),
  };
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((done, fail) => entry.file(done, fail));
const some = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((done, fail) => reader.readEntries(done, fail));

async function partsOf(folder: FileSystemDirectoryEntry, base: string, into: LocalPart[]): Promise<void> {
  const reader = folder.createReader();
  for (let entries = await some(reader); entries.length > 0; entries = await some(reader)) {
    for (const entry of entries) {
      if (into.length >= PARTS_MOST)
        throw new Error(`More than ${PARTS_MOST} things are in this folder: drop its parts`);
      const path = base + entry.name;
      if (entry.isDirectory) {
        into.push({ path, file: null });
        await partsOf(entry as FileSystemDirectoryEntry, `${path}/`, into);
      } else into.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
    }
  }
}

/** Call it while the drop is being handled: browsers forget afterwards what was dropped. Rejects where something cannot be read. */
export async function dropped({ items, files }: DataTransfer): Promise<Dropped> {
  const entries = [...items].flatMap(item => item.webkitGetAsEntry?.() ?? []);
  const plain = [...files];
  const folders = entries.filter((entry): entry is FileSystemDirectoryEntry => entry.isDirectory);
  const names = new Set(folders.map(({ name }) => name));
  return {
    // A folder stands among the files too, as one that cannot be read.
    files: plain.filter(({ name }) => !names.has(name)),
    folders: await Promise.all(
      folders.map(async folder => {
        const parts: LocalPart[] = [];
        await partsOf(folder, '', parts);
        return { name: folder.name, parts };
      }),
    ),
  };
}
