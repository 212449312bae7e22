// Answers what players ask: one key frame with what follows it, slices of the output, the wire's list of events, asciicast.
import type { RecordingSegment } from '../../../contract/recordings.ts';
import type { RecordedEvent } from './events.ts';
import { readEvents } from './events.ts';
import { BadChunk, badChunk, KIND } from './format.ts';
import type { StoredIndex } from './index-file.ts';
import type { OpenBytes } from './reader.ts';
import { isBefore, rangeFrom, readChunks } from './reader.ts';
import type { RecordingIndex } from './recording-index.ts';
import type { Keyframe } from './terminal-index.ts';

/** Prints this close to the first of a run become one fact: classic players merge them anyway, ms. */
const MERGE_MS = 10;
const MERGE_BYTES = 64 * 1024;
/** Most facts one call answers; `after` asks for more. */
const FACTS_MOST = 50_000;

/** An event of the wire: session.start, resize, print, session.end. */
export interface RecordingFact {
  readonly event: string;
  readonly time: string;
  readonly ei: number;
  readonly [field: string]: unknown;
}

/** What is asked was to be read by an index of the file as it was before it was packed: the next index tells. */
export class Repacked extends Error {
  override readonly name = 'Repacked';
}

/** Events from a key frame to another, or to the end of what is readable. Ends early at the first chunk that cannot be read. Throws Repacked. */
export async function* eventsFrom(
  openBytes: OpenBytes,
  contents: Pick<RecordingIndex, 'readable' | 'size'>,
  from: Keyframe,
  to: Keyframe | undefined,
): AsyncGenerator<RecordedEvent> {
  await using file = await openBytes();
  // It was packed since its index was made: places in it are others now.
  if ((await file.stat()).size < contents.size) throw new Repacked('the recording has been packed meanwhile');
  for await (const chunk of readChunks(file, rangeFrom(from.place, contents.readable))) {
    if (to && !isBefore(chunk.place, to.place)) return;
    if (chunk.head.kind !== KIND.events) continue;
    try {
      yield* readEvents(chunk.body, chunk.head.ms, badChunk);
    } catch (error) {
      if (error instanceof BadChunk) return;
      throw error;
    }
  }
}

/** All that can be read of a recording, in order. */
export async function* allEvents(openBytes: OpenBytes, { contents }: StoredIndex): AsyncGenerator<RecordedEvent> {
  const [first] = contents.keyframes;
  if (first) yield* eventsFrom(openBytes, contents, first, undefined);
}

/** One key frame and what was printed until the next; null when there is no key frame of that number. */
export async function segmentOf(
  openBytes: OpenBytes,
  index: StoredIndex,
  number: number,
): Promise<RecordingSegment | null> {
  const { contents } = index;
  const from = contents.keyframes[number];
  if (!from) return null;
  const screen = await index.screen(from);
  if (screen === null) return null;
  const printed: Uint8Array[] = [];
  const prints: RecordingSegment['prints'] = [];
  for await (const event of eventsFrom(openBytes, contents, from, contents.keyframes[number + 1])) {
    if (event.kind === 'resize') prints.push([event.ms, event.size.cols, event.size.rows]);
    if (event.kind !== 'output') continue;
    prints.push([event.ms, event.bytes.length]);
    printed.push(Uint8Array.from(event.bytes));
  }
  const { ms, offset, cols, rows } = from;
  return { screen, ms, offset, cols, rows, bytes: Buffer.concat(printed).toString('base64'), prints };
}

/** Bytes that were printed, from `offset` on, at most `bytes`. */
export async function sliceOf(
  openBytes: OpenBytes,
  { contents }: StoredIndex,
  offset: number,
  bytes: number,
): Promise<Uint8Array> {
  const from = contents.keyframes.findLast(frame => frame.offset <= offset);
  const parts: Uint8Array[] = [];
  let at = from?.offset ?? 0;
  if (!from || offset >= contents.bytes) return new Uint8Array(0);
  for await (const event of eventsFrom(openBytes, contents, from, undefined)) {
    if (event.kind !== 'output') continue;
    const first = Math.max(0, offset - at);
    if (first < event.bytes.length) parts.push(Uint8Array.from(event.bytes.subarray(first, offset + bytes - at)));
    at += event.bytes.length;
    if (at >= offset + bytes) break;
  }
  return Buffer.concat(parts);
}

