// What the cluster asks for beside a password: the setting, and what follows from it.
import type { FactorSettings } from '../../../ports/who.ts';
import type { MfaDevice } from '../../../store/store.ts';

const kinds: Readonly<Record<FactorSettings['secondFactor'], readonly MfaDevice['kind'][]>> = {
  off: [],
  on: ['totp', 'webauthn'],
  optional: ['totp', 'webauthn'],
  otp: ['totp'],
  webauthn: ['webauthn'],
};

/** Whether the setting takes devices of this kind. */
export const takes = ({ secondFactor }: FactorSettings, kind: MfaDevice['kind']): boolean =>
  kinds[secondFactor].includes(kind);

/** Whether nobody signs in with a password alone. */
export const isRequired = ({ secondFactor }: FactorSettings): boolean =>
  secondFactor !== 'off' && secondFactor !== 'optional';
