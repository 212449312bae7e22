// What a picture of a screen is drawn with, and what it says in words.
import type { ScreenPicture } from '../../../contract/recordings.ts';
import type { chosenTheme } from '../../terminal/theme.ts';

type Theme = ReturnType<typeof chosenTheme>['theme'];

/** Lines that a picture is told by, to whoever cannot see it. */
const LINES_TOLD = 3;
const CHARACTERS_TOLD = 300;

/** The first sixteen colours of the palette, as themes call them. */
const named = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
/** Light of the six steps of the palette's colour cube. */
const steps = [0, 95, 135, 175, 215, 255] as const;

/** A colour of the contract's pictures as CSS has it. */
export function colourOf(name: string, theme: Theme): string {
  if (name.startsWith('#')) return name;
  if (name === 'text') return theme.foreground ?? '';
  if (name === 'ground') return theme.background ?? '';
  const number = Number(name);
  const own = named[number % 8] ?? 'black';
  if (number < 8) return theme[own] ?? '';
  if (number < 16) return theme[`bright${own.charAt(0).toUpperCase()}${own.slice(1)}` as 'brightRed'] ?? '';
  if (number >= 232) return `rgb(${Array(3).fill(8 + (number - 232) * 10)})`;
  const cube = number - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(step => steps[step] ?? 0)})`;
}

/** The last lines with text on them. */
export const lastLines = ({ lines }: ScreenPicture): string =>
  lines
    .map(line => line.map(([, , text]) => text).join(' '))
    .filter(text => text.trim() !== '')
    .slice(-LINES_TOLD)
    .join('; ')
    .slice(-CHARACTERS_TOLD);

/** A picture is not drawn larger than these: three words would fill it. */
const LEAST = { cols: 80, rows: 14 } as const;

/** Columns and rows to show: of a large window, those that were used. */
export function roomOf({ cols, rows, lines }: ScreenPicture): { readonly cols: number; readonly rows: number } {
  const used = Math.max(0, ...lines.flat().map(([column, cells]) => column + cells));
  return { cols: Math.min(cols, Math.max(used, LEAST.cols)), rows: Math.min(rows, Math.max(lines.length, LEAST.rows)) };
}
