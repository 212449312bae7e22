// Hands bytes from one side to the other as they are, no faster than the slower side takes them; a tap reads them on the way.
import type { Duplex } from 'node:stream';

/** May bytes be read on? `onRoom` calls once when they may again. */
interface Gate {
  readonly hasRoom: boolean;
  onRoom(listener: () => void): void;
}
const open: Gate = { hasRoom: true, onRoom: () => undefined };

/** Sees each piece before it goes on. Answers what goes on in its place, where that is something else. Throws for what must not pass. */
export type Tap = (bytes: Buffer) => Buffer | undefined;

/** A piece for which `tap` throws goes nowhere, and `failed` is told. */
export function pump(
  from: Duplex,
  to: Duplex,
  tap: Tap,
  failed: (error: unknown, bytes: Buffer) => void,
  gate: Gate = open,
): void {
  const resume = (): void => void from.resume();
  from.on('data', (bytes: Buffer) => {
    let onward: Buffer;
    try {
      onward = tap(bytes) ?? bytes;
    } catch (error) {
      from.pause();
      failed(error, bytes);
      return;
    }
    if (onward.length > 0 && !to.write(onward)) {
      from.pause();
      to.once('drain', resume);
    } else if (!gate.hasRoom) {
      from.pause();
      gate.onRoom(resume);
    }
  });
  from.once('end', () => to.end());
}
