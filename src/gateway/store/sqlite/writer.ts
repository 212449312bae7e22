// The writer thread: the only one that changes the database. Commits what has queued up as one group.
import { parentPort, workerData } from 'node:worker_threads';
import { createCommit } from './commit.ts';
import { openConnection } from './connect.ts';
import type { ToThread } from './protocol.ts';

const port = parentPort;
if (!port) throw new Error('writer.ts runs as a worker thread');
const database = openConnection(String(workerData));
const commit = createCommit(database);

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'group':
      port.postMessage({ kind: 'outcomes', outcomes: commit(message.group) });
      return;
    case 'close':
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
      port.postMessage({ kind: 'closed' });
      port.close();
      return;
    default:
      message satisfies never;
  }
});
