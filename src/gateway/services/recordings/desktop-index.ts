// What indexing finds in the recording of a desktop: how much was drawn when, and parts that are handed out one by one. What a server draws
// builds on all it has drawn before, so that a player always begins at the beginning.
import type { PartyMark } from '../../../contract/recordings.ts';
import type { Size } from '../../ports/shell.ts';
import { createActivity } from './activity.ts';
import type { Place } from './reader.ts';
import type { Keyframe, TerminalIndexer } from './terminal-index.ts';

/** Of a part, so that a player need not wait long for the first one, bytes and events. */
const PART_BYTES = 512 * 1024;
const PART_EVENTS = 8000;
/** Marks kept of one recording. */
const MARKS_MOST = 10_000;

/** `start` is where the events begin in the file. */
export function openDesktopIndexer({ cols, rows }: Size, start: Place): TerminalIndexer {
  const keyframes: Keyframe[] = [{ ms: 0, offset: 0, cols, rows, place: start, events: 0, screen: null }];
  const parties: PartyMark[] = [];
  const activity = createActivity();
  let bytes = 0;
  let events = 0;
  let part = { bytes: 0, events: 0 };
  return {
    take(event) {
      events += 1;
      part.events += 1;
      if (event.kind === 'output') {
        bytes += event.bytes.length;
        part.bytes += event.bytes.length;
        activity.add(event.ms, event.bytes.length);
      } else if ((event.kind === 'join' || event.kind === 'leave') && parties.length < MARKS_MOST)
        parties.push({ ms: event.ms, user: event.user, change: event.kind });
    },
    async endOfChunk(chunk, ms) {
      if (part.bytes < PART_BYTES && part.events < PART_EVENTS) return;
      keyframes.push({ ms, offset: bytes, cols, rows, place: chunk.next, events, screen: null });
      part = { bytes: 0, events: 0 };
    },
    contents: durationMs => ({
      bytes,
      keyframes,
      activity: activity.slices(durationMs),
      commands: [],
      parties,
      resizes: [],
    }),
    dispose: () => undefined,
  };
}
