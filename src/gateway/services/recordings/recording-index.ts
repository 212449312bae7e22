// Walks a recording once: its totals, whether it is intact, and the points a player can start from. Runs beside the main loop
// (index-worker.ts) except for recordings too short to need a key frame.
import { createPublicKey, verify } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { openDesktopIndexer } from './desktop-index.ts';
import { readEvents } from './events.ts';
import type { RecordingEnd, RecordingHeader, RecordingKind } from './format.ts';
import {
  BadChunk,
  badChunk,
  FILE_MAGIC,
  jsonOf,
  KIND,
  LINK_BYTES,
  recordingEnd,
  recordingHeader,
  signedText,
} from './format.ts';
import type { Place, Stop, StoredChunk } from './reader.ts';
import { hasMagic, readChunks, wholeFile } from './reader.ts';
import type { TerminalContents, TerminalIndexer, TerminalIndexRequest } from './terminal-index.ts';
import { boundedSize, openTerminalIndexer } from './terminal-index.ts';

/** People kept of one recording. */
const PARTICIPANTS_MOST = 1000;

export interface Integrity {
  readonly ok: boolean;
  readonly problem?: string;
  /** Time of the first bad chunk, ms. */
  readonly at?: number;
  /** It is read in part from where it is kept: `ok` is what was found when it was indexed, and each part is checked as it is read. */
  readonly unread?: boolean;
}
/** What every kind of recording has, and what the kind adds: a desktop's has no more than a terminal's. */
export interface RecordingIndex extends TerminalContents {
  readonly header: RecordingHeader;
  readonly state: 'sealed' | 'cut' | 'live';
  readonly ended: string | null;
  readonly durationMs: number;
  readonly integrity: Integrity;
  readonly participants: readonly string[];
  /** Bytes of the file that can be read, and the last link there (hex). */
  readonly readable: number;
  readonly digest: string;
  /** The whole file as it was then, bytes. */
  readonly size: number;
  /** Checksums of its pieces (pieces.ts); none where only the chain was checked, or where it still grows. */
  readonly pieces: readonly string[];
  /** A desktop's was drawn, as far as it could be. */
  readonly isDrawn?: boolean;
}

export interface IndexRequest extends TerminalIndexRequest {
  readonly sid: string;
  /** Whether its recorder still writes: then the missing end is no fault. */
  readonly live: boolean;
}

