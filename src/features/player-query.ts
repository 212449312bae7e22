// The player's address: by itself, since every page has the command that leads to it.
import type { Thing } from './thing.ts';

/** What the player's address carries of a recording: its kind and length, and a text that was found at a moment. */
export const playerQuery = ({
  type,
  durationMs,
  found,
}: NonNullable<Thing['recording']>): Readonly<Record<string, string>> => ({
  recordingType: type,
  ...(durationMs > 0 && { durationMs: String(Math.round(durationMs)) }),
  ...(found && { text: found.text, t: String(found.ms / 1000) }),
});
