import type { Duplex } from 'node:stream';

/** Whoever was told why gets this long to hang up as well, ms. */
const FAREWELL_MS = 2000;

/** Tells the last words and hangs up. What still comes is read away: unread bytes would make the system take the words back. */
export function hangUp(client: Duplex, words?: Uint8Array): void {
  if (client.destroyed) return;
  if (!client.writableEnded) client.end(words);
  client.resume();
  const late = setTimeout(() => client.destroy(), FAREWELL_MS);
  client.once('close', () => clearTimeout(late));
}
