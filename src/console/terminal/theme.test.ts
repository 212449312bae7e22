import type { ITheme } from '@xterm/xterm';
import { expect, test } from 'vitest';
import { leastContrast, terminalThemes } from './theme.ts';

/** Relative luminance of #rrggbb (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one = '', other = ''): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}
const names = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;
const bright = ['brightRed', 'brightGreen', 'brightYellow', 'brightBlue', 'brightMagenta', 'brightCyan'] as const;
const colours = ['black', ...names, 'brightBlack', ...bright] as const satisfies readonly (keyof ITheme)[];

test.each(colours)('in the light theme %s has 7:1 as text and under inverse text', name => {
  const { [name]: colour, background } = terminalThemes.light;
  expect(contrast(colour, background)).toBeGreaterThanOrEqual(7);
});

test.each(['white', 'brightWhite'] as const)('in the light theme black stands on %s with 7:1', name =>
  expect(contrast(terminalThemes.light.black, terminalThemes.light[name])).toBeGreaterThanOrEqual(7),
);

test.each(['light', 'dark'] as const)('in the %s theme text on the ground has 7:1', name => {
  const { foreground, background } = terminalThemes[name];
  expect(contrast(foreground, background)).toBeGreaterThanOrEqual(7);
});

test('what programs choose themselves is moved to 7:1 on the light ground', () => expect(leastContrast.light).toBe(7));
