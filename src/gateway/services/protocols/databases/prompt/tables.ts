// Rows as lines of text: in columns, or each row by itself with a line for each value.
import { shown, widthOf } from './cells.ts';
import type { AnswerColumn, AnswerRow } from './engine.ts';

export interface Table {
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly AnswerRow[];
}
/** What stands for a value that is not there. */
const NULL_TEXT = 'NULL';
const textOf = (value: string | null | undefined): string => (value == null ? NULL_TEXT : shown(value));
const blanks = (cells: number): string => ' '.repeat(Math.max(0, cells));

/** Columns as wide as their widest value, and the lines' width in cells. */
export function aligned({ columns, rows }: Table): { readonly lines: readonly string[]; readonly width: number } {
  const heads = columns.map(({ name }) => shown(name));
  const cells = rows.map(row => columns.map((_, at) => textOf(row[at])));
  const sizes = cells.map(row => row.map(widthOf));
  const widths = heads.map((head, at) => sizes.reduce((most, row) => Math.max(most, row[at] ?? 0), widthOf(head)));
  const centred = (text: string, width: number): string => {
    const left = Math.floor((width - widthOf(text)) / 2);
    return `${blanks(left)}${text}${blanks(width - widthOf(text) - left)}`;
  };
  const line = (texts: readonly string[]): string =>
    texts
      .map(text => ` ${text} `)
      .join('|')
      .trimEnd();
  const lines = [
    line(heads.map((head, at) => centred(head, widths[at] ?? 0))),
    widths.map(width => '-'.repeat(width + 2)).join('+'),
    ...cells.map((row, nth) =>
      line(
        row.map((text, at) => {
          const room = blanks((widths[at] ?? 0) - (sizes[nth]?.[at] ?? 0));
          return columns[at]?.isNumber ? room + text : text + room;
        }),
      ),
    ),
  ];
  return { lines, width: widths.reduce((sum, width) => sum + width + 3, -1) };
}

/** A line for each value. `width`: cells of the screen, which rules do not go beyond. */
export function vertical({ columns, rows }: Table, width: number): readonly string[] {
  const heads = columns.map(({ name }) => shown(name));
  const widest = heads.reduce((most, head) => Math.max(most, widthOf(head)), 0);
  return rows.flatMap((row, nth) => {
    const title = `-[ RECORD ${nth + 1} ]`;
    return [
      title + '-'.repeat(Math.max(0, Math.min(width, Math.max(widest + 12, 24)) - title.length)),
      ...heads.map((head, at) => `${head}${blanks(widest - widthOf(head))} | ${textOf(row[at])}`),
    ];
  });
}
