// What indexing finds in the recording of a desktop: how much was drawn when, parts that are handed out one by one, and, where it is drawn for
// that, points a player can start from and small pictures. What a server draws builds on all it has drawn before: a part without a picture of
// its own is played behind those before it.
import type { PartyMark } from '../../../contract/recordings.ts';
import type { Drawing } from '../desktop-drawing/drawing.ts';
import { createActivity } from './activity.ts';
import type { RecordingHeader } from './format.ts';
import type { Place } from './reader.ts';
import type { Keyframe, TerminalIndexer, TerminalIndexRequest, Thumbnail } from './terminal-index.ts';

/** Of a part, so that a player need not wait long for the first one, bytes and events. */
const PART_BYTES = 512 * 1024;
const PART_EVENTS = 8000;
/** Between two pictures, bytes: an engine draws this in less than a second. They stand where parts begin. */
const PICTURE_BYTES = PART_BYTES;
/** What is drawn is so many times as large as the pictures of it that are kept. */
const PICTURE_SHARE = 8;
/** Pictures kept of one recording before they become half as many. */
const PICTURES_MOST = 500;
/** Marks kept of one recording. */
const MARKS_MOST = 10_000;
/** The first small picture is of the first second, when something is on the screen; then one for each minute, ms. */
const THUMBNAIL_FIRST_MS = 1000;
const THUMBNAIL_MS = 60_000;
const THUMBNAIL_PIXELS = 192;
/** Two weeks of them. */
const THUMBNAILS_MOST = 20_160;
/** What is drawn at once, bytes. */
const FEED_BYTES = 64 * 1024;

/** `start` is where the events begin in the file. */
export function openDesktopIndexer(
  { cols, rows, proto }: RecordingHeader,
  start: Place,
  { openDrawing, onScreen }: TerminalIndexRequest,
): TerminalIndexer {
  const keyframes: Keyframe[] = [{ ms: 0, offset: 0, cols, rows, place: start, events: 0, screen: null }];
  const parties: PartyMark[] = [];
  const thumbnails: Thumbnail[] = [];
  const activity = createActivity();
  let bytes = 0;
  let events = 0;
  let part = { bytes: 0, events: 0 };
  let drawing: Drawing | null = openDrawing && (proto === 'rdp' || proto === 'vnc') ? openDrawing(proto) : null;
  /** What was not drawn yet: of this chunk, and of those before it. */
  let chunkBytes: Uint8Array[] = [];
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let sincePicture = 0;
  let between = PICTURE_BYTES;
  let pictures = 0;
  let nextThumbnail = THUMBNAIL_FIRST_MS;
  /** When what was drawn last was. */
  let lastMs = 0;

  async function draw(to: Drawing): Promise<void> {
    if (held.length === 0) return;
    const together = Buffer.concat(held);
    held = [];
    heldBytes = 0;
    await to.feed(together);
  }
  /** What the screen showed as a minute began: what came before this chunk. */
  async function shrink(to: Drawing, ms: number): Promise<void> {
    if (ms < nextThumbnail) return;
    await draw(to);
    const png = await to.thumbnail(THUMBNAIL_PIXELS);
    // Nothing is on the screen yet: the first one is made when there is.
    if (!png) return;
    const screen = onScreen(Buffer.from(png).toString('base64'));
    while (ms >= nextThumbnail) {
      const shown = Math.max(nextThumbnail, thumbnails.length === 0 ? lastMs : 0);
      if (thumbnails.length < THUMBNAILS_MOST) thumbnails.push({ ms: shown, screen });
      nextThumbnail = (Math.floor(nextThumbnail / THUMBNAIL_MS) + 1) * THUMBNAIL_MS;
    }
  }
  async function picture(to: Drawing): Promise<Keyframe['screen']> {
    if (sincePicture < between) return null;
    await draw(to);
    const found = await to.restored();
    if (!found) return null;
    const { width, height, ...parts } = found;
    const [before, png, after] = [parts.before, parts.png, parts.after].map(one => Buffer.from(one).toString('base64'));
    const text = JSON.stringify({ width, height, before, png, after });
    pictures += 1;
    sincePicture = 0;
    if (pictures % PICTURES_MOST === 0) between *= 2;
    between = Math.max(between, Math.min(text.length * PICTURE_SHARE, 64 * PICTURE_BYTES));
    return onScreen(text);
  }
  return {
    take(event) {
      events += 1;
      part.events += 1;
      if (event.kind === 'output') {
        bytes += event.bytes.length;
        part.bytes += event.bytes.length;
        sincePicture += event.bytes.length;
        activity.add(event.ms, event.bytes.length);
        if (drawing) chunkBytes.push(Uint8Array.from(event.bytes));
      } else if ((event.kind === 'join' || event.kind === 'leave') && parties.length < MARKS_MOST)
        parties.push({ ms: event.ms, user: event.user, change: event.kind });
    },
    async endOfChunk(chunk, ms) {
      let screen: Keyframe['screen'] = null;
      // Parts begin where they do without pictures: a player that was opened before there were any asks for them by number.
      const isPart = part.bytes >= PART_BYTES || part.events >= PART_EVENTS;
      if (drawing) {
        const to = drawing;
        try {
          await shrink(to, ms);
          lastMs = ms;
          heldBytes += chunkBytes.reduce((sum, one) => sum + one.length, 0);
          held.push(...chunkBytes.splice(0));
          if (heldBytes >= FEED_BYTES) await draw(to);
          if (isPart) screen = await picture(to);
        } catch {
          // What cannot be drawn here is played behind what is before it: the rest has no pictures.
          drawing = null;
          chunkBytes = [];
          held = [];
          void to.close();
        }
      }
      if (!isPart) return;
      keyframes.push({ ms, offset: bytes, cols, rows, place: chunk.next, events, screen });
      part = { bytes: 0, events: 0 };
    },
    contents: durationMs => ({
      bytes,
      keyframes,
      activity: activity.slices(durationMs),
      commands: [],
      parties,
      resizes: [],
      thumbnails,
    }),
    dispose: () => void drawing?.close(),
  };
}
