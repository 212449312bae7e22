import { expect, test } from 'vitest';
import type { FileEntry } from '../../../contract/files.ts';
import { above, arranged, modeText, typedIn } from './rows.ts';

const entry = (name: string, kind: FileEntry['kind'] = 'file', size = 0): FileEntry => ({
  name,
  kind,
  size,
  mode: 0o644,
  modified: '2026-01-01T00:00:00Z',
});

test('folders come first, names by their numbers, and what does not fit is left out', () => {
  const entries = [entry('f10', 'file', 1), entry('F2', 'file', 9), entry('zoo', 'folder'), entry('other')];
  const shown = (filter: string, key: string, down = false) =>
    arranged(entries, filter, { key, down }).map(({ name }) => name);
  expect(shown('', 'name')).toEqual(['zoo', 'F2', 'f10', 'other']);
  expect(shown('f', 'name')).toEqual(['F2', 'f10']);
  expect(shown('', 'size', true)).toEqual(['zoo', 'F2', 'f10', 'other']);
});

test('permissions are said as ls says them', () =>
  expect(
    [
      { kind: 'file', mode: 0o644 },
      { kind: 'folder', mode: 0o1777 },
      { kind: 'file', mode: 0o4755 },
      { kind: 'link', mode: 0o2660 },
    ].map(one => modeText(one as FileEntry)),
  ).toEqual(['-rw-r--r--', 'drwxrwxrwt', '-rwsr-xr-x', 'lrw-rwS---']));

test('what is typed begins at the root, the home, or the folder it is typed in', () =>
  expect(['/etc', '~/x', 'b/c', '..'].map(typed => typedIn('/a', typed))).toEqual(['/etc', '~/x', '/a/b/c', '/a/..']));

test('above the root there is nothing', () =>
  expect(['/a/b', '/a/b/', '/a', '/'].map(above)).toEqual(['/a', '/a', '/', '/']));
