// Hands bytes from one side to the other as they are, no faster than the slower side takes them; a tap reads them on the way.
import type { Duplex } from 'node:stream';

/** May bytes be read on? `onRoom` calls once when they may again. */
interface Gate {
  readonly hasRoom: boolean;
  onRoom(listener: () => void): void;
}
const open: Gate = { hasRoom: true, onRoom: () => undefined };

/** `tap` sees each piece before it goes on, and throws for what must not: the piece goes nowhere, and `failed` is told. */
export function pump(
  from: Duplex,
  to: Duplex,
  tap: (bytes: Buffer) => void,
  failed: (error: unknown, bytes: Buffer) => void,
  gate: Gate = open,
): void {
  const resume = (): void => void from.resume();
  from.on('data', (bytes: Buffer) => {
    try {
      tap(bytes);
    } catch (error) {
      from.pause();
      failed(error, bytes);
      return;
    }
    if (!to.write(bytes)) {
      from.pause();
      to.once('drain', resume);
    } else if (!gate.hasRoom) {
      from.pause();
      gate.onRoom(resume);
    }
  });
  from.once('end', () => to.end());
}
