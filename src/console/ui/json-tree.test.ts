import { expect, test } from 'vitest';
import { jsonLines, treeStep } from './json-tree.ts';

const value = { user: 'ann', labels: { env: 'prod' }, roles: ['a', 'b'], none: [], missing: null };
const names = (closed: readonly string[]) => jsonLines(value, new Set(closed)).map(({ name }) => name);

test('a tree shows what is inside of all that is open, in the order of the value', () => {
  expect(names([])).toEqual(['user', 'labels', 'env', 'roles', '0', '1', 'none', 'missing']);
  expect(names(['["labels"]', '["roles"]'])).toEqual(['user', 'labels', 'roles', 'none', 'missing']);
  expect(jsonLines(value, new Set()).map(({ holds }) => holds)).toEqual([
    undefined,
    '1 field',
    undefined,
    '2 items',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(jsonLines('text', new Set())).toEqual([]);
});

test('arrows walk, open and close it as in every tree', () => {
  const lines = jsonLines(value, new Set(['["roles"]']));
  const step = (name: string, key: string) =>
    treeStep(
      lines,
      lines.findIndex(line => line.name === name),
      key,
    );
  expect(step('user', 'ArrowUp')).toEqual({ to: 0 });
  expect(step('user', 'ArrowDown')).toEqual({ to: 1 });
  expect(step('labels', 'ArrowRight')).toEqual({ to: 2 });
  expect(step('env', 'ArrowLeft')).toEqual({ to: 1 });
  expect(step('labels', 'ArrowLeft')).toEqual({ toggle: '["labels"]' });
  expect(step('roles', 'ArrowRight')).toEqual({ toggle: '["roles"]' });
  expect(step('user', 'End')).toEqual({ to: 5 });
  expect(step('missing', 'Home')).toEqual({ to: 0 });
  expect(step('user', 'ArrowRight')).toBeNull();
  expect(step('user', 'ArrowLeft')).toBeNull();
  expect(step('user', 'x')).toBeNull();
});
