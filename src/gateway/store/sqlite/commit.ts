// Commits a group of batches.
import type SQLite from 'better-sqlite3';
import type { Group, Outcome } from './protocol.ts';
import { createStatements, failed } from './statements.ts';

/** One transaction, one sync to disk, a savepoint per batch: a batch that fails undoes itself alone. */
export function createCommit(database: SQLite.Database): (group: Group) => readonly Outcome[] {
  const statements = createStatements(database);
  return group => {
    const outcomes: Outcome[] = [];
    const lone = group.length === 1;
    try {
      database.exec('BEGIN IMMEDIATE');
      for (const batch of group) {
        try {
          if (!lone) database.exec('SAVEPOINT batch');
          const answers = batch.map(statement => statements.run(statement));
          if (!lone) database.exec('RELEASE batch');
          outcomes.push({ kind: 'done', answers });
        } catch (error) {
          // A full disk ends the whole transaction by itself; then nothing of the group has been kept.
          if (!database.inTransaction) throw error;
          database.exec(lone ? 'ROLLBACK' : 'ROLLBACK TO batch; RELEASE batch');
          outcomes.push(failed(error));
        }
      }
      if (database.inTransaction) database.exec('COMMIT');
      return outcomes;
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      return group.map(() => failed(error));
    }
  };
}
