// Walks a recording once: its totals, whether it is intact, and the points a player can start from. Runs beside the main loop
// (index-worker.ts) except for recordings too short to need a key frame.
import { createPublicKey, verify } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Size } from '../../ports.ts';
import { createActivity } from './activity.ts';
import type { RecordingEnd, RecordingHeader } from './format.ts';
import {
  BadChunk,
  eventsOf,
  FILE_MAGIC,
  jsonOf,
  KIND,
  LINK_BYTES,
  recordingEnd,
  recordingHeader,
  signedText,
} from './format.ts';
import type { Stop, StoredChunk } from './reader.ts';
import { hasMagic, readChunks, wholeFile } from './reader.ts';
import type { Screen } from './screen.ts';

/** Output between two key frames, bytes: a browser's terminal draws this in well under 100 ms. */
export const KEYFRAME_BYTES = 256 * 1024;
/** A key frame is forced here even where the terminal is inside a sequence that does not end, bytes. */
const KEYFRAME_LATEST_BYTES = 4 * 1024 * 1024;
/** Events between two key frames: keeps a segment's list of prints short. */
const KEYFRAME_EVENTS = 8000;
/** Marks and people kept of one recording. */
const MARKS_MOST = 10_000;
const PARTICIPANTS_MOST = 1000;

export interface Keyframe {
  readonly ms: number;
  /** Output before it, bytes. */
  readonly offset: number;
  readonly cols: number;
  readonly rows: number;
  /** First byte of its first chunk in the file, and link of the chunk before (hex). */
  readonly position: number;
  readonly previous: string;
  /** Events before it: the `ei` of its first event is this + 1. */
  readonly events: number;
  /** null for the first: a reset terminal. */
  readonly screen: ScreenPlace | null;
}
/** A packed screen: its place among all of them, bytes, and its SHA-256, hex. */
interface ScreenPlace {
  readonly at: number;
  readonly bytes: number;
  readonly digest: string;
}
export interface Integrity {
  readonly ok: boolean;
  readonly problem?: string;
  /** Time of the first bad chunk, ms. */
  readonly at?: number;
}
export interface RecordingIndex {
  readonly header: RecordingHeader;
  readonly state: 'sealed' | 'cut' | 'live';
  readonly ended: string | null;
  readonly durationMs: number;
  readonly bytes: number;
  readonly integrity: Integrity;
  readonly keyframes: readonly Keyframe[];
  readonly activity: readonly number[];
  readonly resizes: readonly { readonly ms: number; readonly cols: number; readonly rows: number }[];
  readonly participants: readonly string[];
  /** Bytes of the file that can be read, and the last link there (hex). */
  readonly readable: number;
  readonly digest: string;
  /** The whole file as it was then, bytes. */
  readonly size: number;
}

export interface IndexRequest {
  readonly sid: string;
  /** Whether its recorder still writes: then the missing end is no fault. */
  readonly live: boolean;
  /** Makes the terminal that key frames are drawn from; null = find no key frames, check only. */
  readonly openScreen: ((size: Size) => Screen) | null;
  /** Takes each key frame's screen, in order. */
  readonly onScreen: (screen: string) => ScreenPlace;
}

