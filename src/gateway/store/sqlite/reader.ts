// A reader thread: answers one query at a time from its own connection, so that a long scan holds up neither writes nor the gateway.
import { parentPort, workerData } from 'node:worker_threads';
import { createRules } from '../resources/rules.ts';
import { openConnection } from './connect.ts';
import type { Outcome, ToThread } from './protocol.ts';
import { createStatements, failed } from './statements.ts';

const port = parentPort;
if (!port) throw new Error('reader.ts runs as a worker thread');
const database = openConnection(String(workerData));
database.pragma('query_only = ON');
const rules = createRules();
database.function(
  'rule_selects',
  { deterministic: true, directOnly: true },
  (rule: unknown, name: unknown, labels: unknown) =>
    rules.selects(String(rule), String(name), String(labels)) ? 1 : 0,
);
database.function('fold', { deterministic: true, directOnly: true }, (value: unknown) => String(value).toLowerCase());
const statements = createStatements(database);

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'group':
      port.postMessage({
        kind: 'outcomes',
        outcomes: message.group.map((batch): Outcome => {
          try {
            const answers = batch.map(statement => {
              rules.restart();
              return statements.run(statement);
            });
            return { kind: 'done', answers };
          } catch (error) {
            return failed(error);
          }
        }),
      });
      return;
    case 'close':
      database.close();
      port.postMessage({ kind: 'closed' });
      port.close();
      return;
    default:
      message satisfies never;
  }
});
