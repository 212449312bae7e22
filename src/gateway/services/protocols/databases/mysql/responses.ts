// What a MySQL server answers, packet by packet, as far as it must be known: which command it belongs to, and how that ended.
import { Malformed } from '../frames.ts';
import { EOF, ERROR, errorText, numberAt, OK } from './messages.ts';

/** How an answer is built. */
export type Shape = 'simple' | 'text' | 'prepared' | 'fields' | 'rows' | 'results';

/** What the last packet was of an answer with rows: how many columns follow, one of those, or a row. */
type Part = 'begin' | 'column' | 'row';
/** What the last packet said of the command. */
export type Outcome =
  | {
      readonly kind: 'more' | 'done';
      readonly prepared?: { readonly id: number; readonly parameters: number };
      readonly rows?: number;
      readonly part?: Part;
    }
  | { readonly kind: 'failed'; readonly error: string };

const MORE: Outcome = { kind: 'more' };
const BEGIN: Outcome = { kind: 'more', part: 'begin' };
const COLUMN: Outcome = { kind: 'more', part: 'column' };
const ROW: Outcome = { kind: 'more', part: 'row' };
const DONE: Outcome = { kind: 'done' };
/** A row may begin with the same byte, but is longer then, bytes. */
const EOF_MOST_BYTES = 9;
const MORE_RESULTS = 8;
const CURSOR_EXISTS = 0x40;
/** An answer that asks for a file of the client, where that has not agreed to any. */
const FILE_WISH = 0xfb;

/** Reads the answer to one command. Throws Malformed for what is no answer to it. */
export function createResponse(shape: Shape): (body: Buffer, length: number) => Outcome {
  let stage: 'first' | 'columns' | 'rows' = shape === 'rows' ? 'rows' : 'first';
  /** Lists of columns that follow a prepared statement. */
  let lists = 0;
  /** Rows that were sent, or changed, by all results of the command so far. */
  let rows = 0;
  const nextResult = (status: number): Outcome => {
    stage = 'first';
    return (status & MORE_RESULTS) === 0 ? { kind: 'done', rows } : MORE;
  };
  return (body, length) => {
    const first = body[0];
    if (first === undefined) throw new Malformed('an empty answer');
    if (first === ERROR && shape !== 'text') return { kind: 'failed', error: errorText(body) };
    const isEnd = first === EOF && length < EOF_MOST_BYTES;
    if (isEnd && length < 5 && shape !== 'simple') throw new Malformed('an end that is cut off');
    switch (shape) {
      case 'simple':
      case 'text':
        return DONE;
      case 'fields':
        return isEnd ? DONE : MORE;
      case 'prepared':
        if (stage === 'columns') {
          if (isEnd) lists -= 1;
          return lists === 0 ? DONE : MORE;
        }
        if (first !== OK || length < 9) throw new Malformed('a prepared statement without its number');
        stage = 'columns';
        lists = Number(body.readUInt16LE(5) > 0) + Number(body.readUInt16LE(7) > 0);
        return {
          kind: lists === 0 ? 'done' : 'more',
          prepared: { id: body.readUInt32LE(1), parameters: body.readUInt16LE(7) },
        };
      default:
        if (stage === 'first') {
          if (first === FILE_WISH) throw new Malformed('a server that asks for a file of the client');
          if (first === OK) {
            const { changed, status } = readOk(body);
            rows += changed;
            return nextResult(status);
          }
          stage = 'columns';
          return BEGIN;
        }
        if (!isEnd) {
          if (stage === 'columns') return COLUMN;
          rows += 1;
          return ROW;
        }
        if (stage === 'columns' && (body.readUInt16LE(3) & CURSOR_EXISTS) === 0) {
          stage = 'rows';
          return MORE;
        }
        return shape === 'rows' ? { kind: 'done', rows } : nextResult(body.readUInt16LE(3));
    }
  };
}

/** Throws Malformed. */
export function readOk(body: Buffer): { readonly changed: number; readonly status: number } {
  const [changed, inserted] = numberAt(body, 1);
  const [, at] = numberAt(body, inserted);
  if (at + 2 > body.length) throw new Malformed('an answer that is cut off');
  return { changed, status: body.readUInt16LE(at) };
}
