// Entries of a folder as a pane lists them.
import type { FileEntry } from '../../../contract/files.ts';
import { pathIn } from '../../terminal/files/place.ts';
import type { Sort } from '../../ui/table-column.ts';

const names = new Intl.Collator(undefined, { numeric: true });
const comparing: Readonly<Record<string, (a: FileEntry, b: FileEntry) => number>> = {
  name: (a, b) => names.compare(a.name, b.name),
  size: (a, b) => a.size - b.size,
  modified: (a, b) => a.modified.localeCompare(b.modified),
  mode: (a, b) => a.mode - b.mode,
};

/** Folders first; those alone whose names hold a text, whatever its case. */
export function arranged(entries: readonly FileEntry[], filter: string, sort: Sort): readonly FileEntry[] {
  const wanted = filter.toLowerCase();
  const compare = comparing[sort.key] ?? comparing.name;
  const isFolder = ({ kind }: FileEntry): number => Number(kind === 'folder');
  return entries
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort(
      (a, b) =>
        isFolder(b) - isFolder(a) || (compare?.(a, b) ?? 0) * (sort.down ? -1 : 1) || names.compare(a.name, b.name),
    );
}

const signs = { file: '-', folder: 'd', link: 'l', other: '?' } as const;
/** `-rw-r--r--`, as ls has it. */
export function modeText({ kind, mode }: Pick<FileEntry, 'kind' | 'mode'>): string {
  const bits = [...'rwxrwxrwx'].map((letter, at) => (mode & (0o400 >> at) ? letter : '-'));
  const special = (bit: number, at: number, letter: string): void => {
    if (mode & bit) bits[at] = bits[at] === 'x' ? letter : letter.toUpperCase();
  };
  special(0o4000, 2, 's');
  special(0o2000, 5, 's');
  special(0o1000, 8, 't');
  return signs[kind] + bits.join('');
}

/** A path as a person types it in a folder: from the root or the home, else from there. */
export const typedIn = (folder: string, typed: string): string => (/^[/~]/.test(typed) ? typed : pathIn(folder, typed));

/** The folder above; itself at the root. */
export const above = (path: string): string => path.replace(/\/+[^/]*\/*$/, '') || '/';
