// How many events there are in each slice of a time range. What it costs does not depend on how long the log is: of each slice a bounded
// number of entries of an index is looked at, all slices in one query.
import { sql } from 'kysely';
import type { Builder } from '../builder.ts';
import type { Engine } from '../engine.ts';
import { searchWords } from '../resources/search-words.ts';
import type { Events } from '../store.ts';
import { holds } from './search.ts';

/** Events looked at in a slice, and where the words of each must be read. */
const LOOKED_MOST = 2000;
const READ_MOST = 200;

export async function countEvents(
  engine: Engine,
  builder: Builder,
  { from, to, types, except = [], search, participant }: Parameters<Events['count']>[0],
  slices: number,
): ReturnType<Events['count']> {
  const words = search ? searchWords(search) : [];
  const most = words.length > 0 ? READ_MOST : LOOKED_MOST;
  const span = (to.getTime() + 1 - from.getTime()) / slices;
  const edge = (at: number): number => Math.round(from.getTime() + at * span);
  const conditions = [
    sql<boolean>`1 = 1`,
    ...(except.length > 0 ? [sql<boolean>`events.type NOT IN (${sql.join(except)})`] : []),
    ...words.map(word => holds(word, engine.dialect)),
  ];
  const slice = (at: number) => {
    const time = sql.ref<number>(participant === undefined ? 'events.time' : 'p.time');
    let looked = builder.selectFrom('events').select(['events.type']);
    if (words.length > 0) looked = looked.select('events.raw');
    // The table of participants has the same order: it is walked in place of the log.
    if (participant !== undefined)
      looked = looked
        .innerJoin('event_participants as p', 'p.seq', 'events.seq')
        .where(sql<boolean>`p.user_name = ${participant}`);
    if (types.length > 0) looked = looked.where('events.type', 'in', [...types]);
    looked = looked.where(sql<boolean>`${time} >= ${edge(at)} AND ${time} < ${edge(at + 1)}`).limit(most);
    return builder
      .selectFrom(looked.as('events'))
      .select([
        sql<number>`${sql.lit(at)}`.as('slice'),
        sql<number>`count(*)`.as('looked'),
        sql<number>`count(*) FILTER (WHERE ${sql.join(conditions, sql` AND `)})`.as('found'),
      ]);
  };
  let all = slice(0);
  for (let at = 1; at < slices; at += 1) all = all.unionAll(slice(at));
  const rows = await engine.read(all.compile());
  return rows
    .toSorted((one, other) => one.slice - other.slice)
    .map(({ looked, found }) => ({ count: Number(found), isPart: Number(looked) === most }));
}
