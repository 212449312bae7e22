// A recording cut into parts that can be searched by themselves, and the words of such a part.
import { lineAround, printedOf, printedText, timeAt } from '../../../contract/printed-text.ts';
import type { TextPlace } from '../../store/recorded-text.ts';
import { readEvents } from './events.ts';
import { BadChunk, badChunk, jsonOf, KIND, recordingHeader } from './format.ts';
import type { Place, Range, RecordingBytes } from './reader.ts';
import { readChunks } from './reader.ts';

/** Output of a part, bytes: large, so that words that stand everywhere cost the index little; small enough to be looked through at once. */
const BLOCK_BYTES = 128 * 1024;
/** How much of a part the next one holds again, so that no text is cut by their border, bytes. */
const OVERLAP_BYTES = 1024;
/** What follows in a longer word is left out, characters: the rest of a key or a hash finds nothing that its beginning does not. */
const WORD_CHARACTERS = 40;

interface Block extends TextPlace {
  readonly prints: readonly { readonly ms: number; readonly text: string }[];
}

/** Ends early, without an error, where the file can no longer be read. */
export async function* blocksOf(file: Pick<RecordingBytes, 'read'>, range: Range): AsyncGenerator<Block> {
  let chunks: { place: Place; at: number; print: number }[] = [];
  let prints: { ms: number; text: string }[] = [];
  let size = 0;
  const decoder = new TextDecoder();
  const block = (): Block[] => (chunks[0] && prints.length > 0 ? [{ ...chunks[0].place, prints }] : []);
  try {
    for await (const chunk of readChunks(file, range)) {
      // What a desktop's server draws is no text.
      if (chunk.head.kind === KIND.header && jsonOf(recordingHeader, chunk.body).kind === 'desktop') return;
      if (chunk.head.kind !== KIND.events) continue;
      chunks.push({ place: chunk.place, at: size, print: prints.length });
      for (const event of readEvents(chunk.body, chunk.head.ms, badChunk)) {
        if (event.kind !== 'output') continue;
        prints.push({ ms: event.ms, text: decoder.decode(event.bytes, { stream: true }) });
        size += event.bytes.length;
      }
      if (size < BLOCK_BYTES) continue;
      yield* block();
      const again = chunks.findLastIndex(({ at }) => at > 0 && at <= size - OVERLAP_BYTES);
      const kept = chunks[again] ?? { at: size, print: prints.length };
      prints = prints.slice(kept.print);
      size -= kept.at;
      chunks = chunks
        .slice(again < 0 ? chunks.length : again)
        .map(one => ({ ...one, at: one.at - kept.at, print: one.print - kept.print }));
    }
  } catch (error) {
    if (!(error instanceof BadChunk)) throw error;
  }
  yield* block();
}

/** Scripts without blanks between their words: each of their characters is a word here. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;

/** Slots for the words of one part: several times as many as there can be in ordinary text, a power of two. */
const SLOTS = 1 << 17;
/** Where the word in a slot begins, and in which part it was put there: emptying the table costs nothing. */
const slots = new Int32Array(SLOTS);
const filled = new Int32Array(SLOTS);
let round = 0;

/** Whether the character belongs to a word. What is neither ASCII nor of the blocks of lines and symbols is left for the index itself to split. */
const inWord = (code: number): boolean =>
  code < 0x80
    ? (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
    : code >= 0xaa && (code < 0x2000 || (code >= 0x2c00 && code < 0xd800) || code >= 0xf900);

/** Each word of a part once, with blanks between. Written for speed: every byte of every recording passes here. */
export function wordsOf(block: Block): string {
  const text = printedOf(block.prints.map(print => print.text).join(''))
    .toLowerCase()
    .replace(UNSPACED, ' $& ');
  round += 1;
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (!inWord(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const from = at;
    let hash = 0;
    for (let code = text.charCodeAt(at); at < text.length && inWord(code); code = text.charCodeAt(at)) {
      if (at - from < WORD_CHARACTERS) hash = (Math.imul(hash, 31) + code) | 0;
      at += 1;
    }
    const length = Math.min(at - from, WORD_CHARACTERS);
    if (isNew(text, from, length, Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)))
      words.push(text.slice(from, from + length));
  }
  return words.join(' ');
}

/** Whether no equal word of this text has come before; a table that is full calls every word new. */
function isNew(text: string, from: number, length: number, hash: number): boolean {
  for (let slot = hash & (SLOTS - 1), tries = 0; tries < 64; slot = (slot + 1) & (SLOTS - 1), tries += 1) {
    if (filled[slot] !== round) {
      filled[slot] = round;
      slots[slot] = from;
      return true;
    }
    if (isSame(text, slots[slot] ?? 0, from, length)) return false;
  }
  return true;
}
function isSame(text: string, one: number, other: number, length: number): boolean {
  for (let at = 0; at < length; at += 1) if (text.charCodeAt(one + at) !== text.charCodeAt(other + at)) return false;
  return length === WORD_CHARACTERS || one + length >= text.length || !inWord(text.charCodeAt(one + length));
}

/** The words that a part must hold for a text to be found in it. */
export const wanted = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .replace(UNSPACED, ' $& ')
      .match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []
  ).map(word => word.slice(0, WORD_CHARACTERS));

export interface TextHit {
  readonly ms: number;
  readonly line: string;
}

/** Where a text stands in a part, case aside: at most `most` times. */
export function hitsIn(block: Block, text: string, most: number): TextHit[] {
  const printed = printedText(block.prints);
  const held = printed.text.toLowerCase();
  const needle = text.toLowerCase();
  const hits: TextHit[] = [];
  for (let at = held.indexOf(needle); at >= 0 && hits.length < most; at = held.indexOf(needle, at + needle.length))
    hits.push({ ms: timeAt(printed.starts, at + needle.length - 1, 0), line: lineAround(printed.text, at) });
  return hits;
}