/** Never fails for what a file holds: what cannot be read is named in `integrity`, and the rest is there. */
export async function indexRecording(file: FileHandle, request: IndexRequest): Promise<RecordingIndex> {
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
  const keyframes: Keyframe[] = [
    {
      ms: 0,
      offset: 0,
      cols: header.cols,
      rows: header.rows,
      position: readable,
      previous: link.toString('hex'),
      events: 0,
      screen: null,
    },
  ];
  const resizes: { ms: number; cols: number; rows: number }[] = [];
  const participants = new Set(header.user ? [header.user] : []);
  const activity = createActivity();
  let end: RecordingEnd | null = null;
  let screen = null as Screen | null;
  let at: Size = { cols: header.cols, rows: header.rows };
  let held: (Uint8Array | Size)[] = [];
  let bytes = 0;
  let events = 0;
  let lastMs = 0;
  let sequence = 0;
  let frameBytes = 0;
  let frameEvents = 0;

  /** Gives the terminal what has gathered. */
  async function draw(): Promise<void> {
    if (held.length === 0 || !request.openScreen) return;
    screen ??= request.openScreen({ cols: header.cols, rows: header.rows });
    const work = held;
    held = [];
    let together: Uint8Array[] = [];
    for (const step of [...work, null]) {
      if (step instanceof Uint8Array) {
        together.push(step);
        continue;
      }
      // One write for all that was printed between two sizes: each costs a turn of the loop.
      if (together.length > 0) await screen.write(Buffer.concat(together));
      together = [];
      if (step) screen.resize(step);
    }
  }
  async function keyframe(chunk: StoredChunk): Promise<void> {
    await draw();
    if (!screen || (!screen.atRest() && frameBytes < KEYFRAME_LATEST_BYTES)) return;
    const kept = request.onScreen(screen.serialize());
    keyframes.push({
      ms: lastMs,
      offset: bytes,
      cols: at.cols,
      rows: at.rows,
      position: chunk.end,
      previous: chunk.link.toString('hex'),
      events,
      screen: kept,
    });
    frameBytes = 0;
    frameEvents = 0;
  }

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
        end = jsonOf(recordingEnd, chunk.head, chunk.body);
        checkEnd(header, end, link, { bytes, lastMs }, blame);
      } else if (chunk.head.kind === KIND.header) {
        blame('A second header stands inside the recording.', lastMs);
      } else {
        for (const event of eventsOf(chunk.head, chunk.body)) {
          if (event.ms < lastMs) blame('Times go back.', lastMs);
          lastMs = Math.max(lastMs, event.ms);
          events += 1;
          frameEvents += 1;
          if (event.kind === 'output') {
            bytes += event.bytes.length;
            frameBytes += event.bytes.length;
            activity.add(event.ms, event.bytes.length);
            if (request.openScreen) held.push(Uint8Array.from(event.bytes));
          } else if (event.kind === 'resize') {
            at = boundedSize(event.size);
            if (resizes.length < MARKS_MOST) resizes.push({ ms: event.ms, ...at });
            if (request.openScreen) held.push(at);
          } else if (event.kind === 'join' && participants.size < PARTICIPANTS_MOST) participants.add(event.user);
        }
      }
    } catch (error) {
      if (!(error instanceof BadChunk)) throw error;
      blame(`A part of the recording cannot be read: ${error.message}.`, lastMs);
      stop = { position: chunk.position, reason: 'bad', problem: error.message };
      break;
    }
    readable = chunk.end;
    link = chunk.link;
    if (!end && request.openScreen && (frameBytes >= KEYFRAME_BYTES || frameEvents >= KEYFRAME_EVENTS))
      await keyframe(chunk);
  }
  if (stop && stop.reason === 'bad') blame(`What follows cannot be read: ${stop.problem || 'it is damaged'}.`, lastMs);
  if (!end && !request.live) blame('The end of the recording is missing.', lastMs);
  if (end && readable < size) blame('Something was added behind the end of the recording.', lastMs);
  screen?.dispose();
  const durationMs = end && integrity.ok ? end.ms : lastMs;
  return {
    header,
    state: end ? end.state : request.live ? 'live' : 'cut',
    ended: end?.ended ?? null,
    durationMs,
    bytes,
    integrity,
    keyframes,
    activity: activity.slices(durationMs),
    resizes,
    participants: [...participants],
    readable,
    digest: link.toString('hex'),
    size,
  };
}

/** Reads and checks the first chunk. Throws BadChunk. */
export function headerOf(chunk: StoredChunk, sid: string): RecordingHeader {
  if (chunk.head.kind !== KIND.header) throw new BadChunk('the file does not begin with a header');
  const header = jsonOf(recordingHeader, chunk.head, chunk.body);
  if (header.sid !== sid) throw new BadChunk('the file holds the recording of another session');
  return { ...header, ...boundedSize(header) };
}

/** Stands in for a header that cannot be read. */
const unknownHeader = (sid: string, started: Date): RecordingHeader => ({
  version: 1,
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

/** A size from a file, made harmless for a terminal. */
function boundedSize(size: Size): Size {
  const cells = (value: number): number => Math.min(4095, Math.max(1, Math.round(value) || 1));
  return { cols: cells(size.cols), rows: cells(size.rows) };
}

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
