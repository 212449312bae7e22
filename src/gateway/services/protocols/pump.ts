// Hands bytes from one side to the other as they are, no faster than the slower side takes them; a tap reads them on the way.
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { freed } from '../reused-memory.ts';

/** May bytes be read on? `onRoom` calls once when they may again. */
interface Gate {
  readonly hasRoom: boolean;
  onRoom(listener: () => void): void;
}
const open: Gate = { hasRoom: true, onRoom: () => undefined };

/** Sees each piece before it goes on. Answers what goes on in its place, where that is something else. Throws for what must not pass. */
export type Tap = (bytes: Buffer) => Buffer | undefined;
/** What goes on in the place of a piece; undefined: the piece as it is. */
export type Passed = Buffer | undefined | Held;
/** Something waits, and all behind it: what stood before it goes on at once, the rest once it is known. */
export class Held {
  readonly before: Buffer;
  readonly rest: Promise<Passed>;
  constructor(before: Buffer, rest: Promise<Passed>) {
    this.before = before;
    this.rest = rest;
  }
}
/** The same for one that may keep bytes waiting: none are read meanwhile. */
export type WaitingTap = (bytes: Buffer) => Passed;

interface PumpOptions {
  readonly gate?: Gate;
  /** What the tap keeps of a piece, it has copied. */
  readonly isCopied?: boolean;
}
/** Pieces of this size on are bulk, bytes. */
const BULK_BYTES = 4096;

/** A piece for which `tap` throws goes nowhere, and `failed` is told. */
export function pump(
  from: Duplex,
  to: Duplex,
  tap: WaitingTap,
  failed: (error: unknown, bytes: Buffer) => void,
  { gate = open, isCopied = false }: PumpOptions = {},
): void {
  // What a socket has read is nobody else's, and what it has written it keeps no longer.
  const frees = isCopied && from instanceof Socket && to instanceof Socket;
  const resume = (): void => void from.resume();
  function pass(passed: Buffer | Held, bytes: Buffer): void {
    if (passed instanceof Held) {
      from.pause();
      if (passed.before.length > 0) to.write(passed.before);
      passed.rest.then(
        rest => {
          if (to.destroyed) return;
          resume();
          pass(rest ?? NOTHING, bytes);
        },
        (error: unknown) => failed(error, bytes),
      );
      return;
    }
    go(passed, frees && passed === bytes && bytes.length >= BULK_BYTES);
  }
  function go(onward: Buffer, isFreed: boolean): void {
    if (onward.length > 0 && !to.write(onward, isFreed ? () => freed(onward) : undefined)) {
      from.pause();
      to.once('drain', resume);
    } else if (!gate.hasRoom) {
      from.pause();
      gate.onRoom(resume);
    }
  }
  from.on('data', (bytes: Buffer) => {
    let passed: Buffer | Held;
    try {
      passed = tap(bytes) ?? bytes;
    } catch (error) {
      from.pause();
      failed(error, bytes);
      return;
    }
    pass(passed, bytes);
  });
  from.once('end', () => to.end());
}
const NOTHING: Buffer = Buffer.alloc(0);
