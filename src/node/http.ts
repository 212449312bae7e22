// Node's http without what importing it as a module brings along: an import reads all that `node:http` exports, and one of these is Node's own
// client of WebSocket, with the 14 MB of fetch. Whoever wants values of http imports them from here.
import type * as http from 'node:http';

export const { Agent, createServer, request } = process.getBuiltinModule('node:http');
export type Agent = http.Agent;
