// Finding events: by time range, type, participant and words, a page at a time.
import { type RawBuilder, sql } from 'kysely';
import { Failure } from '../../../contract/failure.ts';
import type { Builder } from '../builder.ts';
import type { Engine } from '../engine.ts';
import { searchWords } from '../resources/search-words.ts';
import type { EventQuery, Events } from '../store.ts';
import { columns, toEvent } from './rows.ts';

const LIMIT_MOST = 10_000;

/** Reads on where a page ended: time and sequence number, base64url. Throws Failure bad_request. */
function readKey(key: string): { readonly time: number; readonly seq: number } {
  const [whole, time, seq] =
    /^(\d{1,15})\.(\d{1,15})$/.exec(
      /^[A-Za-z0-9_-]{1,64}$/.test(key) ? Buffer.from(key, 'base64url').toString('latin1') : '',
    ) ?? [];
  if (whole === undefined)
    throw new Failure('bad_request', 'startKey: not a key that a previous page answered', {
      startKey: 'not a key that a previous page answered',
    });
  return { time: Number(time), seq: Number(seq) };
}
const toKey = (time: number, seq: number): string => Buffer.from(`${time}.${seq}`, 'latin1').toString('base64url');

/** The word as it stands inside JSON text: quotes, backslashes and control characters are escaped there. */
const inJson = (word: string): string => JSON.stringify(word).slice(1, -1);
const isAscii = (word: string): boolean => /^[\x20-\x7e]*$/.test(word);

/** Whether the word stands in `events.raw`. SQLite's LIKE ignores case in ASCII only; `fold` is ours, and slower. */
export function holds(word: string, dialect: Engine['dialect']): RawBuilder<boolean> {
  const text = inJson(word);
  const pattern = `%${text.replaceAll(/[\\%_]/g, character => `\\${character}`)}%`;
  if (dialect === 'postgres') return sql<boolean>`events.raw ILIKE ${pattern}`;
  return isAscii(word)
    ? sql<boolean>`events.raw LIKE ${pattern} ESCAPE '\\'`
    : sql<boolean>`instr(fold(events.raw), ${text}) > 0`;
}

export async function searchEvents(engine: Engine, builder: Builder, query: EventQuery): ReturnType<Events['search']> {
  const { from, to, limit, startKey, types, except = [], descending, search, amongst } = query;
  const [only] = amongst ?? [];
  const walked = query.participant ?? (amongst?.length === 1 ? only : undefined);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MOST)
    throw new Failure('bad_request', `limit: a whole number from 1 to ${LIMIT_MOST}`, {
      limit: `a whole number from 1 to ${LIMIT_MOST}`,
    });
  const order = descending ? 'desc' : 'asc';
  const beyond = sql.raw(descending ? '<' : '>');
  // With one participant, the table of participants is walked: it has the same order.
  const at =
    walked === undefined
      ? { time: sql.ref<number>('events.time'), seq: sql.ref<number>('events.seq') }
      : { time: sql.ref<number>('p.time'), seq: sql.ref<number>('p.seq') };
  let rows = builder.selectFrom('events').select(columns.map(column => `events.${column}` as const));
  if (walked !== undefined)
    rows = rows
      .innerJoin('event_participants as p', 'p.seq', 'events.seq')
      .where(sql<boolean>`p.user_name = ${walked}`);
  rows = rows.where(sql<boolean>`${at.time} >= ${from.getTime()} AND ${at.time} <= ${to.getTime()}`);
  if (startKey) {
    const key = readKey(startKey);
    rows = rows.where(sql<boolean>`(${at.time}, ${at.seq}) ${beyond} (${key.time}, ${key.seq})`);
  }
  if (amongst && only !== walked)
    rows = rows.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('event_participants as among')
          .select('among.seq')
          .where('among.user_name', 'in', amongst)
          .whereRef('among.time', '=', 'events.time')
          .whereRef('among.seq', '=', 'events.seq'),
      ),
    );
  if (types.length > 0) rows = rows.where('events.type', 'in', [...types]);
  if (except.length > 0) rows = rows.where('events.type', 'not in', [...except]);
  for (const word of search ? searchWords(search) : []) rows = rows.where(holds(word, engine.dialect));
  const found = await engine.read(
    rows
      .orderBy(at.time, order)
      .orderBy(at.seq, order)
      .limit(limit + 1)
      .compile(),
  );
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { events: page.map(toEvent), startKey: last && found.length > limit ? toKey(last.time, last.seq) : '' };
}
