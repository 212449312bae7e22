// The door for the command line: every row of index.ts, and those that only it has, which a browser need not load.
import type { Command } from './command.ts';
import { commands } from './index.ts';
import { listings } from './listings.ts';

/** Every verb, as `npm run postern -- do` knows it. */
export const shellCommands: readonly Command[] = [...commands, ...listings];

const byId: ReadonlyMap<string, Command> = new Map(shellCommands.map(row => [row.id.toLowerCase(), row]));

/** A command by its id, whatever its case; undefined when there is none. */
export const shellCommandById = (id: string): Command | undefined => byId.get(id.toLowerCase());
