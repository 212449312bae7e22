// What indexing finds in the recording of a terminal: how much was printed when, its sizes, and the points a player can start from.
import type { CommandMark, PartyMark } from '../../../contract/recordings.ts';
import type { DesktopProtocol } from '../../../contract/resources.ts';
import type { Size } from '../../ports/shell.ts';
import { createCommandMarks } from '../command-marks.ts';
import type { Drawing } from '../desktop-drawing/drawing.ts';
import { createActivity } from './activity.ts';
import type { RecordedEvent } from './events.ts';
import type { Place, StoredChunk } from './reader.ts';
import type { Screen } from './screen.ts';

/** Output between two key frames, bytes: a browser's terminal draws this in well under 100 ms. */
export const KEYFRAME_BYTES = 256 * 1024;
/** A key frame is forced here even where the terminal is inside a sequence that does not end, bytes. */
const KEYFRAME_LATEST_BYTES = 4 * 1024 * 1024;
/** Events between two key frames: keeps a segment's list of prints short. */
const KEYFRAME_EVENTS = 8000;
/** Marks kept of one recording. */
const MARKS_MOST = 10_000;

/** A point that a player can start from. */
export interface Keyframe {
  readonly ms: number;
  /** Output before it, bytes. */
  readonly offset: number;
  readonly cols: number;
  readonly rows: number;
  /** Of its first chunk. */
  readonly place: Place;
  /** Events before it: the `ei` of its first event is this + 1. */
  readonly events: number;
  /** null for the first: a reset terminal; and of a desktop where it is only drawn on what is before it. */
  readonly screen: ScreenPlace | null;
}
/** A packed screen: its place among all of them, bytes, and its SHA-256, hex. */
interface ScreenPlace {
  readonly at: number;
  readonly bytes: number;
  readonly digest: string;
}
export interface TerminalContents {
  /** Output in all, bytes. */
  readonly bytes: number;
  readonly keyframes: readonly Keyframe[];
  readonly activity: readonly number[];
  readonly commands: readonly CommandMark[];
  readonly parties: readonly PartyMark[];
  readonly resizes: readonly { readonly ms: number; readonly cols: number; readonly rows: number }[];
  /** Small pictures of a desktop, one for each minute, where it was drawn. */
  readonly thumbnails?: readonly Thumbnail[];
}
export interface Thumbnail {
  readonly ms: number;
  /** PNG, in base64. */
  readonly screen: ScreenPlace;
}
export interface TerminalIndexRequest {
  /** Makes the terminal that key frames are drawn from; null = find no key frames, check only. */
  readonly openScreen: ((size: Size) => Screen) | null;
  /** Draws a desktop from what its server sent; null = find no key frames of it, only parts. */
  readonly openDrawing?: ((protocol: DesktopProtocol) => Drawing) | null;
  /** Takes each key frame's screen, in order. */
  readonly onScreen: (screen: string) => ScreenPlace;
}
/** One kind's part of a walk through a file: told every event and the end of every chunk, in order. You must dispose it. */
export interface TerminalIndexer {
  take(event: RecordedEvent): void;
  /** All events of a chunk were taken: `ms` is the time of the last. */
  endOfChunk(chunk: StoredChunk, ms: number): Promise<void>;
  contents(durationMs: number): TerminalContents;
  dispose(): void;
}

/** `start` is where the events begin in the file. */
export function openTerminalIndexer(size: Size, start: Place, request: TerminalIndexRequest): TerminalIndexer {
  const keyframes: Keyframe[] = [
    { ms: 0, offset: 0, cols: size.cols, rows: size.rows, place: start, events: 0, screen: null },
  ];
  const resizes: { ms: number; cols: number; rows: number }[] = [];
  const parties: PartyMark[] = [];
  const activity = createActivity();
  const commands = createCommandMarks(size.cols);
  let screen = null as Screen | null;
  let at: Size = { cols: size.cols, rows: size.rows };
  let held: (Uint8Array | Size)[] = [];
  let bytes = 0;
  let events = 0;
  let frameBytes = 0;
  let frameEvents = 0;

  /** Gives the terminal what has gathered. */
  async function print(): Promise<void> {
    if (held.length === 0 || !request.openScreen) return;
    screen ??= request.openScreen({ cols: size.cols, rows: size.rows });
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
  return {
    take(event) {
      events += 1;
      frameEvents += 1;
      if (event.kind === 'output') {
        bytes += event.bytes.length;
        frameBytes += event.bytes.length;
        activity.add(event.ms, event.bytes.length);
        commands.push(event.bytes, event.ms);
        if (request.openScreen) held.push(Uint8Array.from(event.bytes));
      } else if (event.kind === 'resize') {
        at = boundedSize(event.size);
        commands.resize(at.cols);
        if (resizes.length < MARKS_MOST) resizes.push({ ms: event.ms, ...at });
        if (request.openScreen) held.push(at);
      } else if (event.kind !== 'gap' && parties.length < MARKS_MOST)
        parties.push({ ms: event.ms, user: event.user, change: event.kind });
    },
    async endOfChunk(chunk, ms) {
      if (!request.openScreen || (frameBytes < KEYFRAME_BYTES && frameEvents < KEYFRAME_EVENTS)) return;
      await print();
      if (!screen || (!screen.atRest() && frameBytes < KEYFRAME_LATEST_BYTES)) return;
      keyframes.push({
        ms,
        offset: bytes,
        cols: at.cols,
        rows: at.rows,
        place: chunk.next,
        events,
        screen: request.onScreen(screen.serialize()),
      });
      frameBytes = 0;
      frameEvents = 0;
    },
    contents: durationMs => ({
      bytes,
      keyframes,
      activity: activity.slices(durationMs),
      commands: commands.marks(),
      parties,
      resizes,
    }),
    dispose: () => screen?.dispose(),
  };
}

/** A size from a file, made harmless for a terminal. */
export function boundedSize(size: Size): Size {
  const cells = (value: number): number => Math.min(4095, Math.max(1, Math.round(value) || 1));
  return { cols: cells(size.cols), rows: cells(size.rows) };
}
