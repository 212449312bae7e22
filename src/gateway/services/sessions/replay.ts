// What a client that comes (back) to a session is sent: what it misses, or a whole picture to draw on a cleared screen.

import type { SequenceKind } from '../scan.ts';
import { createScan } from '../scan.ts';
import { createModes } from './modes.ts';
import { createRing } from './ring.ts';

/** Output kept of each session, bytes: some 5,000 full lines. */
export const RING_BYTES = 512 * 1024;
/** How far a picture may begin behind the oldest byte so as to begin on a new line, bytes. */
const LINE_WITHIN_BYTES = 8 * 1024;
/** A cut picture begins no earlier than this, so that its place stays positive with the modes in front of it, bytes. */
const PRELUDE_MOST_BYTES = 4 * 1024;

export interface Picture {
  /** Place in the output that the client has reached once it has taken `bytes` when counted from here. */
  readonly offset: number;
  readonly fresh: boolean;
  readonly bytes: Buffer;
}
export interface Replay {
  readonly end: number;
  push(bytes: Uint8Array): void;
  /** The first place that a terminal may begin to read at: not inside a sequence. It moves on as the oldest output is dropped. */
  beginning(): number;
  /** What follows `have`, or null when that is no longer (or not yet) there. */
  since(have: number): Picture | null;
  /**
   * All that is held, behind the modes that were set before. Questions that a terminal answers are blotted out up to `answered`:
   * a second answer would arrive at the shell as if it had been typed.
   */
  picture(answered: number, opening?: string): Picture;
}

export function createReplay(ringBytes = RING_BYTES): Replay {
  const ring = createRing(ringBytes);
  const modes = createModes();
  const scan = createScan(modes.apply);
  /** `modes` and `scan` know the output up to here. Never before the ring's start. */
  let scanned = 0;

  function scanTo(place: number): void {
    if (place <= scanned) return;
    scan.push(ring.slice(scanned, place), scanned);
    scanned = place;
  }
  /** Moves on to the next place where a terminal may begin to read: not inside a sequence, after a line end where one is near. */
  function settle(): void {
    if (ring.start === 0) return;
    scanTo(Math.min(ring.end, Math.max(ring.start, PRELUDE_MOST_BYTES)));
    const near = ring.slice(scanned, scanned + LINE_WITHIN_BYTES);
    const first = scanned;
    let rest = scan.atRest() ? 0 : -1;
    for (let index = 0; index < near.length && rest < 0; index += 1) {
      scanTo(first + index + 1);
      if (scan.atRest()) rest = index + 1;
    }
    if (rest < 0 || near[rest - 1] === 0x0a) return;
    const line = near.indexOf(0x0a, rest);
    if (line >= 0) scanTo(first + line + 1);
    // Inside a sequence that holds a line end: go on to where it ends.
    for (let index = line + 1; line >= 0 && !scan.atRest() && index < near.length; index += 1)
      scanTo(first + index + 1);
  }
  return {
    get end() {
      return ring.end;
    },
    push(bytes) {
      ring.push(bytes, (leaving, at) => {
        if (at + leaving.length <= scanned) return;
        scan.push(leaving.subarray(Math.max(0, scanned - at)), Math.max(scanned, at));
        scanned = at + leaving.length;
      });
    },
    beginning() {
      settle();
      return ring.start === 0 ? 0 : scanned;
    },
    since: have =>
      have >= ring.start && have <= ring.end ? { offset: have, fresh: false, bytes: ring.slice(have) } : null,
    picture(answered, opening = '') {
      settle();
      const from = ring.start === 0 ? 0 : scanned;
      const held = ring.slice(from);
      blotOut(held, answered - from);
      const before = Buffer.from(ring.start === 0 ? opening : opening + modes.prelude(), 'latin1');
      return { offset: Math.max(0, from - before.length), fresh: true, bytes: Buffer.concat([before, held]) };
    },
  };
}

/** Overwrites questions among the first `most` bytes with NUL, which terminals pass over: every place stays what it was. */
export function blotOut(bytes: Uint8Array, most: number): void {
  const scan = createScan((kind, body, start, end) => {
    if (end <= most && isQuestion(kind, body)) bytes.fill(0, start, end);
  });
  scan.push(bytes, 0);
}

/** Whether a terminal answers: device attributes and status, mode, colour, clipboard and capability requests, window reports. */
function isQuestion(kind: SequenceKind, body: string): boolean {
  switch (kind) {
    case 'csi':
      return /^[>=]?[\d;]*c$|^\??[\d;]*n$|^\??[\d;]*\$p$|^(?:1[1-9]|2[01])(?:;[\d;]*)?t$|^>[\d;]*q$|^\?u$|^[01]?x$/.test(
        body,
      );
    case 'osc':
      return /^\d+;(?:.*;)?\?(?:;|$)/s.test(body);
    case 'dcs':
      return /^[$+]q/.test(body);
    case 'esc':
      return body === 'Z';
    case 'control':
      return body === '\x05';
    default:
      return kind satisfies never;
  }
}
