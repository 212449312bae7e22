// Reads the first bytes of a connection, before what it speaks is known.
import type { Readable } from 'node:stream';

/** Exactly so many bytes, and nothing beyond them. Rejects when the stream ends before. */
export function readBytes(from: Readable, count: number): Promise<Buffer> {
  return new Promise((done, fail) => {
    const off = (): void => {
      from.off('readable', again);
      for (const event of ['end', 'error', 'close']) from.off(event, gone);
    };
    const gone = (): void => {
      off();
      fail(new Error('the connection was closed'));
    };
    const again = (): void => {
      const bytes = from.read(count) as Buffer | null;
      // At its end a stream answers less than was asked for.
      if (bytes?.length === count) {
        off();
        done(bytes);
      } else if (bytes || from.readableEnded || from.destroyed) gone();
    };
    from.on('readable', again);
    for (const event of ['end', 'error', 'close']) from.on(event, gone);
    again();
  });
}
