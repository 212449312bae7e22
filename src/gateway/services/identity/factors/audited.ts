// Devices in the audit log: how events name them, and those that come and go.
import type { AuditLog } from '../../../ports/audit.ts';
import type { MfaDevice, MfaDevices } from '../../../store/store.ts';

interface DeviceLog {
  readonly mfaDevices: Pick<MfaDevices, 'create' | 'delete'>;
  readonly audit: AuditLog;
}

export const deviceFields = ({ id, name, kind }: Pick<MfaDevice, 'id' | 'name' | 'kind'>) => ({
  mfa_device_name: name,
  mfa_device_uuid: id,
  mfa_device_type: kind === 'totp' ? 'TOTP' : 'WebAuthn',
});

/** Keeps a new device of the user of this name. */
export async function addDevice({ mfaDevices, audit }: DeviceLog, user: string, device: MfaDevice): Promise<void> {
  await mfaDevices.create(device);
  await audit.emit({ code: 'T1006I', user, ...deviceFields(device) });
}

/** Deletes a device of the user of this name. */
export async function removeDevice({ mfaDevices, audit }: DeviceLog, user: string, device: MfaDevice): Promise<void> {
  await mfaDevices.delete(device.id);
  await audit.emit({ code: 'T1007I', user, ...deviceFields(device) });
}
