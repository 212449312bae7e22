import type { Duplex } from 'node:stream';

/** Calls `over` once a stream is closed: now, where it is that already, since it will not say so again. */
export function whenClosed(stream: Duplex, over: () => void): void {
  if (stream.closed) over();
  else stream.once('close', over);
}
