// A terminal's screen as rows of coloured text, for a small picture of it.
import type { IBuffer, IBufferCell } from '@xterm/headless';
import type { ScreenPicture } from '../../../contract/recordings.ts';
import type { Size } from '../../ports/shell.ts';

/** A larger screen is shown in part: its left side, and the rows up to the last with text. */
const COLS_MOST = 200;
const ROWS_MOST = 60;
/** Runs of one look kept of a row; the rest of it is left out: rainbows would be larger than all the other rows together. */
const RUNS_MOST = 100;

type Run = ScreenPicture['lines'][number][number];

/** What is on the screen now. */
export function pictureOf(buffer: IBuffer, size: Size): ScreenPicture {
  const cols = Math.min(COLS_MOST, size.cols);
  const lines = Array.from({ length: size.rows }, (_, row) => lineOf(buffer, buffer.baseY + row, cols));
  const end = lines.findLastIndex(line => line.length > 0) + 1;
  const rows = Math.min(ROWS_MOST, size.rows);
  const first = Math.max(0, end - rows);
  return { cols, rows, lines: lines.slice(first, Math.max(first, end)) };
}

/** Where text stands, in its colours, without what it says. */
export const withoutLetters = (picture: ScreenPicture): ScreenPicture => ({
  ...picture,
  lines: picture.lines.map(line =>
    line.map(([column, cells, text, ink, paper]) => [column, cells, text.replace(/\S/gu, '▆'), ink, paper]),
  ),
});

function lineOf(buffer: IBuffer, row: number, cols: number): Run[] {
  const line = buffer.getLine(row);
  const cell = buffer.getNullCell();
  const runs: Run[] = [];
  for (let column = 0; line && column < cols; column += 1) {
    if (!line.getCell(column, cell) || cell.getWidth() === 0) continue;
    const text = cell.isInvisible() ? ' ' : cell.getChars() || ' ';
    const [ink, paper] = coloursOf(cell);
    const last = runs.at(-1);
    if (last && last[3] === ink && last[4] === paper && last[0] + last[1] === column) {
      last[1] += cell.getWidth();
      last[2] += text;
    } else if (runs.length < RUNS_MOST) runs.push([column, cell.getWidth(), text, ink, paper]);
  }
  return runs.map(withoutBlanks).filter(([, cells]) => cells > 0);
}

/** Blanks around it are left out where the ground is the terminal's own. */
function withoutBlanks([column, cells, text, ink, paper]: Run): Run {
  if (paper !== '') return [column, cells, text, ink, paper];
  const [before, after] = [text.length - text.trimStart().length, text.length - text.trimEnd().length];
  return [column + before, Math.max(0, cells - before - after), text.trim(), ink, paper];
}

/** Colour of the text and of the ground: '' the terminal's own, a number of the palette, or #rrggbb. */
function coloursOf(cell: IBufferCell): [ink: string, paper: string] {
  const name = (value: number, isRgb: boolean): string =>
    isRgb ? `#${value.toString(16).padStart(6, '0')}` : String(value);
  const ink = cell.isFgDefault() ? '' : name(cell.getFgColor(), cell.isFgRGB());
  const paper = cell.isBgDefault() ? '' : name(cell.getBgColor(), cell.isBgRGB());
  return cell.isInverse() ? [paper || 'ground', ink || 'text'] : [ink, paper];
}
