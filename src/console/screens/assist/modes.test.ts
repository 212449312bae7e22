import { expect, test } from 'vitest';
import { nameOfMode, viewModes } from './modes.ts';

// Rule 3.3: view modes of the assistant: docked 1, popup 2, expanded 3, expanded with the sidebar 4
test('the modes of the assistant have the numbers of the wire, and an unknown one is docked', () => {
  expect(viewModes.map(({ mode, name }) => [mode, name])).toEqual([
    [1, 'docked'],
    [2, 'popup'],
    [3, 'expanded'],
    [4, 'expandedWithHistory'],
  ]);
  expect(nameOfMode(9)).toBe('docked');
});
