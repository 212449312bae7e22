import { expect, test } from 'vitest';
import { pickedFolder } from './dropped.ts';

test('a folder that was picked has its folders before what is in them', () => {
  const file = (path: string): File =>
    Object.assign(new File([], path.replace(/.*\//, '')), { webkitRelativePath: path });
  const { folders } = pickedFolder([file('box/a'), file('box/sub/deep/b'), file('box/sub/c')]);
  expect(folders.map(({ name, parts }) => [name, parts.map(({ path, file }) => path + (file ? '' : '/'))])).toEqual([
    ['box', ['a', 'sub/', 'sub/deep/', 'sub/deep/b', 'sub/c']],
  ]);
});
