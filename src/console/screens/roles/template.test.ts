import { expect, test } from 'vitest';
import { lineOf } from './template.ts';

test('the line is read from what the gateway says', () => {
  expect(lineOf('line 7, column 5: unknown key "bogus"')).toBe(7);
  expect(lineOf('role.yaml:12:3: not a list')).toBe(12);
  expect(lineOf('role "x" is in use')).toBeUndefined();
});
