import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { preferences, THEMES } from './preferences.ts';

const holds = (value: unknown): boolean => z.safeParse(preferences, value).success;

// Rule 3.3: preferences have a theme, 1 light or 2 dark, and view modes 1 to 4
test('a theme is 1 or 2, a view mode 1 to 4, a preferred kind of resource 0 to 5', () => {
  expect(THEMES).toEqual({ light: 1, dark: 2 });
  expect([0, 1, 2, 3].map(theme => holds({ theme }))).toEqual([false, true, true, false]);
  expect([0, 1, 2, 3, 4, 5].map(viewMode => holds({ assist: { viewMode } }))).toEqual([
    ...[false, true, true, true, true],
    false,
  ]);
  expect([-1, 0, 5, 6].map(one => holds({ onboard: { preferredResources: [one] } }))).toEqual([
    ...[false, true, true],
    false,
  ]);
});
