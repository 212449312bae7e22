// The door for the command line: every row of index.ts, and those that only it has, which a browser need not load.
import type { Command } from './command.ts';
import { commands } from './index.ts';
import { listings } from './listings.ts';

/** Every verb, as the `postern` command line knows it. */
export const shellCommands: readonly Command[] = [...commands, ...listings];
