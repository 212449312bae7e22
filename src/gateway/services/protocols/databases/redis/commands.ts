// Commands as Redis's clients send them: arrays of words with their lengths, or a line of words. Read as the server reads them: what it
// would understand in another way is refused.
import { Malformed, TEXT_MOST_BYTES } from '../frames.ts';

const CR = 0x0d;
const LF = 0x0a;
/** The bounds that the server has, bytes and words. */
const LINE_MOST_BYTES = 64 * 1024;
const WORD_MOST_BYTES = 512 * 1024 * 1024;
const WORDS_MOST = 1024 * 1024;
/** Kept of a command, words: whatever they say, a text of so many is too long to be kept. */
const KEPT_MOST_WORDS = TEXT_MOST_BYTES / 2;

export interface Command {
  /** As many as are kept, the last one perhaps cut. */
  readonly words: readonly Buffer[];
  /** Of all words, bytes. */
  readonly length: number;
  /** Bytes that it took on the way. */
  readonly bytes: number;
}

/** Takes pieces as they come; `on` hears of a command before anything behind it is read. Throws Malformed, and what `on` does. */
export function createCommands(on: (command: Command) => void): (chunk: Buffer) => void {
  /** Of a line whose end has not come. */
  let line = Buffer.alloc(0);
  /** Words of the array that have not come, and bytes of the word that is coming; -1: its head has not come. */
  let words = 0;
  let left = -1;
  /** Of the line end behind a word, bytes that have come. */
  let ended = 0;
  let kept: Buffer[] = [];
  let parts: Buffer[] = [];
  let keptBytes = 0;
  let length = 0;
  let bytes = 0;

  function tell(): void {
    // The server passes over empty lines and empty arrays.
    if (kept.length === 0) return;
    const command = { words: kept, length, bytes };
    kept = [];
    keptBytes = 0;
    length = 0;
    bytes = 0;
    on(command);
  }
  function keep(part: Buffer): void {
    length += part.length;
    const room = TEXT_MOST_BYTES - keptBytes;
    if (room <= 0 || kept.length >= KEPT_MOST_WORDS) return;
    // What is kept may wait for more: it needs memory of its own.
    parts.push(Buffer.from(part.subarray(0, room)));
    keptBytes += Math.min(room, part.length);
  }
  function endWord(): void {
    if (parts.length > 0 || keptBytes < TEXT_MOST_BYTES)
      kept.push(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
    parts = [];
    left = -1;
    ended = 0;
    words -= 1;
    if (words === 0) tell();
  }
  function takeLine(text: Buffer): void {
    const first = text[0];
    if (words > 0) {
      if (first !== 0x24) throw new Malformed('a word without its length');
      left = numberOf(text, WORD_MOST_BYTES);
      return;
    }
    if (first === 0x2a) {
      words = numberOf(text, WORDS_MOST);
      if (words === 0) tell();
      return;
    }
    kept = splitLine((text.at(-1) === CR ? text.subarray(0, -1) : text).toString('latin1'));
    length = kept.reduce((all, word) => all + word.length, 0);
    tell();
  }
  return chunk => {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const part = chunk.subarray(at, at + left);
        keep(part);
        left -= part.length;
        at += part.length;
        bytes += part.length;
      } else if (left === 0) {
        if (chunk[at] !== (ended === 0 ? CR : LF)) throw new Malformed('a word that is longer than it said');
        at += 1;
        bytes += 1;
        ended += 1;
        if (ended === 2) endWord();
      } else {
        const end = chunk.indexOf(LF, at);
        const part = chunk.subarray(at, end < 0 ? chunk.length : end);
        if (line.length + part.length > LINE_MOST_BYTES) throw new Malformed('a line without end');
        at += part.length + (end < 0 ? 0 : 1);
        bytes += part.length + (end < 0 ? 0 : 1);
        const text = line.length > 0 ? Buffer.concat([line, part]) : part;
        line = end < 0 ? Buffer.from(text) : Buffer.alloc(0);
        if (end >= 0) takeLine(text);
      }
    }
  };
}

/** The number of a head, which ends with a carriage return. */
function numberOf(head: Buffer, most: number): number {
  const [, digits = ''] = /^[*$](0|[1-9]\d{0,9}|-1)\r$/.exec(head.toString('latin1', 0, 16)) ?? [];
  const number = Number(digits);
  if (digits === '' || number > most || (number < 0 && head[0] === 0x24)) throw new Malformed('a length that is none');
  return Math.max(0, number);
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' };
/** A word: bare characters and quoted parts; a quoted part ends the word. */
const WORD = /[ \t\v\f\r]*(?:([^ \t\v\f\r"']*)(?:"((?:\\[\s\S]|[^"\\])*)"|'((?:\\'|\\(?!')|[^'\\])*)')?)/y;

/** The words of a line, with the quotes and escapes that the server takes. Throws Malformed for quotes that do not close. */
function splitLine(line: string): Buffer[] {
  if (line.includes('\0')) throw new Malformed('a zero byte in a line');
  const found: Buffer[] = [];
  WORD.lastIndex = 0;
  while (WORD.lastIndex < line.length) {
    const [all = '', bare = '', double, single] = WORD.exec(line) ?? [];
    const next = line[WORD.lastIndex];
    const isQuoted = double !== undefined || single !== undefined;
    if ((isQuoted && next !== undefined && !/[ \t\v\f\r]/.test(next)) || next === '"' || next === "'")
      throw new Malformed('quotes that do not close');
    if (/^[ \t\v\f\r]*$/.test(all)) break;
    const quoted =
      double?.replace(/\\(?:x([0-9a-fA-F]{2})|([\s\S]))/g, (_, hex: string | undefined, other: string) =>
        hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (ESCAPED[other] ?? other),
      ) ??
      single?.replaceAll("\\'", "'") ??
      '';
    found.push(Buffer.from(bare + quoted, 'latin1'));
  }
  return found;
}

/** A command as bytes. */
export const encode = (words: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from(`*${words.length}\r\n`),
    ...words.flatMap(word => [Buffer.from(`$${Buffer.byteLength(word)}\r\n`), Buffer.from(word), Buffer.from('\r\n')]),
  ]);
