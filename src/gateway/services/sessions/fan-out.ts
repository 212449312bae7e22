// Sends one session's output to its participants. Peers may slow the shell down, as far as memory asks for it; all others may not.
import type { SessionFrame } from '../../../contract/terminal.ts';
import { SEEN_WINDOW_BYTES } from '../../../contract/terminal.ts';
import type { ClipboardFilter } from './clipboard-filter.ts';
import { createClipboardFilter } from './clipboard-filter.ts';
import type { Subscriber } from './participant.ts';
import { LAG_MOST_BYTES, SOCKET_HIGH_BYTES, SOCKET_LOW_BYTES, STALL_MOST_MS } from './participant.ts';
import type { Picture } from './replay.ts';
import { createReplay } from './replay.ts';

/** Most output in one message, bytes. */
export const PIECE_BYTES = 64 * 1024;
/** ESC c: a terminal that lagged is cleared within its own stream, so that clients which skip a second session frame are right too. */
const RESET = '\x1bc';

export interface FanOutPorts {
  readonly pause: () => void;
  readonly resume: () => void;
  readonly frame: (output: { readonly offset: number; readonly fresh: boolean }) => SessionFrame;
  /** Bytes of output kept for those who come later; default RING_BYTES. */
  readonly ringBytes?: number;
}
export interface Flow {
  /** How far the client says it has shown, bytes. */
  seen(offset: number): void;
  close(): void;
}
interface ReaderRights {
  /** May hold the shell: a peer. */
  readonly holds: boolean;
  /** Is shown what the host writes to the clipboard, too: the owner at the keys. */
  readonly clipboard: boolean;
}
export interface FanOut {
  /** Output so far, bytes. */
  readonly total: number;
  /** The last of the output, at most so many bytes, from where no sequence is open. */
  recent(mostBytes: number): Uint8Array;
  push(bytes: Uint8Array): void;
  /** The program is gone: what is left is little, and reports of what was seen no longer hold it back. */
  last(): void;
  /** Begins to send to a participant: first what it lacks. */
  open(subscriber: Subscriber, reader: ReaderRights, have: number | undefined): Flow;
  close(): void;
}

/** A picture as a reader may see it. */
type ReaderPicture = Omit<Picture, 'bytes'> & { readonly bytes: Uint8Array };
interface Reader extends ReaderRights {
  readonly subscriber: Subscriber;
  stalled: boolean;
  blocked: boolean;
  /** Lagging: it gets nothing until it has drained, and then a new picture. */
  behind: boolean;
  sent: number;
  /** null until the client says so for the first time. */
  seen: number | null;
}

