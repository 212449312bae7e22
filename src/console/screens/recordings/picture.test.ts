import { expect, test } from 'vitest';
import { terminalThemes } from '../../terminal/theme.ts';
import { colourOf, lastLines, roomOf } from './picture.ts';

const { dark } = terminalThemes;

test.each([
  ['text', dark.foreground],
  ['ground', dark.background],
  ['1', dark.red],
  ['9', dark.brightRed],
  ['#010203', '#010203'],
  ['16', 'rgb(0,0,0)'],
  ['208', 'rgb(255,135,0)'],
  ['255', 'rgb(238,238,238)'],
])('the colour %s', (name, expected) => expect(colourOf(name, dark)).toBe(expected));

test('a picture is told by its last lines', () => {
  const lines = ['a', 'b', '', 'c', 'd'].map(text => [
    [0, 1, text, '', ''] as [number, number, string, string, string],
  ]);
  expect(lastLines({ cols: 80, rows: 24, lines })).toBe('b; c; d');
});

test('of a large window that part is shown which was used, of a small one all', () => {
  const line: [number, number, string, string, string][] = [[90, 10, 'the right', '', '']];
  expect(roomOf({ cols: 200, rows: 60, lines: [line] })).toEqual({ cols: 100, rows: 14 });
  expect(roomOf({ cols: 20, rows: 4, lines: [] })).toEqual({ cols: 20, rows: 4 });
});
