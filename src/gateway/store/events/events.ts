// The audit log as the services see it: append, search, verify.
import type { Builder } from '../builder.ts';
import type { Engine } from '../engine.ts';
import type { Events, StoredEvent } from '../store.ts';
import { createAppender } from './append.ts';
import { columns, toEvent } from './rows.ts';
import { searchEvents } from './search.ts';
import { countEvents } from './slices.ts';
import { verifyEvents } from './verify.ts';

/** Types of events that end a session. */
const ends = ['session.end', 'windows.desktop.session.end', 'db.session.end', 'app.session.end'];

/** Events are committed nearly in the order of their numbers: the highest is among this many last ones. */
const LAST_LOOKED_AT = 100;

/** `settle` resolves when everything appended has been kept or refused: call it before the engine is closed. */
export function createEvents(engine: Engine, builder: Builder): Events & { settle(): Promise<void> } {
  const appender = createAppender(engine, builder);
  async function lastOf(sid: string, types: readonly string[]): Promise<StoredEvent | null> {
    if (sid === '') return null;
    const [row] = await engine.read(
      builder
        .selectFrom('events')
        .select(columns)
        .where('sid', '=', sid)
        .where('type', 'in', types)
        .orderBy('seq', 'desc')
        .limit(1)
        .compile(),
    );
    return row ? toEvent(row) : null;
  }
  return {
    append: appender.append,
    settle: appender.settle,
    search: query => searchEvents(engine, builder, query),
    count: (query, slices) => countEvents(engine, builder, query, slices),
    endOf: sid => lastOf(sid, ends),
    startOf: sid => lastOf(sid, ['db.session.start', 'app.session.start']),
    madeUserOf: sid => lastOf(sid, ['db.session.user.create']),
    uploadOf: sid => lastOf(sid, ['session.upload']),
    async lastIndexOf(sid) {
      if (sid === '') return -1;
      const rows = await engine.read(
        builder
          .selectFrom('events')
          .select(columns)
          .where('sid', '=', sid)
          .orderBy('seq', 'desc')
          .limit(LAST_LOOKED_AT)
          .compile(),
      );
      const indexes = rows.map(row => toEvent(row).raw.ei);
      return Math.max(-1, ...indexes.map(index => (typeof index === 'number' ? index : -1)));
    },
    heads: () => engine.read(builder.selectFrom('event_chains').selectAll().orderBy('chain').compile()),
    async after(chain, position, limit) {
      const rows = await engine.read(
        builder
          .selectFrom('events')
          .select(['position', 'code', 'time', 'raw'])
          .where('chain', '=', chain)
          .where('position', '>', position)
          .orderBy('position')
          .limit(limit)
          .compile(),
      );
      return rows.map(row => ({ position: row.position, code: row.code, time: new Date(row.time), json: row.raw }));
    },
    verify: anchored => verifyEvents(engine, builder, anchored),
  };
}
