// Conversations with the assistant: each is one person's, and goes with them.
import { sql } from 'kysely';
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { Conversations, StoredConversation } from './store.ts';
import { mended, storable } from './text.ts';

export function createConversations(engine: Engine, builder: Builder): Conversations {
  const own = (userId: string, id: string) =>
    builder.selectFrom('conversations').selectAll().where('id', '=', id).where('user_id', '=', userId);
  const read = ({ id, title, created }: { id: string; title: string; created: number }): StoredConversation => ({
    id,
    title,
    created: new Date(created),
  });
  return {
    async create(userId, { id, title, created }, most) {
      storable('user', userId);
      const text = (value: string) =>
        engine.dialect === 'postgres' ? sql<string>`${value}::text` : sql<string>`${value}`;
      const big = (value: number) =>
        engine.dialect === 'postgres' ? sql<number>`${value}::bigint` : sql<number>`${value}`;
      const { changes } = await engine.write(
        sql`INSERT INTO conversations (id, user_id, title, created)
          SELECT ${text(id)}, ${text(userId)}, ${text(mended(title))}, ${big(created.getTime())}
          WHERE (SELECT count(*) FROM conversations WHERE user_id = ${text(userId)}) < ${big(most)}`.compile(builder),
      );
      return changes === 1;
    },
    async list(userId) {
      const all = builder.selectFrom('conversations').selectAll().where('user_id', '=', userId);
      return (await engine.read(all.orderBy('created', 'desc').orderBy('id').compile())).map(read);
    },
    async get(userId, id) {
      const [row] = await engine.read(own(userId, id).compile());
      return row ? read(row) : null;
    },
    async title(userId, id, title) {
      const one = builder
        .updateTable('conversations')
        .set({ title: mended(title) })
        .where('id', '=', id);
      return (await engine.write(one.where('user_id', '=', userId).compile())).changes === 1;
    },
    async delete(userId, id) {
      const one = builder.deleteFrom('conversations').where('id', '=', id).where('user_id', '=', userId);
      return (await engine.write(one.compile())).changes === 1;
    },
    async messages(conversation) {
      const all = builder.selectFrom('conversation_messages').selectAll().where('conversation', '=', conversation);
      const rows = await engine.read(all.orderBy('position').orderBy('created').orderBy('id').compile());
      return rows.map(({ type, created, payload }) => ({ type, created: new Date(created), payload }));
    },
    async add(conversation, position, messages) {
      if (messages.length === 0) return;
      const rows = messages.map(({ type, created, payload }, at) => ({
        id: crypto.randomUUID(),
        conversation,
        position: position + at,
        type,
        created: created.getTime(),
        payload: mended(payload),
      }));
      // A conversation that was deleted meanwhile takes nothing more.
      const [there] = await engine.read(
        builder.selectFrom('conversations').select('id').where('id', '=', conversation).compile(),
      );
      if (there) await engine.write(builder.insertInto('conversation_messages').values(rows).compile());
    },
  };
}
