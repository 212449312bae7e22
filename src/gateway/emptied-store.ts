// A database that has lost everything looks like one that is new, and a new one invites whoever asks first to be its administrator.
import { existsSync, readdirSync, statSync } from 'node:fs';

/** Throws Error with a sentence when the store's file is empty and sessions have been recorded: they belong to a store that is gone. */
export function refuseEmptiedStore(databaseFile: string, recordingsFolder: string): void {
  if (statSync(databaseFile, { throwIfNoEntry: false })?.size !== 0) return;
  const recorded = existsSync(recordingsFolder) && readdirSync(recordingsFolder).some(name => name.endsWith('.rec'));
  if (recorded)
    throw new Error(
      `The store ${databaseFile} is empty, but ${recordingsFolder} holds recordings of its sessions: its content has been lost. Restore it from a backup; to begin anew, move the recordings away and remove the empty file.`,
    );
}
