// Stored resources of every kind: one table, labels beside it, one statement per change.
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { Failure } from '../../../contract/failure.ts';
import type { Builder } from '../builder.ts';
import type { Engine } from '../engine.ts';
import type { NewResource, Resource, ResourceKind, Resources } from '../store.ts';
import { sortKey } from '../text.ts';
import { idRange } from './kinds.ts';
import { planList } from './list-plan.ts';
import { listPostgres } from './list-postgres.ts';
import { listSqlite } from './list-sqlite.ts';
import { toPageKey } from './page-key.ts';
import { columns, type ReadRow, toResource, toRow } from './rows.ts';

const BATCH_ROWS = 1000;
/** Sets of labels of one kind that are answered. */
const LABEL_SETS_MOST = 20_000;

/** What a replacement takes over from the new row; `created` and `revision` have rules of their own. */
const replaced = [
  'title',
  'description',
  'address',
  'subtype',
  'labels',
  'words',
  'spec',
  'haystack',
  'name_fold',
  'title_fold',
  'address_fold',
  'description_fold',
  'subtype_fold',
  'updated',
  'expires',
] as const;

export function createResources(engine: Engine, builder: Builder, clock: () => Date): Resources {
  const alive = (now: Date): RawBuilder<boolean> =>
    sql<boolean>`(resources.expires IS NULL OR resources.expires > ${now.getTime()})`;
  /** What has expired is as good as deleted. Inside an upsert "now" is the new row's own time. */
  const stale = sql<boolean>`(resources.expires IS NOT NULL AND resources.expires <= excluded.updated)`;

  /** Creates or replaces; 'create' replaces only what has expired. The SQL is the same for all rows of a kind: it is built once for many. */
  const upsert = (
    resources: readonly NewResource[],
    now: Date,
    mode: 'create' | 'put',
  ): readonly CompiledQuery<ReadRow>[] => {
    const texts = new Map<ResourceKind, string>();
    return resources.map(resource => {
      const row = toRow(resource, now);
      const text = texts.get(resource.kind) ?? compileUpsert(resource.kind, row, mode);
      texts.set(resource.kind, text);
      return CompiledQuery.raw(text, Object.values(row)) as CompiledQuery<ReadRow>;
    });
  };
  const compileUpsert = (kind: ResourceKind, row: ReturnType<typeof toRow>, mode: 'create' | 'put'): string => {
    const { after, last } = idRange(kind);
    const [low, high] = [sql.lit(after), sql.lit(last)];
    const id = sql<number>`(SELECT coalesce(max(id), ${low}) + 1 FROM resources WHERE id > ${low} AND id <= ${high})`;
    return builder
      .insertInto('resources')
      .values(engine.dialect === 'sqlite' ? { ...row, id } : row)
      .onConflict(conflict => {
        const update = conflict.columns(['kind', 'name']).doUpdateSet(({ ref }) => ({
          ...Object.fromEntries(replaced.map(column => [column, ref(`excluded.${column}`)])),
          revision: sql<number>`resources.revision + 1`,
          created: sql<number>`CASE WHEN ${stale} THEN excluded.created ELSE resources.created END`,
        }));
        return mode === 'create' ? update.where(stale) : update;
      })
      .returning(columns)
      .compile().sql;
  };
  /** Whoever writes what will expire also clears away what has, so that the table does not grow. */
  const sweep = (resources: readonly NewResource[], now: Date): readonly CompiledQuery[] =>
    resources.some(resource => resource.expires !== null)
      ? [
          builder
            .deleteFrom('resources')
            .where('expires', 'is not', null)
            .where('expires', '<=', now.getTime())
            .compile(),
        ]
      : [];
  const write = async (
    resource: NewResource,
    queries: readonly CompiledQuery<ReadRow>[],
    now: Date,
  ): Promise<Resource | null> => {
    const answers = await engine.batch([...queries, ...sweep([resource], now)]);
    const [row] = answers[0]?.rows ?? [];
    return row ? toResource(row as ReadRow) : null;
  };
  const named = async (kind: ResourceKind, names: readonly string[]): Promise<readonly Resource[]> => {
    // An empty list is no SQL everywhere.
    if (names.length === 0) return [];
    const rows = await engine.read(
      builder
        .selectFrom('resources')
        .select(columns)
        .where('kind', '=', kind)
        .where('name', 'in', names)
        .where(alive(clock()))
        .orderBy('name')
        .compile(),
    );
    return rows.map(toResource);
  };
  const get = async (kind: ResourceKind, name: string): Promise<Resource | null> =>
    (await named(kind, [name]))[0] ?? null;

  return {
    get,
    named,
    async list(kind, query) {
      const plan = planList(kind, query, clock());
      const { rows, total } = await (engine.dialect === 'sqlite' ? listSqlite : listPostgres)(engine, builder, plan);
      const items = rows.slice(0, plan.limit);
      const last = items.at(-1);
      const more = last !== undefined && rows.length > items.length;
      return {
        items: items.map(toResource),
        startKey: more ? toPageKey(plan.sort, { value: sortKey(last[plan.sort.field]), name: last.name }) : '',
        totalCount: total,
      };
    },
    async labelSets(kind) {
      const rows = await engine.read(
        builder
          .selectFrom('resources')
          .select(['labels', sql<number>`count(*)`.as('count'), sql<string>`min(title)`.as('title')])
          .where('kind', '=', kind)
          .where(alive(clock()))
          .groupBy('labels')
          .orderBy('title')
          .limit(LABEL_SETS_MOST)
          .compile(),
      );
      return rows.map(({ labels, count, title }) => ({
        labels: JSON.parse(labels) as Resource['labels'],
        // PostgreSQL counts in text.
        count: Number(count),
        title,
      }));
    },
    async create(resource) {
      const now = clock();
      const made = await write(resource, upsert([resource], now, 'create'), now);
      if (!made) throw new Failure('exists', `${resource.kind} ${resource.name} already exists`);
      return made;
    },
    async put(resource, revision) {
      const now = clock();
      if (revision === undefined) {
        const kept = await write(resource, upsert([resource], now, 'put'), now);
        if (!kept) throw new Error(`${resource.kind} ${resource.name} was not kept`);
        return kept;
      }
      const { kind, name, created: _created, revision: _revision, ...values } = toRow(resource, now);
      const update = builder
        .updateTable('resources')
        .set({ ...values, revision: sql<number>`resources.revision + 1` })
        .where('kind', '=', kind)
        .where('name', '=', name)
        .where('revision', '=', revision)
        .where(alive(now))
        .returning(columns)
        .compile();
      const kept = await write(resource, [update], now);
      if (kept) return kept;
      const there = await get(resource.kind, name);
      if (!there) throw new Failure('not_found', `${kind} ${name} not found`);
      throw new Failure(
        'changed',
        `${kind} ${name} was changed by someone else: revision ${there.revision} is stored, ${revision} was given`,
      );
    },
    async putMany(resources) {
      const now = clock();
      const rows = [...new Map(resources.map(resource => [`${resource.kind}/${resource.name}`, resource])).values()];
      for (let from = 0; from < rows.length; from += BATCH_ROWS) {
        const some = rows.slice(from, from + BATCH_ROWS);
        await engine.batch([...(from === 0 ? sweep(rows, now) : []), ...upsert(some, now, 'put')]);
      }
    },
    async delete(kind, name) {
      return (
        (
          await engine.write(
            builder
              .deleteFrom('resources')
              .where('kind', '=', kind)
              .where('name', '=', name)
              .where(alive(clock()))
              .compile(),
          )
        ).changes === 1
      );
    },
  };
}