/** The facts behind number `after`, in order. */
export async function factsOf(
  openBytes: OpenBytes,
  { contents }: StoredIndex,
  after: number,
): Promise<RecordingFact[]> {
  const { header } = contents;
  const began = Date.parse(header.started);
  const time = (ms: number): string => new Date(began + ms).toISOString();
  const from = contents.keyframes.findLast(frame => frame.events <= after) ?? contents.keyframes[0];
  const facts: RecordingFact[] = [];
  if (after <= 0) {
    facts.push({
      event: 'session.start',
      code: 'T2000I',
      ei: 0,
      time: time(0),
      sid: header.sid,
      user: header.user,
      login: header.login,
      size: `${header.cols}:${header.rows}`,
      server_id: header.serverId,
      server_hostname: header.hostname,
      server_addr: header.addr,
      cluster_name: header.clusterName,
    });
  }
  if (!from) return facts;
  let ei = from.events;
  let offset = from.offset;
  let run = null as { ms: number; offset: number; bytes: number; ei: number } | null;
  const flush = (): void => {
    if (run)
      facts.push({ event: 'print', ei: run.ei, time: time(run.ms), ms: run.ms, offset: run.offset, bytes: run.bytes });
    run = null;
  };
  for await (const event of eventsFrom(openBytes, contents, from, undefined)) {
    ei += 1;
    const length = event.kind === 'output' ? event.bytes.length : 0;
    offset += length;
    if (ei <= after) continue;
    if (event.kind === 'output') {
      if (run && event.ms - run.ms < MERGE_MS && run.bytes + length <= MERGE_BYTES) {
        run = { ...run, bytes: run.bytes + length, ei };
        continue;
      }
      flush();
      if (facts.length >= FACTS_MOST) return facts;
      run = { ms: event.ms, offset: offset - length, bytes: length, ei };
      continue;
    }
    flush();
    if (facts.length >= FACTS_MOST) return facts;
    if (event.kind === 'resize')
      facts.push({
        event: 'resize',
        code: 'T2002I',
        ei,
        time: time(event.ms),
        ms: event.ms,
        size: `${event.size.cols}:${event.size.rows}`,
      });
    else if (event.kind !== 'gap')
      facts.push({ event: `session.${event.kind}`, ei, time: time(event.ms), ms: event.ms, user: event.user });
  }
  flush();
  // Its number is behind all others: whoever has it and asks on gets nothing.
  const end = ei + 1;
  if (contents.state !== 'live' && end > after)
    facts.push({ event: 'session.end', code: 'T2004I', ei: end, time: time(contents.durationMs), sid: header.sid });
  return facts;
}

/** The recording as asciicast v3 (docs.asciinema.org/manual/asciicast/v3): a header line, then [seconds since the last, code, text]. */
export async function* asciicastOf(openBytes: OpenBytes, { contents }: StoredIndex): AsyncGenerator<string> {
  const { header } = contents;
  const first = contents.keyframes[0];
  yield `${JSON.stringify({
    version: 3,
    term: { cols: header.cols, rows: header.rows, type: 'xterm-256color' },
    timestamp: Math.floor(Date.parse(header.started) / 1000),
    title: `${header.login}@${header.hostname}`,
  })}\n`;
  if (!first) return;
  const decoder = new TextDecoder();
  let last = 0;
  const line = (ms: number, code: string, text: string): string => {
    const interval = (ms - last) / 1000;
    last = ms;
    return `${JSON.stringify([interval, code, text])}\n`;
  };
  for await (const event of eventsFrom(openBytes, contents, first, undefined)) {
    if (event.kind === 'output') {
      // A character may be split between two prints: the decoder keeps its first half for the next.
      const text = decoder.decode(event.bytes, { stream: true });
      if (text) yield line(event.ms, 'o', text);
    } else if (event.kind === 'resize') yield line(event.ms, 'r', `${event.size.cols}x${event.size.rows}`);
    else if (event.kind === 'gap') yield line(event.ms, 'm', `${event.lost} bytes were not recorded`);
    else yield line(event.ms, 'm', event.kind === 'join' ? `${event.user} joined` : `${event.user} left`);
  }
  const rest = decoder.decode();
  if (rest) yield line(last, 'o', rest);
}
