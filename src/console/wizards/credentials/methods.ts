// The second factors that a person may choose from (specification, section 5).
import type { WebConfig } from '../../../contract/config.ts';

export type Method = 'Hardware Key' | 'Authenticator App' | 'None';

const methods: Readonly<Record<WebConfig['auth']['second_factor'], readonly Method[]>> = {
  off: [],
  webauthn: ['Hardware Key'],
  otp: ['Authenticator App'],
  on: ['Hardware Key', 'Authenticator App'],
  optional: ['Hardware Key', 'Authenticator App', 'None'],
};
/** The first of them is offered first. */
export const methodsOf = (setting: WebConfig['auth']['second_factor']): readonly Method[] => methods[setting];

/** Name that a device gets unless another is typed. */
export const defaultName: Readonly<Record<Method, string>> = {
  'Hardware Key': 'webauthn-device',
  'Authenticator App': 'otp-device',
  None: '',
};
export const PASSWORDLESS_NAME = 'passwordless-device';

/** What is wrong with what was typed, by field. */
export function deviceProblems(method: Method, name: string, code: string): { name?: string; code?: string } {
  if (method === 'None') return {};
  return {
    ...(name.trim() === '' && { name: 'Device name is required' }),
    ...(method === 'Authenticator App' && code.trim() === '' && { code: 'Token is required' }),
  };
}
