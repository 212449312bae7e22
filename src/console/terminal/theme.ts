// The colours of terminals, one table for each theme of the console; xterm wants values, not custom properties.
import type { ITheme } from '@xterm/xterm';
import { type Colours, colours, isColours } from './colours.ts';

/**
 * On the light ground each of the sixteen colours has at least 7:1 as text, and as the ground of inverse text; its two whites are grounds
 * that programs print black on. On the dark ground text has at least 7:1, and each colour but black at least 4.5:1.
 */
export const terminalThemes: Readonly<Record<'light' | 'dark', ITheme>> = {
  light: {
    background: '#ffffff',
    foreground: '#1c2024',
    cursor: '#1c2024',
    cursorAccent: '#ffffff',
    selectionBackground: '#b4d5fe',
    selectionInactiveBackground: '#dfe3e8',
    scrollbarSliderBackground: '#1c202426',
    scrollbarSliderHoverBackground: '#1c202444',
    scrollbarSliderActiveBackground: '#1c202466',
    black: '#1c2024',
    red: '#a31420',
    green: '#0e5a35',
    yellow: '#664200',
    blue: '#0a4a9c',
    magenta: '#7a2690',
    cyan: '#075763',
    white: '#d0d7de',
    brightBlack: '#4f565e',
    brightRed: '#a8121f',
    brightGreen: '#11602a',
    brightYellow: '#6b4700',
    brightBlue: '#0550ae',
    brightMagenta: '#80289a',
    brightCyan: '#0a5c68',
    brightWhite: '#f2f4f6',
  },
  dark: {
    background: '#0d0f12',
    foreground: '#e6e8eb',
    cursor: '#e6e8eb',
    cursorAccent: '#0d0f12',
    selectionBackground: '#264f78',
    selectionInactiveBackground: '#2b3138',
    scrollbarSliderBackground: '#e6e8eb26',
    scrollbarSliderHoverBackground: '#e6e8eb44',
    scrollbarSliderActiveBackground: '#e6e8eb66',
    black: '#3a4048',
    red: '#ff6b6b',
    green: '#4cc38a',
    yellow: '#e5b84b',
    blue: '#6cb1ff',
    magenta: '#d58cff',
    cyan: '#4ccfe0',
    white: '#c9ced4',
    brightBlack: '#8b929a',
    brightRed: '#ff8f8f',
    brightGreen: '#6fdba6',
    brightYellow: '#f2cf7a',
    brightBlue: '#94c7ff',
    brightMagenta: '#e3b0ff',
    brightCyan: '#7fe0ec',
    brightWhite: '#ffffff',
  },
};

/** Programs pick colours for another ground than ours: xterm moves them until their text has this contrast (WCAG 1.4.6 and 1.4.3). */
export const leastContrast = { light: 7, dark: 4.5 } as const;

/** The search's marks, in each theme. */
export const findColours = {
  light: {
    matchBackground: '#ffe8a3',
    matchOverviewRuler: '#c99700',
    activeMatchBackground: '#ffb224',
    activeMatchColorOverviewRuler: '#8a5a00',
  },
  dark: {
    matchBackground: '#5c4813',
    matchOverviewRuler: '#c99700',
    activeMatchBackground: '#a16207',
    activeMatchColorOverviewRuler: '#ffb224',
  },
} as const;

/** The colours that a person chose for terminals, and the kind of ground they are on; without a choice the console's own. */
export function chosenTheme(page: Document): { readonly ground: 'light' | 'dark'; readonly theme: ITheme } {
  const name = page.documentElement.dataset.terminalColours ?? '';
  if (!isColours(name)) return { ground: currentTheme(page), theme: terminalThemes[currentTheme(page)] };
  const { ground, ...chosen }: Colours = colours[name];
  const { foreground } = chosen;
  // Selections and scroll bars as on a ground of that kind.
  return {
    ground,
    theme: { ...terminalThemes[ground], ...chosen, cursor: foreground, cursorAccent: chosen.background },
  };
}

/** The console's theme now; light is the console's default. */
const currentTheme = (page: Document): 'light' | 'dark' =>
  page.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';

/** Calls when the console's theme, or the dress of terminals, changes; answers how to stop. */
export function onTheme(page: Document, run: () => void): () => void {
  const watch = new MutationObserver(run);
  watch.observe(page.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'data-terminal-colours', 'data-terminal-font'],
  });
  return () => watch.disconnect();
}
