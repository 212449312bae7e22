// Sends one session's output to its parties. Peers may slow the shell down, as far as memory asks for it; all others may not.
import type { SessionFrame } from '../../../contract/terminal.ts';
import { SEEN_WINDOW_BYTES } from '../../../contract/terminal.ts';
import type { Sink } from './party.ts';
import { LAG_MOST_BYTES, SOCKET_HIGH_BYTES, SOCKET_LOW_BYTES, STALL_MOST_MS } from './party.ts';
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
export interface FanOut {
  /** Output so far, bytes. */
  readonly total: number;
  push(bytes: Uint8Array): void;
  /** The program is gone: what is left is little, and reports of what was seen no longer hold it back. */
  last(): void;
  /** Begins to send to a party: first what it lacks. */
  open(sink: Sink, holds: boolean, have: number | undefined): Flow;
  close(): void;
}

interface Reader {
  readonly sink: Sink;
  /** Whether it may hold the shell: a peer that has not stalled. */
  readonly peer: boolean;
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
  let paused = false;
  let stall: NodeJS.Timeout | null = null;
  /** Output up to here has been sent to somebody: its questions have been answered. */
  let answered = 0;

  let ending = false;
  const unseen = (reader: Reader): number => (ending || reader.seen === null ? 0 : reader.sent - reader.seen);

  function send(reader: Reader, bytes: Uint8Array, end: number): void {
    reader.sink.output(bytes, end);
    reader.sent = end;
    answered = Math.max(answered, end);
  }
  function sendAll(reader: Reader, picture: Picture): void {
    for (let at = 0; at < picture.bytes.length; at += PIECE_BYTES) {
      const piece = picture.bytes.subarray(at, at + PIECE_BYTES);
      send(reader, piece, picture.offset + at + piece.length);
    }
  }
  function show(reader: Reader, picture: Picture): void {
    reader.sink.begin(ports.frame({ offset: picture.offset, fresh: picture.fresh }));
    reader.sent = picture.offset;
    sendAll(reader, picture);
  }
  function catchUp(reader: Reader): void {
    if (!reader.behind || reader.sink.bufferedBytes() > SOCKET_LOW_BYTES || unseen(reader) > SOCKET_LOW_BYTES) return;
    reader.behind = false;
    reader.stalled = false;
    const missed = replay.since(reader.sent);
    if (missed) {
      sendAll(reader, missed);
      return;
    }
    const picture = replay.picture(answered, RESET);
    // What lies between was never sent, so it never will be seen.
    if (reader.seen !== null) reader.seen = picture.offset;
    show(reader, picture);
  }
  function judge(reader: Reader): void {
    const buffered = reader.sink.bufferedBytes();
    const holds = reader.peer && !reader.stalled;
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
    push(bytes) {
      replay.push(bytes);
      for (const reader of readers) if (!reader.behind) send(reader, bytes, replay.end);
      balance();
    },
    last() {
      ending = true;
      balance();
    },
    open(sink, peer, have) {
      const reader: Reader = { sink, peer, stalled: false, blocked: false, behind: false, sent: 0, seen: null };
      const drained = (): void => {
        if (!readers.has(reader)) return;
        catchUp(reader);
        balance();
      };
      readers.add(reader);
      show(reader, (have === undefined ? null : replay.since(have)) ?? replay.picture(answered));
      balance();
      sink.onDrain(drained);
      return {
        seen(offset) {
          // Never more than was sent, never less than was said before.
          reader.seen = Math.max(reader.seen ?? 0, Math.min(reader.sent, offset));
          drained();
        },
        close() {
          readers.delete(reader);
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
