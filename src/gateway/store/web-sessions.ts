// Web sessions: only hashes of what the browser holds.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { WebSession, WebSessions } from './store.ts';
import type { WebSessionRow } from './tables.ts';
import { mended } from './text.ts';

const toSession = (row: WebSessionRow): WebSession => ({
  id: row.id,
  userId: row.user_id,
  bearer: row.bearer,
  bearerExpires: new Date(row.bearer_expires),
  previousBearer: row.previous_bearer,
  previousUntil: row.previous_until === null ? null : new Date(row.previous_until),
  created: new Date(row.created),
  expires: new Date(row.expires),
  lastActive: new Date(row.last_active),
  mfaDevice: row.mfa_device,
  remoteAddr: row.remote_addr,
  userAgent: row.user_agent,
  accessRequests: JSON.parse(row.access_requests) as string[],
  trustedDevice: row.trusted_device,
  impersonator: row.impersonator,
});
const fromSession = (session: WebSession): WebSessionRow => ({
  id: session.id,
  user_id: session.userId,
  bearer: session.bearer,
  bearer_expires: session.bearerExpires.getTime(),
  previous_bearer: session.previousBearer,
  previous_until: session.previousUntil?.getTime() ?? null,
  created: session.created.getTime(),
  expires: session.expires.getTime(),
  last_active: session.lastActive.getTime(),
  mfa_device: session.mfaDevice,
  remote_addr: mended(session.remoteAddr),
  user_agent: mended(session.userAgent),
  access_requests: JSON.stringify(session.accessRequests),
  trusted_device: session.trustedDevice,
  impersonator: session.impersonator,
});

export function createWebSessions(engine: Engine, builder: Builder): WebSessions {
  return {
    async create(session) {
      await engine.write(builder.insertInto('web_sessions').values(fromSession(session)).compile());
    },
    async get(id) {
      const [row] = await engine.read(builder.selectFrom('web_sessions').selectAll().where('id', '=', id).compile());
      return row ? toSession(row) : null;
    },
    async update(session) {
      // The device is written by `trust` alone: whoever renews meanwhile has read the row before.
      const { id, trusted_device: _device, ...rest } = fromSession(session);
      return (
        (await engine.write(builder.updateTable('web_sessions').set(rest).where('id', '=', id).compile())).changes === 1
      );
    },
    async trust(id, device) {
      const query = builder.updateTable('web_sessions').set({ trusted_device: device }).where('id', '=', id);
      return (await engine.write(query.compile())).changes === 1;
    },
    async distrust(device) {
      const query = builder.updateTable('web_sessions').set({ trusted_device: '' });
      await engine.write(query.where('trusted_device', '=', device).where('trusted_device', '<>', '').compile());
    },
    async deleteOfDevice(device) {
      const query = builder.deleteFrom('web_sessions').where('trusted_device', '=', device);
      return (await engine.write(query.where('trusted_device', '<>', '').compile())).changes;
    },
    async listOf(userId, now) {
      const own = builder
        .selectFrom('web_sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires', '>', now.getTime());
      return (await engine.read(own.orderBy('created', 'desc').orderBy('id').compile())).map(toSession);
    },
    async active(id, at) {
      const time = at.getTime();
      await engine.write(
        builder
          .updateTable('web_sessions')
          .set({ last_active: time })
          .where('id', '=', id)
          .where('last_active', '<', time)
          .compile(),
      );
    },
    async delete(id) {
      return (await engine.write(builder.deleteFrom('web_sessions').where('id', '=', id).compile())).changes === 1;
    },
    async deleteOf(userId, exceptId) {
      // With those that they have begun as others.
      const all = builder
        .deleteFrom('web_sessions')
        // A session that nobody else acts in has '' for who acts: nobody has that for an id.
        .where(({ or, and, eb }) =>
          or([eb('user_id', '=', userId), and([eb('impersonator', '=', userId), eb('impersonator', '!=', '')])]),
        );
      return (await engine.write((exceptId === undefined ? all : all.where('id', '<>', exceptId)).compile())).changes;
    },
    async prune(now) {
      return (await engine.write(builder.deleteFrom('web_sessions').where('expires', '<', now.getTime()).compile()))
        .changes;
    },
  };
}