export function createFanOut(ports: FanOutPorts): FanOut {
  const replay = createReplay(ports.ringBytes);
  const readers = new Set<Reader>();
  /** Follows all output for as long as there is a reader that is not to be shown clipboard writes. */
  let filter: ClipboardFilter | null = null;
  let paused = false;
  let stall: NodeJS.Timeout | null = null;
  /** Output up to here has been sent to somebody: its questions have been answered. */
  let answered = 0;

  let ending = false;
  const unseen = (reader: Reader): number => (ending || reader.seen === null ? 0 : reader.sent - reader.seen);

  function send(reader: Reader, bytes: Uint8Array, end: number): void {
    reader.subscriber.output(bytes, end);
    reader.sent = end;
    answered = Math.max(answered, end);
  }
  function sendAll(reader: Reader, picture: ReaderPicture): void {
    for (let at = 0; at < picture.bytes.length; at += PIECE_BYTES) {
      const piece = picture.bytes.subarray(at, at + PIECE_BYTES);
      send(reader, piece, picture.offset + at + piece.length);
    }
  }
  /** What this reader lacks behind `have`; null when it must be given a whole picture. */
  function missedBy(reader: Reader, have: number): ReaderPicture | null {
    const missed = replay.since(have);
    if (!missed || reader.clipboard) return missed;
    // Read from where no sequence is open: `have` itself may lie inside one.
    const from = replay.beginning();
    const whole = have < from ? null : replay.since(from);
    return (
      whole && {
        ...missed,
        bytes: createClipboardFilter()
          .apply(whole.bytes)
          .subarray(have - from),
      }
    );
  }
  function pictureFor(reader: Reader, opening?: string): ReaderPicture {
    const picture = replay.picture(answered, opening);
    return reader.clipboard ? picture : { ...picture, bytes: createClipboardFilter().apply(picture.bytes) };
  }
  /** Starts to filter where a reader needs it, in the state that the output so far leads to. */
  function follow(): void {
    if (filter || ![...readers].some(reader => !reader.clipboard)) return;
    filter = createClipboardFilter();
    const held = replay.since(replay.beginning());
    if (held) filter.apply(held.bytes);
  }
  function show(reader: Reader, picture: ReaderPicture): void {
    reader.subscriber.begin(ports.frame({ offset: picture.offset, fresh: picture.fresh }));
    reader.sent = picture.offset;
    sendAll(reader, picture);
  }
  function catchUp(reader: Reader): void {
    if (!reader.behind || reader.subscriber.bufferedBytes() > SOCKET_LOW_BYTES || unseen(reader) > SOCKET_LOW_BYTES)
      return;
    reader.behind = false;
    reader.stalled = false;
    const missed = missedBy(reader, reader.sent);
    if (missed) {
      sendAll(reader, missed);
      return;
    }
    const picture = pictureFor(reader, RESET);
    // What lies between was never sent, so it never will be seen.
    if (reader.seen !== null) reader.seen = picture.offset;
    show(reader, picture);
  }
  function judge(reader: Reader): void {
    const buffered = reader.subscriber.bufferedBytes();
    const holds = reader.holds && !reader.stalled;
    if (holds) {
      const high = reader.blocked ? SOCKET_LOW_BYTES : SOCKET_HIGH_BYTES;
      const window = reader.blocked ? SEEN_WINDOW_BYTES / 2 : SEEN_WINDOW_BYTES;
      reader.blocked = buffered > high || unseen(reader) > window;
      return;
    }
    reader.blocked = false;
    if (buffered > LAG_MOST_BYTES || unseen(reader) > LAG_MOST_BYTES) reader.behind = true;
  }
  /** Holds or releases the shell, as its peers now are. */
  function balance(): void {
    let blocked = 0;
    for (const reader of readers) {
      judge(reader);
      if (reader.blocked) blocked += 1;
    }
    if (blocked > 0 !== paused) {
      paused = blocked > 0;
      if (paused) ports.pause();
      else ports.resume();
    }
    if (blocked > 0 && blocked < readers.size) stall ??= setTimeout(letGo, STALL_MOST_MS).unref();
    else if (stall) {
      clearTimeout(stall);
      stall = null;
    }
  }
  /** Somebody held the shell too long while others wait. */
  function letGo(): void {
    stall = null;
    for (const reader of readers) {
      if (!reader.blocked) continue;
      reader.stalled = true;
      reader.behind = true;
    }
    balance();
  }
  return {
    get total() {
      return replay.end;
    },
    recent(mostBytes) {
      const held = replay.since(Math.max(replay.beginning(), replay.end - mostBytes));
      return held?.bytes ?? new Uint8Array();
    },
    push(bytes) {
      replay.push(bytes);
      const harmless = filter ? filter.apply(bytes) : bytes;
      for (const reader of readers) if (!reader.behind) send(reader, reader.clipboard ? bytes : harmless, replay.end);
      balance();
    },
    last() {
      ending = true;
      balance();
    },
    open(subscriber, rights, have) {
      const reader: Reader = {
        ...rights,
        subscriber,
        stalled: false,
        blocked: false,
        behind: false,
        sent: 0,
        seen: null,
      };
      const drained = (): void => {
        if (!readers.has(reader)) return;
        catchUp(reader);
        balance();
      };
      readers.add(reader);
      follow();
      show(reader, (have === undefined ? null : missedBy(reader, have)) ?? pictureFor(reader));
      balance();
      subscriber.onDrain(drained);
      return {
        seen(offset) {
          // Never more than was sent, never less than was said before.
          reader.seen = Math.max(reader.seen ?? 0, Math.min(reader.sent, offset));
          drained();
        },
        close() {
          readers.delete(reader);
          if (![...readers].some(({ clipboard }) => !clipboard)) filter = null;
          balance();
        },
      };
    },
    close() {
      readers.clear();
      if (stall) clearTimeout(stall);
      stall = null;
    },
  };
}
