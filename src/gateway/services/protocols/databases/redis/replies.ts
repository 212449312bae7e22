// What a Redis server answers, as far as it must be known: where each reply ends, and whether it is an error.
import { Malformed } from '../frames.ts';

const LF = 0x0a;
/** Of a line, what is read, bytes. */
const LINE_MOST_BYTES = 1024;
const NESTED_MOST = 64;
/** First characters of values: those that end with their line, those of so many bytes, those of so many values. */
const SCALARS = new Set('-+:_,#(');
const LENGTHS = new Set('$=!');
const LISTS = new Set('*~>');

/** Takes pieces as they come. `on` hears each reply at its end, with the first error in it, how many values a list has, and where in the piece it began (below zero: in one before) and ended; messages that nobody asked for are passed over. Answers where the piece has a reply that has not ended; its length: none. Throws Malformed. */
export function createReplies(
  on: (error: string | null, values: number | null, began: number, ended: number) => void,
): (chunk: Buffer) => number {
  let line = Buffer.alloc(0);
  /** Of a value with a length, bytes that have not come, line end included. */
  let left = 0;
  /** Values that have not come, of each level. */
  const open: number[] = [];
  let isPushed = false;
  let error: string | null = null;
  let values: number | null = null;
  /** In this piece, where what comes now began, and what was read. */
  let began = 0;
  let at = 0;

  /** A value has ended, and perhaps what it was the last of. */
  function endValue(): void {
    while (open.length > 0) {
      const rest = (open.pop() ?? 0) - 1;
      if (rest > 0) {
        open.push(rest);
        return;
      }
    }
    if (!isPushed) on(error, values, began, at);
    began = at;
    isPushed = false;
    error = null;
    values = null;
  }
  function begin(values: number): void {
    if (open.length >= NESTED_MOST) throw new Malformed('an answer nested too deeply');
    if (values <= 0) endValue();
    else open.push(values);
  }
  function takeLine(text: Buffer): void {
    const type = String.fromCharCode(text[0] ?? 0);
    if (SCALARS.has(type)) {
      if (type === '-') error ??= text.toString('utf8', 1).trimEnd();
      endValue();
      return;
    }
    const count = countOf(text);
    if (LENGTHS.has(type)) {
      if (type === '!') error ??= 'an error';
      if (count < 0) endValue();
      else left = count + 2;
    } else if (LISTS.has(type)) {
      if (type === '>' && open.length === 0) isPushed = true;
      if (open.length === 0) values = Math.max(0, count);
      begin(count);
    } else if (type === '%') {
      if (open.length === 0) values = Math.max(0, count);
      begin(2 * count);
    } else throw new Malformed('an answer of no known type');
  }
  return chunk => {
    if (began !== at) began -= at;
    else began = 0;
    at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const part = Math.min(left, chunk.length - at);
        at += part;
        left -= part;
        if (left === 0) endValue();
        continue;
      }
      const end = chunk.indexOf(LF, at);
      const part = chunk.subarray(at, end < 0 ? chunk.length : end);
      const kept = part.subarray(0, LINE_MOST_BYTES - line.length);
      at += part.length + (end < 0 ? 0 : 1);
      const text = line.length > 0 ? Buffer.concat([line, kept]) : kept;
      line = end < 0 ? Buffer.from(text) : Buffer.alloc(0);
      if (end >= 0) takeLine(text);
    }
    return began;
  };
}

function countOf(text: Buffer): number {
  const [, digits] = /^.(\d{1,10}|-1)\r$/.exec(text.toString('latin1', 0, 16)) ?? [];
  if (digits === undefined) throw new Malformed('a length that is none');
  return Number(digits);
}
