// A device as audit events name it.
import type { MfaDevice } from '../../../store/store.ts';

export const deviceFields = ({ id, name, kind }: Pick<MfaDevice, 'id' | 'name' | 'kind'>) => ({
  mfa_device_name: name,
  mfa_device_uuid: id,
  mfa_device_type: kind === 'totp' ? 'TOTP' : 'WebAuthn',
});
