// What a line that is being typed looks like: drawn over what it looked like before.
import { charactersOf, shown, widthOf } from './cells.ts';

interface Typed {
  /** In front of the first line, and of those behind it. */
  readonly prompt: string;
  readonly further: string;
  readonly text: string;
  readonly at: number;
}
export interface Screen {
  readonly cols: number;
  readonly rows: number;
}
export interface LineView {
  /** The bytes that bring the screen up to date. */
  draw(typed: Typed, screen: Screen): string;
  /** The same with the cursor behind the end and on a line of its own: something else is printed now. */
  leave(): string;
}

interface Drawn {
  readonly lines: readonly string[];
  readonly row: number;
  readonly col: number;
}

/** Lines as they stand on the screen, at most as many as fit, those around the cursor. */
function layOut({ prompt, further, text, at }: Typed, { cols, rows }: Screen): Drawn {
  const lines: string[] = [];
  let line = prompt;
  let width = widthOf(prompt);
  let cursor = { row: 0, col: width };
  const breakLine = (next: string): void => {
    lines.push(line);
    line = next;
    width = widthOf(next);
  };
  for (const { text: character, at: place } of charactersOf(text)) {
    if (character === '\n') {
      if (place === at) cursor = { row: lines.length, col: width };
      breakLine(further);
      continue;
    }
    const printed = shown(character);
    const wide = widthOf(printed);
    if (width + wide > cols) breakLine('');
    if (place === at) cursor = { row: lines.length, col: width };
    line += printed;
    width += wide;
  }
  if (at >= text.length) {
    if (width >= cols) breakLine('');
    cursor = { row: lines.length, col: width };
  }
  lines.push(line);
  const first = Math.max(0, Math.min(cursor.row - Math.floor(rows / 2), lines.length - rows));
  return { lines: lines.slice(first, first + rows), row: cursor.row - first, col: cursor.col };
}

export function createLineView(): LineView {
  let before: Drawn | null = null;
  const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : '');
  const toColumn = (col: number): string => `\r${col > 0 ? `\x1b[${col}C` : ''}`;
  return {
    draw(typed, screen) {
      const now = layOut(typed, screen);
      const last = now.lines.at(-1) ?? '';
      const was = before;
      before = now;
      const isAtEnd = now.row === now.lines.length - 1 && typed.at >= typed.text.length;
      // Somebody who types at the end sees one character more, and nothing else moves.
      if (was && isAtEnd && was.lines.length === now.lines.length && was.row === now.row) {
        const same = was.lines.at(-1) ?? '';
        if (
          last.startsWith(same) &&
          was.col === widthOf(same) &&
          was.lines.slice(0, -1).every((line, at) => line === now.lines[at])
        )
          return last.slice(same.length);
      }
      return `${up(was?.row ?? 0)}\r\x1b[J${now.lines.join('\r\n')}${up(now.lines.length - 1 - now.row)}${toColumn(now.col)}`;
    },
    leave() {
      const rest = before ? before.lines.length - 1 - before.row : 0;
      before = null;
      return `${rest > 0 ? `\x1b[${rest}B` : ''}\r\n`;
    },
  };
}
