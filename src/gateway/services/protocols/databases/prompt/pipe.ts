// Connections inside the gateway to the relay of a database's protocol: what a client of our own talks over.
import { type Duplex, duplexPair } from 'node:stream';
import type { DatabaseDoor } from '../door.ts';
import type { Engine } from '../engine.ts';

/** Bytes that wait on each side. */
const PIPE_BYTES = 256 * 1024;

/** `open` answers a new connection, as any client's; `close` hangs up on all of them. */
export function openPipe(relay: Engine, door: DatabaseDoor): { open(): Duplex; close(): void } {
  const opened = new Set<Duplex>();
  return {
    open() {
      const [ours, theirs] = duplexPair({ highWaterMark: PIPE_BYTES });
      opened.add(ours);
      ours.once('close', () => {
        opened.delete(ours);
        theirs.destroy();
      });
      theirs.once('close', () => ours.destroy());
      theirs.on('error', () => undefined);
      ours.on('error', () => undefined);
      void relay.serve(theirs, door);
      return ours;
    },
    close() {
      for (const one of opened) one.destroy();
    },
  };
}
