// The rows as far as they are in the first load: for buttons, menus and keys. Whoever needs the whole row loads it.
import type { Command, CommandHead } from './command.ts';
import { commands } from './index.ts';

/** The head of every row of index.ts. */
export const commandHeads: readonly CommandHead[] = commands;

const byId: ReadonlyMap<string, CommandHead> = new Map(commandHeads.map(row => [row.id, row]));

/** The head of a command by its id; undefined when there is none. */
export const headById = (id: string): CommandHead | undefined => byId.get(id);

/** Whether nothing of the row is missing. */
export const isWhole = (row: CommandHead): row is Command => row.run !== undefined;
