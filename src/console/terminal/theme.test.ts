import type { ITheme } from '@xterm/xterm';
import { expect, test } from 'vitest';
import { contrast } from '../styles/contrast.testing.ts';
import { type Colours, colours as chosenColours } from './colours.ts';
import { leastContrast, terminalThemes } from './theme.ts';

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

test.each(Object.entries(chosenColours))(
  'of the colours %s, text and what programs print stands on the ground',
  (_name, chosen: Colours) => {
    const { ground, background, foreground, ...programs } = chosen;
    expect(contrast(foreground, background)).toBeGreaterThanOrEqual(7);
    for (const [name, colour] of Object.entries(programs))
      if (name !== 'black' && !(ground === 'light' && name === 'white'))
        expect(contrast(colour, background), name).toBeGreaterThanOrEqual(4.5);
  },
);
