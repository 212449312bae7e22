// Writes the cells of a terminal's buffer down as output that draws them again. The serialize addon was tried first: with vim, top and
// tmux its pictures came out with colours of another buffer and the cursor one cell off.
import type { IBuffer, IBufferCell } from '@xterm/headless';

/** How text looks: of a cell, or of what is printed next. */
export type Pen = Pick<
  IBufferCell,
  | 'isBold'
  | 'isDim'
  | 'isItalic'
  | 'isUnderline'
  | 'isBlink'
  | 'isInverse'
  | 'isInvisible'
  | 'isStrikethrough'
  | 'isOverline'
  | 'isFgRGB'
  | 'isBgRGB'
  | 'isFgDefault'
  | 'isBgDefault'
  | 'getFgColor'
  | 'getBgColor'
>;

/** The sequence that sets exactly this look. */
export function penText(pen: Pen): string {
  const codes = ['0'];
  const flag = (set: number, code: string): void => {
    if (set) codes.push(code);
  };
  flag(pen.isBold(), '1');
  flag(pen.isDim(), '2');
  flag(pen.isItalic(), '3');
  flag(pen.isUnderline(), '4');
  flag(pen.isBlink(), '5');
  flag(pen.isInverse(), '7');
  flag(pen.isInvisible(), '8');
  flag(pen.isStrikethrough(), '9');
  flag(pen.isOverline(), '53');
  if (!pen.isFgDefault()) codes.push(colour(pen.getFgColor(), pen.isFgRGB(), 30));
  if (!pen.isBgDefault()) codes.push(colour(pen.getBgColor(), pen.isBgRGB(), 40));
  return `\x1b[${codes.join(';')}m`;
}
function colour(value: number, isRgb: boolean, base: 30 | 40): string {
  if (isRgb) return `${base + 8};2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
  if (value < 8) return String(base + value);
  if (value < 16) return String(base + 60 + value - 8);
  return `${base + 8};5;${value}`;
}
const PLAIN = '\x1b[0m';

/** Draws a buffer, its cursor included, on an empty screen of the same size whose cursor is at home; leaves a plain pen. */
export function serializeBuffer(
  buffer: IBuffer,
  size: { readonly cols: number; readonly rows: number },
  scrollback: number,
): string {
  const { cols, rows } = size;
  const cell = buffer.getNullCell();
  const last = buffer.baseY + rows - 1;
  const first = Math.max(0, buffer.baseY - scrollback);
  let text = '';
  let pen = PLAIN;
  const take = (next: string): void => {
    if (next === pen) return;
    text += next;
    pen = next;
  };

  /** Draws a line and answers whether its last column has been printed on. */
  function serializeLine(row: number): boolean {
    const line = buffer.getLine(row);
    let column = 0;
    /** Cells passed over since the cursor was moved last. */
    let skipped = 0;
    let full = false;
    while (line && column < cols) {
      if (!line.getCell(column, cell)) break;
      const chars = cell.getChars();
      const width = cell.getWidth();
      full = false;
      if (chars === '') {
        if (!cell.isBgDefault()) {
          // Erased with a colour, not printed: only erasing makes such cells again.
          if (skipped > 0) text += `\x1b[${skipped}C`;
          skipped = 0;
          take(penText(cell));
          text += '\x1b[X';
        }
        skipped += Math.max(1, width);
        column += Math.max(1, width);
        continue;
      }
      if (skipped > 0) text += `\x1b[${skipped}C`;
      skipped = 0;
      take(penText(cell));
      text += chars;
      column += Math.max(1, width);
      full = column >= cols;
      // Terminals differ on how wide joined characters are: say where the next one stands.
      if (chars.length > 1 && !full) text += `\x1b[${column + 1}G`;
    }
    return full;
  }
  for (let row = first; row <= last; row += 1) {
    const full = serializeLine(row);
    if (row === last) break;
    const next = buffer.getLine(row + 1);
    const wraps = full && next?.isWrapped === true && next.getCell(0)?.getChars() !== '';
    if (wraps) continue;
    // A line that scrolls in takes the background of the pen.
    take(PLAIN);
    text += '\r\n';
  }
  take(PLAIN);
  return text;
}

/** Puts the cursor where it is, with its pending wrap; `top` is the region's first row where rows count from it. */
export function serializeCursor(buffer: IBuffer, cols: number, top: number): string {
  const { cursorX, cursorY, baseY } = buffer;
  const at = (column: number): string => `\x1b[${cursorY + 1 - top};${column + 1}H`;
  if (cursorX < cols) return at(cursorX);
  // Behind the last column: only printing there leaves the cursor so (a space where that cell was erased meanwhile).
  const line = buffer.getLine(baseY + cursorY);
  const wide = line?.getCell(cols - 1)?.getWidth() === 0;
  const cell = line?.getCell(wide ? cols - 2 : cols - 1);
  if (!cell) return at(cols - 1);
  return `${at(wide ? cols - 2 : cols - 1)}${penText(cell)}${cell.getChars() || ' '}${PLAIN}`;
}
