// Values that a guard hides, taken out of the rows that pass: what stands in a column is read from the description that goes before its rows.
import type { Masked } from '../../../../ports/databases.ts';
import { Malformed } from '../frames.ts';
import { numberAt, packet } from './messages.ts';

/** Columns of one answer; MySQL has no table of more. */
const COLUMNS_MOST = 4096;
/** What stands in the place of a text, with its length; values of other types are null. */
const HIDDEN = Buffer.from('\x04****');
const NULL_VALUE = 0xfb;
/** The character set of bytes that are no text. */
const BINARY = 63;
/** varchar, enum, set, blob of each size, var_string, string: with a character set of theirs, texts. */
const texts: ReadonlySet<number> = new Set([15, 247, 248, 249, 250, 251, 252, 253, 254]);
/** Bytes of a value of this type in a row of a prepared statement; others say their length themselves. */
const fixedBytes: ReadonlyMap<number, number> = new Map([
  ...([
    [6, 0],
    [1, 1],
    [2, 2],
    [13, 2],
  ] as const),
  ...([
    [3, 4],
    [4, 4],
    [9, 4],
    [5, 8],
    [8, 8],
  ] as const),
]);
/** Behind the names of a column: length of the rest, character set, width. */
const CHARSET_AT = 1;
const TYPE_AT = 7;

interface Column {
  readonly isHidden: boolean;
  readonly isText: boolean;
  readonly type: number;
}
/** The answers to one statement, one behind the other. `isBinary`: rows are those of a prepared statement. */
export interface RowMask {
  /** An answer with rows begins. */
  begin(): void;
  /** Throws Malformed. */
  column(body: Buffer): void;
  /** What goes on in the place of the row; undefined: itself. Throws Malformed. */
  row(sequence: number, body: Buffer): Buffer | undefined;
}

export function createRowMask(masked: Masked, isBinary: boolean): RowMask {
  let columns: Column[] = [];
  return {
    begin() {
      columns = [];
    },
    column(body) {
      if (columns.length >= COLUMNS_MOST) throw new Malformed('more columns than a table has');
      columns.push(columnOf(body, masked));
    },
    row(sequence, body) {
      if (columns.length === 0) throw new Malformed('a row of columns that nobody described');
      if (!columns.some(({ isHidden }) => isHidden)) return undefined;
      return packet(sequence, isBinary ? binaryRow(columns, body) : textRow(columns, body));
    },
  };
}

function columnOf(body: Buffer, masked: Masked): Column {
  const names: string[] = [];
  let at = 0;
  // Catalogue, schema, table as it is called, table, column as it is called, column.
  for (let field = 0; field < 6; field++) {
    const [length, next] = numberAt(body, at);
    at = next + length;
    if (at > body.length) throw new Malformed('a column that is cut off');
    names.push(body.toString('utf8', next, at));
  }
  if (at + TYPE_AT >= body.length) throw new Malformed('a column that is cut off');
  const [, schema = '', , table = '', called = '', own = ''] = names;
  const of = table === '' ? undefined : { schema, name: table };
  const type = body[at + TYPE_AT] ?? 0;
  return {
    isHidden: masked.hides(called, of) || (own !== '' && masked.hides(own, of)),
    isText: texts.has(type) && body.readUInt16LE(at + CHARSET_AT) !== BINARY,
    type,
  };
}

function textRow(columns: readonly Column[], body: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { isHidden, isText } of columns) {
    const isNull = body[at] === NULL_VALUE;
    const end = isNull ? at + 1 : endOfText(body, at);
    parts.push(!isHidden || isNull ? body.subarray(at, end) : isText ? HIDDEN : Buffer.of(NULL_VALUE));
    at = end;
  }
  if (at !== body.length) throw new Malformed('a row of other columns');
  return Buffer.concat(parts);
}

function binaryRow(columns: readonly Column[], body: Buffer): Buffer {
  // The first two bits are not of a column.
  const bits = Buffer.from(body.subarray(1, 1 + ((columns.length + 9) >> 3)));
  if (body[0] !== 0 || bits.length < (columns.length + 9) >> 3) throw new Malformed('a row that is cut off');
  const parts: Buffer[] = [];
  let at = 1 + bits.length;
  for (const [index, { isHidden, isText, type }] of columns.entries()) {
    const [byte, bit] = [(index + 2) >> 3, 1 << ((index + 2) & 7)];
    if (((bits[byte] ?? 0) & bit) !== 0) continue;
    const length = fixedBytes.get(type);
    const end = length === undefined ? endOfText(body, at) : at + length;
    if (end > body.length) throw new Malformed('a row that is cut off');
    if (!isHidden) parts.push(body.subarray(at, end));
    else if (isText) parts.push(HIDDEN);
    else bits[byte] = (bits[byte] ?? 0) | bit;
    at = end;
  }
  if (at !== body.length) throw new Malformed('a row of other columns');
  return Buffer.concat([body.subarray(0, 1), bits, ...parts]);
}
function endOfText(body: Buffer, at: number): number {
  const [length, next] = numberAt(body, at);
  if (next + length > body.length) throw new Malformed('a row that is cut off');
  return next + length;
}

/** Errors that quote a value of a row: a key that is there already. */
const quoting: ReadonlySet<number> = new Set([1062, 1586, 1859]);
/** An error without the value that it quotes; undefined: it quotes none. */
export function withoutValue(sequence: number, body: Buffer): Buffer | undefined {
  if (body.length < 3 || !quoting.has(body.readUInt16LE(1))) return undefined;
  const state = body[3] === 0x23 ? body.subarray(0, 9) : body.subarray(0, 3);
  return packet(sequence, Buffer.concat([state, Buffer.from('Duplicate entry for a key of the table')]));
}
