// What the thread of the text index does: pack and index one recording, or look something up.
import { open } from 'node:fs/promises';
import { openRecordedText, type TextFound, type TextPlace, type TextQuery } from '../../store/recorded-text.ts';
import { isAbsent } from './absent.ts';
import { borrowedBytes, type LentBytes } from './lent-bytes.ts';
import { bytesOfFile, rangeFrom, wholeFile } from './reader.ts';
import { repackFile } from './repack.ts';
import { blocksOf, hitsIn, type TextHit, wordsOf } from './text-blocks.ts';

/** Of each kind, the question; `index` is the file that the words are in. */
export type TextJob = { readonly index: string } & (
  | { readonly kind: 'repack'; readonly path: string }
  | { readonly kind: 'put'; readonly path: string; readonly sid: string; readonly started: number }
  | { readonly kind: 'remove'; readonly sid: string }
  | { readonly kind: 'sids' }
  | { readonly kind: 'find'; readonly query: TextQuery }
  | {
      readonly kind: 'hits';
      /** Its file, or where that is elsewhere, what it is read through. */
      readonly source: string | LentBytes;
      readonly places: readonly TextPlace[];
      readonly text: string;
      readonly most: number;
    }
);
export type TextResult = readonly string[] | readonly TextFound[] | readonly TextHit[] | null;

let opened: { readonly file: string; readonly text: ReturnType<typeof openRecordedText> } | null = null;
function indexAt(file: string): ReturnType<typeof openRecordedText> {
  if (opened?.file !== file) {
    opened?.text.close();
    opened = { file, text: openRecordedText(file) };
  }
  return opened.text;
}

/** Throws what SQLite and reading the file throw. */
export async function runTextJob(job: TextJob): Promise<TextResult> {
  switch (job.kind) {
    case 'put': {
      await using file = await open(job.path, 'r');
      const { size } = await file.stat();
      await indexAt(job.index).put(
        job.sid,
        job.started,
        (async function* () {
          for await (const block of blocksOf(file, wholeFile(size))) yield { ...block, words: wordsOf(block) };
        })(),
      );
      return null;
    }
    case 'repack':
      await repackFile(job.path);
      return null;
    case 'remove':
      indexAt(job.index).remove(job.sid);
      return null;
    case 'sids':
      return indexAt(job.index).sids();
    case 'find':
      return indexAt(job.index).find(job.query);
    case 'hits':
      return hitsOf(job).catch((error: unknown) => {
        // It was removed since the index was asked.
        if (isAbsent(error)) return [];
        throw error;
      });
  }
}

async function hitsOf({ source, places, text, most }: Extract<TextJob, { kind: 'hits' }>): Promise<readonly TextHit[]> {
  const hits = new Map<string, TextHit>();
  await using file = typeof source === 'string' ? await bytesOfFile(source)() : borrowedBytes(source);
  const { size } = await file.stat();
  for (const place of places) {
    if (hits.size >= most) break;
    const first = await blocksOf(file, rangeFrom(place, size)).next();
    // Parts overlap: what stands in both is one place.
    if (!first.done) for (const hit of hitsIn(first.value, text, most)) hits.set(`${hit.ms} ${hit.line}`, hit);
  }
  return [...hits.values()].slice(0, most);
}