/** Never fails for what a file holds: what cannot be read is named in `integrity`, and the rest is there. */
export async function indexRecording(file: FileHandle, request: IndexRequest): Promise<Omit<RecordingIndex, 'pieces'>> {
  const { size, mtime } = await file.stat();
  let integrity: Integrity = { ok: true };
  const blame = (problem: string, at: number): void => {
    if (integrity.ok) integrity = { ok: false, problem, at };
  };
  if (!(await hasMagic(file))) blame('The file does not begin as a recording does.', 0);
  const chunks = readChunks(file, wholeFile(size));
  const first = await chunks.next();
  let header = unknownHeader(request.sid, mtime);
  let readable = FILE_MAGIC.length;
  let link: Buffer = Buffer.alloc(LINK_BYTES);
  if (first.done) blame('The beginning of the recording cannot be read.', 0);
  else {
    readable = first.value.end;
    link = first.value.link;
    if (!first.value.fits || first.value.head.sequence !== 0) blame('The header was changed.', 0);
    try {
      header = headerOf(first.value, request.sid);
    } catch (error) {
      if (!(error instanceof BadChunk)) throw error;
      blame(`The header cannot be read: ${error.message}.`, 0);
    }
  }
  const indexer = openIndexer(header, first.done ? { position: readable, skip: 0 } : first.value.next, request);
  const participants = new Set(header.user ? [header.user] : []);
  let end: RecordingEnd | null = null;
  let lastMs = 0;
  let sequence = 0;

  let stop: Stop | null = null;
  while (!end && !first.done) {
    const step = await chunks.next();
    if (step.done) {
      stop = step.value;
      break;
    }
    const chunk = step.value;
    if (!chunk.fits) blame('A part of the recording was changed, removed or moved.', lastMs);
    sequence += 1;
    if (chunk.head.sequence !== sequence) blame('A part of the recording is missing.', lastMs);
    try {
      if (chunk.head.kind === KIND.end) {
        end = jsonOf(recordingEnd, chunk.body);
        checkEnd(header, end, link, { bytes: indexer.contents(0).bytes, lastMs }, blame);
      } else if (chunk.head.kind === KIND.header) {
        blame('A second header stands inside the recording.', lastMs);
      } else {
        for (const event of readEvents(chunk.body, chunk.head.ms, badChunk)) {
          if (event.ms < lastMs) blame('Times go back.', lastMs);
          lastMs = Math.max(lastMs, event.ms);
          indexer.take(event);
          if (event.kind === 'join' && participants.size < PARTICIPANTS_MOST) participants.add(event.user);
        }
      }
    } catch (error) {
      if (!(error instanceof BadChunk)) throw error;
      blame(`A part of the recording cannot be read: ${error.message}.`, lastMs);
      stop = { position: chunk.place.position, reason: 'bad', problem: error.message };
      break;
    }
    readable = chunk.end;
    link = chunk.link;
    if (!end) await indexer.endOfChunk(chunk, lastMs);
  }
  if (stop && stop.reason === 'bad') blame(`What follows cannot be read: ${stop.problem || 'it is damaged'}.`, lastMs);
  if (!end && !request.live) blame('The end of the recording is missing.', lastMs);
  if (end && readable < size) blame('Something was added behind the end of the recording.', lastMs);
  indexer.dispose();
  const durationMs = end && integrity.ok ? end.ms : lastMs;
  return {
    header,
    state: end ? end.state : request.live ? 'live' : 'cut',
    ended: end?.ended ?? null,
    durationMs,
    integrity,
    ...indexer.contents(durationMs),
    ...(header.kind === 'desktop' && request.openDrawing && { isDrawn: true }),
    participants: [...participants],
    readable,
    digest: link.toString('hex'),
    size,
  };
}

/** Reads and checks the first chunk. Throws BadChunk. */
export function headerOf(chunk: StoredChunk, sid: string): RecordingHeader {
  if (chunk.head.kind !== KIND.header) throw new BadChunk('the file does not begin with a header');
  const header = jsonOf(recordingHeader, chunk.body);
  if (header.sid !== sid) throw new BadChunk('the file holds the recording of another session');
  return header.kind === 'desktop' ? header : { ...header, ...boundedSize(header) };
}

/** Stands in for a header that cannot be read. */
const unknownHeader = (sid: string, started: Date): RecordingHeader => ({
  version: 1,
  kind: 'terminal',
  sid,
  user: '',
  login: '',
  serverId: '',
  hostname: '',
  addr: '',
  clusterName: '',
  cols: 80,
  rows: 24,
  started: started.toISOString(),
  proto: 'ssh',
  mode: 'strict',
  key: '',
});

/** How recordings of each kind are indexed: a kind is a row here, with its events, its playback and its export beside it. */
const indexers = { terminal: openTerminalIndexer, desktop: openDesktopIndexer } as const satisfies Record<
  RecordingKind,
  unknown
>;
const openIndexer = (header: RecordingHeader, ...rest: Start): TerminalIndexer =>
  indexers[header.kind](header, ...rest);
type Start = [start: Place, request: TerminalIndexRequest];

function checkEnd(
  header: RecordingHeader,
  end: RecordingEnd,
  previous: Uint8Array,
  found: { bytes: number; lastMs: number },
  blame: (problem: string, at: number) => void,
): void {
  if (end.state === 'sealed' && end.key !== header.key) blame('The end was signed with another key.', found.lastMs);
  if (end.bytes !== found.bytes || end.ms < found.lastMs)
    blame('The totals at the end do not fit what was read.', found.lastMs);
  const { signature, ...rest } = end;
  if (!signatureFits(end.key, signedText(header.sid, rest, previous), signature))
    blame('The signature does not fit.', found.lastMs);
}
function signatureFits(key: string, text: string, signature: string): boolean {
  const raw = Buffer.from(key, 'base64');
  if (raw.length !== LINK_BYTES) return false;
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
    format: 'jwk',
  });
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
}
