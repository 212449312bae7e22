// Devices of the second factor: authenticator apps and hardware keys.
import { Failure } from '../../contract/failure.ts';
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { MfaDevice, MfaDevices } from './store.ts';
import type { MfaDeviceRow } from './tables.ts';
import { storable } from './text.ts';

const toDevice = (row: MfaDeviceRow): MfaDevice => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  kind: row.kind as MfaDevice['kind'],
  secret: row.secret,
  credentialId: row.credential_id,
  isPasswordless: row.passwordless === 1,
  progress: row.progress,
  added: new Date(row.added),
  lastUsed: new Date(row.last_used),
});

/** Devices answered at once. */
const OWNED_MOST = 1000;

export function createMfaDevices(engine: Engine, builder: Builder): MfaDevices {
  return {
    async list(userId) {
      const rows = await engine.read(
        builder
          .selectFrom('mfa_devices')
          .selectAll()
          .where('user_id', '=', userId)
          .orderBy('added')
          .orderBy('id')
          .compile(),
      );
      return rows.map(toDevice);
    },
    async byCredential(credentialId) {
      const [row] = await engine.read(
        builder.selectFrom('mfa_devices').selectAll().where('credential_id', '=', credentialId).compile(),
      );
      return row ? toDevice(row) : null;
    },
    async owned(ids) {
      const rows = builder
        .selectFrom('mfa_devices')
        .innerJoin('users', 'users.id', 'mfa_devices.user_id')
        .select(['mfa_devices.id', 'mfa_devices.name', 'users.name as user'])
        .orderBy('users.name')
        .orderBy('mfa_devices.name')
        .limit(OWNED_MOST);
      if (ids?.length === 0) return [];
      return engine.read((ids === null ? rows : rows.where('mfa_devices.id', 'in', [...ids])).compile());
    },
    async create(device) {
      const row: MfaDeviceRow = {
        id: device.id,
        user_id: storable('user', device.userId),
        name: storable('device name', device.name),
        kind: device.kind,
        secret: device.secret,
        credential_id: device.credentialId,
        passwordless: device.isPasswordless ? 1 : 0,
        progress: device.progress,
        added: device.added.getTime(),
        last_used: device.lastUsed.getTime(),
      };
      const { changes } = await engine.write(
        builder
          .insertInto('mfa_devices')
          .values(row)
          .onConflict(conflict => conflict.doNothing())
          .returning('id')
          .compile(),
      );
      if (changes === 0) throw new Failure('exists', `there is a device "${device.name}", or this very key, already`);
    },
    async advance(id, progress, now) {
      const { changes } = await engine.write(
        builder
          .updateTable('mfa_devices')
          .set({ progress, last_used: now.getTime() })
          .where('id', '=', id)
          // Keys that keep no counter say 0 for ever.
          .where('progress', progress === 0 ? '<=' : '<', progress)
          .compile(),
      );
      return changes === 1;
    },
    async delete(id) {
      return (await engine.write(builder.deleteFrom('mfa_devices').where('id', '=', id).compile())).changes === 1;
    },
    async deleteOf(userId) {
      await engine.write(builder.deleteFrom('mfa_devices').where('user_id', '=', userId).compile());
    },
  };
}
