// The audit log as the services see it: append, search, verify.
import type { Builder } from '../builder.ts';
import type { Engine } from '../engine.ts';
import type { Events } from '../store.ts';
import { createAppender } from './append.ts';
import { columns, toEvent } from './rows.ts';
import { searchEvents } from './search.ts';
import { verifyEvents } from './verify.ts';

/** Types of events that end a session (contract/events.tsv). */
const ends = ['session.end', 'windows.desktop.session.end', 'db.session.end', 'app.session.end'];

/** `settle` resolves when everything appended has been kept or refused: call it before the engine is closed. */
export function createEvents(engine: Engine, builder: Builder): Events & { settle(): Promise<void> } {
  const appender = createAppender(engine, builder);
  return {
    append: appender.append,
    settle: appender.settle,
    search: query => searchEvents(engine, builder, query),
    async endOf(sid) {
      if (sid === '') return null;
      const [row] = await engine.read(
        builder
          .selectFrom('events')
          .select(columns)
          .where('sid', '=', sid)
          .where('type', 'in', ends)
          .orderBy('seq', 'desc')
          .limit(1)
          .compile(),
      );
      return row ? toEvent(row) : null;
    },
    verify: () => verifyEvents(engine, builder),
  };
}
