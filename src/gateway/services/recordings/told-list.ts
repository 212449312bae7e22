// The list that a recording of statements or requests holds, as a file: for a spreadsheet, and for programs.
import { csvCell } from '../../../contract/audit-file.ts';
import { Failure } from '../../../contract/failure.ts';
import type { RecordedEvent } from './events.ts';
import type { StoredIndex } from './index-file.ts';
import type { OpenBytes } from './reader.ts';
import { allEvents } from './terminal-playback.ts';

/** Statements whose answers may still come; before more of them, the first is told without its answer. */
const OPEN_MOST = 1000;

/** A line of the list, its fields in the order that they are written. */
type Row = Readonly<Record<string, string | number | null | readonly string[]>>;

interface Statement {
  readonly number: number;
  readonly at: number;
  readonly text: string;
  /** Null: it was not prepared. */
  readonly parameters: number | null;
  readonly reviews: string[];
  /** Rows that had passed when it was last seen to go on. */
  rows: number | null;
  answer: { readonly took: number; readonly rows: number | null; readonly error: string } | null;
}
const milliseconds = (took: number): number => took / 1000;

/** Statements with what became of them and what was said of them, or requests, in the order they came. */
async function* rowsOf(events: AsyncIterable<RecordedEvent>, started: string): AsyncGenerator<Row> {
  const began = Date.parse(started);
  const time = (ms: number): string => new Date(began + ms).toISOString();
  const open: Statement[] = [];
  let count = 0;
  const row = ({ at, text, parameters, reviews, rows, answer }: Statement): Row => ({
    time: time(at),
    statement: text,
    parameters,
    rows: answer ? answer.rows : rows,
    ms: answer && milliseconds(answer.took),
    error: answer?.error ?? '',
    reviews,
  });
  for await (const event of events) {
    const told = event.kind === 'output' ? event.told : undefined;
    switch (told?.kind) {
      case 'statement':
        open.push({
          ...{ number: count, at: event.ms, text: told.text, parameters: told.parameters ?? null },
          ...{ reviews: [], rows: null, answer: null },
        });
        count += 1;
        break;
      case 'review':
        open.at(-1)?.reviews.push(told.text);
        break;
      case 'answer':
      case 'progress': {
        const statement = open.find(({ number }) => number === told.statement);
        if (statement && told.kind === 'answer') statement.answer = told;
        else if (statement) statement.rows = told.rows;
        break;
      }
      case 'request': {
        const { method, path, status, bytes, took } = told;
        yield { time: time(event.ms), method, path, status, bytes, ms: milliseconds(took) };
      }
    }
    for (let [first] = open; first && (first.answer || open.length > OPEN_MOST); [first] = open) {
      // What is said of a statement comes before its answer, or as the next one waits.
      yield row(first);
      open.shift();
    }
  }
  yield* open.map(row);
}

const cellOf = (value: Row[string]): string =>
  csvCell(value === null || value === undefined ? '' : typeof value === 'object' ? value.join('; ') : String(value));

/** The list as CSV (RFC 4180) or as a list of objects in JSON. Throws Failure bad_request for a recording that holds none. */
export async function listFileOf(
  openBytes: OpenBytes,
  index: StoredIndex,
  format: 'csv' | 'json',
): Promise<AsyncIterable<string>> {
  const rows = rowsOf(allEvents(openBytes, index), index.contents.header.started);
  const first = await rows.next();
  if (first.done)
    throw new Failure('bad_request', 'This recording holds no list of statements or requests: download it as text.');
  async function* csv(head: Row): AsyncGenerator<string> {
    const line = (row: Row): string => `${Object.values(row).map(cellOf).join(',')}\r\n`;
    yield `${Object.keys(head).join(',')}\r\n${line(head)}`;
    for await (const row of rows) yield line(row);
  }
  async function* json(head: Row): AsyncGenerator<string> {
    yield `[\n${JSON.stringify(head)}`;
    for await (const row of rows) yield `,\n${JSON.stringify(row)}`;
    yield '\n]\n';
  }
  return (format === 'csv' ? csv : json)(first.value);
}
