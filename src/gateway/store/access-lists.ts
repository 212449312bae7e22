// Places in access lists, and reviews of lists.
import { type Selectable, sql } from 'kysely';
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { AccessListPlace, AccessLists } from './store.ts';
import type { Tables } from './tables.ts';
import { plain, storable } from './text.ts';

type Row = Selectable<Tables['access_list_places']>;
const toPlace = (row: Row): AccessListPlace => ({
  list: row.list,
  relation: row.relation as AccessListPlace['relation'],
  kind: row.kind as AccessListPlace['kind'],
  name: row.name,
  added: new Date(Number(row.added)),
  expires: row.expires === null ? null : new Date(Number(row.expires)),
  reason: row.reason,
  addedBy: row.added_by,
});
const toRow = (place: AccessListPlace): Row => ({
  list: storable('list', place.list),
  relation: place.relation,
  kind: place.kind,
  name: storable('name', place.name),
  added: place.added.getTime(),
  expires: place.expires?.getTime() ?? null,
  reason: plain('reason', place.reason),
  added_by: plain('added_by', place.addedBy),
});

export function createAccessLists(engine: Engine, builder: Builder): AccessLists {
  const all = () => builder.selectFrom('access_list_places').selectAll();
  const insert = (places: readonly AccessListPlace[]) =>
    builder.insertInto('access_list_places').values(places.map(toRow));
  return {
    async above(user) {
      // UNION leaves out what was found before, so that lists in a circle end too.
      const query = sql<Row>`WITH RECURSIVE up (list) AS (
          SELECT list FROM access_list_places WHERE relation = 'member' AND kind = 'user' AND name = ${user}
          UNION
          SELECT p.list FROM access_list_places p JOIN up ON p.name = up.list WHERE p.relation = 'member' AND p.kind = 'list'
        )
        SELECT * FROM access_list_places
        WHERE (kind = 'user' AND name = ${user}) OR (kind = 'list' AND name IN (SELECT list FROM up))`;
      return (await engine.read(query.compile(builder))).map(toPlace);
    },
    async places(lists) {
      if (lists?.length === 0) return [];
      const query = lists === null ? all() : all().where('list', 'in', [...lists]);
      return (await engine.read(query.orderBy('list').orderBy('kind').orderBy('name').compile())).map(toPlace);
    },
    async nextEnd(after) {
      const query = builder
        .selectFrom('access_list_places')
        .select(({ fn }) => fn.min('expires').as('first'))
        .where('expires', '>', after.getTime());
      const [row] = await engine.read(query.compile());
      return row?.first == null ? null : new Date(Number(row.first));
    },
    async nested() {
      return (await engine.read(all().where('kind', '=', 'list').compile())).map(toPlace);
    },
    async put(place) {
      const { added, expires, reason, added_by } = toRow(place);
      await engine.write(
        insert([place])
          .onConflict(conflict =>
            conflict.columns(['list', 'relation', 'kind', 'name']).doUpdateSet({ added, expires, reason, added_by }),
          )
          .compile(),
      );
    },
    async remove({ list, relation, kind, name }) {
      const gone = builder
        .deleteFrom('access_list_places')
        .where('list', '=', list)
        .where('relation', '=', relation)
        .where('kind', '=', kind)
        .where('name', '=', name);
      return (await engine.write(gone.compile())).changes === 1;
    },
    async own(list, owners) {
      const before = builder.deleteFrom('access_list_places').where('list', '=', list).where('relation', '=', 'owner');
      const stay = owners.reduce(
        (query, { kind, name }) =>
          query.where(({ not, and, eb }) => not(and([eb('kind', '=', kind), eb('name', '=', name)]))),
        before,
      );
      const add = insert(owners).onConflict(conflict => conflict.doNothing());
      await engine.batch([stay.compile(), ...(owners.length > 0 ? [add.compile()] : [])]);
    },
    async forget(list) {
      const places = builder.deleteFrom('access_list_places');
      const [members] = await engine.batch([
        places.where('list', '=', list).where('relation', '=', 'member').compile(),
        places.where('list', '=', list).compile(),
        places.where('kind', '=', 'list').where('name', '=', list).compile(),
        builder.deleteFrom('access_list_reviews').where('list', '=', list).compile(),
      ]);
      return members?.changes ?? 0;
    },
    async reviews(list, limit) {
      const query = builder
        .selectFrom('access_list_reviews')
        .selectAll()
        .where('list', '=', list)
        .orderBy('time', 'desc')
        .orderBy('id')
        .limit(limit);
      return (await engine.read(query.compile())).map(({ time, review, ...row }) => ({
        ...row,
        time: new Date(Number(time)),
        review: JSON.parse(review) as unknown,
      }));
    },
    async addReview({ time, review, ...row }) {
      const values = { ...row, time: time.getTime(), review: plain('review', JSON.stringify(review)) };
      await engine.write(builder.insertInto('access_list_reviews').values(values).compile());
    },
  };
}
