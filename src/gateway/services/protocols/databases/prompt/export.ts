// The rows of an answer as a file: CSV as RFC 4180 has it, and JSON as a list of objects.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { AnswerColumn, AnswerRow } from './engine.ts';

export type ExportFormat = 'csv' | 'json';

/** What is said of a file once the browser has it, or of a statement that had nothing for one. */
export function exportLines(
  name: string,
  file: { readonly rows: number; readonly bytes: number; readonly leftOut: boolean } | null,
  { tag, isPart }: { readonly tag: string; readonly isPart: boolean },
): readonly string[] {
  if (!file) return [...(tag === '' ? [] : [tag]), 'There are no rows to export.'];
  const { rows, bytes, leftOut } = file;
  return [
    `${rows} ${rows === 1 ? 'row' : 'rows'} (${bytes} bytes) in ${name}.`,
    ...(isPart
      ? ['Only the rows that were shown: the answer has more. With the statement behind it, all are exported.']
      : []),
    ...(leftOut ? ['Only the first of several answers.'] : []),
  ];
}
/** The file cannot be written on. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
}

interface Writer {
  readonly type: string;
  /** What stands before the first row, between two, and behind the last. */
  readonly begins: string;
  readonly between: string;
  readonly ends: string;
  row(row: AnswerRow): string;
}

/** In quotes where it must be; an empty text is told from NULL, which is nothing at all. */
const csvField = (value: string | null | undefined): string =>
  value == null ? '' : value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
const csvLine = (values: readonly (string | null | undefined)[]): string => `${values.map(csvField).join(',')}\r\n`;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Names of one object must differ. */
function keysOf(columns: readonly AnswerColumn[]): readonly string[] {
  const seen = new Set<string>();
  return columns.map(({ name }) => {
    let key = name;
    for (let nth = 2; seen.has(key); nth++) key = `${name}_${nth}`;
    seen.add(key);
    return JSON.stringify(key);
  });
}

const writers: Readonly<Record<ExportFormat, (columns: readonly AnswerColumn[]) => Writer>> = {
  csv: columns => ({
    type: 'text/csv; charset=utf-8; header=present',
    begins: csvLine(columns.map(({ name }) => name)),
    between: '',
    ends: '',
    row: row => csvLine(columns.map((_, at) => row[at])),
  }),
  json(columns) {
    const keys = keysOf(columns);
    const jsonValue = (value: string | null | undefined, isNumber: boolean): string =>
      // Digits stay as the database wrote them, however many there are.
      value == null ? 'null' : isNumber && NUMBER.test(value) ? value : JSON.stringify(value);
    return {
      type: 'application/json',
      begins: '[\n',
      between: ',\n',
      ends: '\n]\n',
      row: row => `{${columns.map(({ isNumber }, at) => `${keys[at]}:${jsonValue(row[at], isNumber)}`).join(',')}}`,
    };
  },
};

export interface RowFile {
  /** Takes some rows; resolves once there is room for more. Throws ExportError, and what `open` throws. */
  take(columns: readonly AnswerColumn[], rows: readonly AnswerRow[]): Promise<void>;
  /** Resolves once all was handed on; null where there were no columns, and so there is no file. */
  end(): Promise<{ readonly rows: number; readonly bytes: number; readonly leftOut: boolean } | null>;
  /** Whoever reads the file hears that it is not whole. */
  breakOff(): void;
}
/** `open` is asked for the place to write to once the first rows are there. */
export function createRowFile(format: ExportFormat, open: (type: string) => Promise<Writable>): RowFile {
  let to: Writable | null = null;
  let writer: Writer | null = null;
  let names = '';
  let count = 0;
  let bytes = 0;
  /** Another answer of the same statement came behind the first. */
  let leftOut = false;

  async function put(text: string): Promise<void> {
    if (!to || text === '') return;
    if (to.destroyed) throw new ExportError('The browser did not take the whole file');
    bytes += Buffer.byteLength(text);
    if (to.write(text)) return;
    const waited = new AbortController();
    await Promise.race([once(to, 'drain', waited), once(to, 'close', waited)]).catch(() => undefined);
    waited.abort();
    if (to.destroyed) throw new ExportError('The browser did not take the whole file');
  }
  return {
    async take(columns, rows) {
      if (columns.length === 0) return;
      const named = JSON.stringify(columns.map(({ name }) => name));
      if (!writer) {
        writer = writers[format](columns);
        names = named;
        to = await open(writer.type);
        await put(writer.begins);
      }
      if (named !== names) {
        leftOut = true;
        return;
      }
      const { row, between } = writer;
      let text = '';
      for (const one of rows) text += (count++ === 0 ? '' : between) + row(one);
      await put(text);
    },
    async end() {
      if (!to || !writer) return null;
      await put(writer.ends);
      to.end();
      return { rows: count, bytes, leftOut };
    },
    breakOff: () => void to?.destroy(new ExportError('the export was broken off')),
  };
}
