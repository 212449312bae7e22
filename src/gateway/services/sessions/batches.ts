// Puts together what a shell prints at once: fewer and larger chunks of the recording and messages.
import { givenBack } from '../reused-memory.ts';
import { PIECE_BYTES } from './fan-out.ts';

/** While a shell prints without a break, output waits this long for more of it, ms. */
const GATHER_MS = 2;
/** A batch of at least this much is taken for the beginning of a flow: keys that are echoed never wait, bytes. */
const FLOW_FROM_BYTES = 2048;
/** Batches of a shell at rest fit here: a session that never prints in bulk keeps no more, bytes. */
const SMALL_BYTES = 4096;

export interface Batches {
  push(bytes: Uint8Array): void;
  /** Gives out what waits. */
  flush(): void;
  /** Gives out nothing more by itself. */
  stop(): void;
}

export interface BatchOptions {
  /** Most of one batch, bytes. */
  readonly mostBytes?: number;
  /** While output flows, how long it waits for more of it, ms. 0: what comes in one turn of the loop is a batch, and nothing waits. */
  readonly gatherMs?: number;
}
/** `deliver` takes a copy at once: the memory of a batch is used again. `over`: nothing is taken any more. */
export function createBatches(
  deliver: (batch: Uint8Array) => void,
  over: () => boolean,
  { mostBytes = PIECE_BYTES, gatherMs = GATHER_MS }: BatchOptions = {},
): Batches {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  /** Where the pieces of a batch are put together, made when there is a batch of several. */
  let gathered: Buffer | null = null;
  let scheduled: NodeJS.Immediate | null = null;
  let gathering: NodeJS.Timeout | null = null;
  /** Until then what comes belongs to a flow, performance.now(). */
  let flowsUntil = 0;

  /** Pieces as one. A single one is answered as it is. */
  function together(pieces: readonly Uint8Array[], length: number): Uint8Array {
    const [first] = pieces;
    if (first && pieces.length === 1) return first;
    if (!gathered || gathered.length < length)
      gathered = Buffer.allocUnsafeSlow(length < SMALL_BYTES ? SMALL_BYTES : mostBytes);
    let at = 0;
    for (const piece of pieces) {
      gathered.set(piece, at);
      at += piece.length;
    }
    return gathered.subarray(0, length);
  }
  function stop(): void {
    if (scheduled) clearImmediate(scheduled);
    scheduled = null;
    if (gathering) clearTimeout(gathering);
    gathering = null;
  }
  function flush(): void {
    stop();
    if (waitingBytes === 0 || over()) return;
    if (waitingBytes >= FLOW_FROM_BYTES) flowsUntil = performance.now() + gatherMs;
    const batch = together(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
    deliver(batch);
    if (gathered?.buffer === batch.buffer) givenBack(batch);
  }
  return {
    push(bytes) {
      for (let at = 0; at < bytes.length && !over(); at += mostBytes) {
        const piece = bytes.subarray(at, at + mostBytes);
        if (waitingBytes + piece.length > mostBytes) flush();
        waiting.push(piece);
        waitingBytes += piece.length;
      }
      if (over()) return;
      if (waitingBytes === mostBytes) flush();
      else if (!scheduled && !gathering) {
        // All that arrives in one turn of the loop shares a batch; in a flow, some turns.
        if (performance.now() < flowsUntil) gathering = setTimeout(flush, gatherMs);
        else scheduled = setImmediate(flush);
      }
    },
    flush,
    stop,
  };
}
