// The rows that the console begins with: what the list of servers and the frame around it offer. The others come when that has been painted.
import { assist } from './assist.ts';
import { type Registry, registryOf } from './command.ts';
import { consoleCommands } from './console.ts';
import { frame } from './frame.ts';
import { goTo } from './goto.ts';
import { list } from './list.ts';
import { servers } from './servers.ts';
import { sessions } from './sessions.ts';

/** Of the whole registry (index.ts), in its order. */
export const firstRows: Registry = registryOf([
  ...sessions,
  ...goTo,
  ...list,
  // Its key is a chord with Control, which is the browser's until somebody claims it.
  ...assist,
  ...servers,
  ...frame,
  ...consoleCommands,
]);
