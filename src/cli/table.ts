// Rows as the command line prints them.
import { plainText } from './output.ts';

/** Columns padded to their widest cell, at the ends of which nothing stands. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows
    .map(row =>
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The same for cells that hold other people's words: none of them reaches beyond its own line. */
export const table = (rows: readonly (readonly string[])[]): string => columns(rows.map(row => row.map(plainText)));
