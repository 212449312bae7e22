// A stream of somebody's at their root, and the one at a leaf that it leads to.
import type { Duplex } from 'node:stream';

/** The leaf, which hears that a web session is over, says why before this, ms. */
export const FAREWELL_MS = 2000;

/**
 * Leads each into the other until one is over, or the web session is and the leaf has had time to say why. `watch` calls once when that session
 * is over, and answers what stops that. `close`: how each is ended.
 */
export function joinStreams(
  near: Duplex,
  far: Duplex,
  watch: (over: () => void) => () => void,
  close: (side: Duplex) => void,
): void {
  const end = (): void => {
    forget();
    close(near);
    close(far);
  };
  const forget = watch(() => setTimeout(end, FAREWELL_MS).unref());
  for (const side of [near, far]) {
    side.on('error', end);
    side.on('close', end);
  }
  near.pipe(far);
  far.pipe(near);
}
