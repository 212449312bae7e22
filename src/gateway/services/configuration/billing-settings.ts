// Who makes invoices: the settings that begin with "billing".
import { readKey, refuseKeyAlone } from './key-settings.ts';
import type { SettingName, SettingValue } from './table.ts';

export interface BillingConfiguration {
  /** Where the provider's API is, without a slash at the end. */
  readonly address: string;
  /** Null: the address wants none. */
  readonly key: string | null;
}
const keyNames = { key: 'billingKey', file: 'billingKeyFile' } as const;

/** Null: nobody. `read` answers a file's text, or undefined once it has said why there is none. */
export function readBillingSettings(
  value: <Name extends SettingName>(name: Name) => SettingValue<Name> | undefined,
  read: (flag: string, path: string) => string | undefined,
  problem: (text: string) => void,
): BillingConfiguration | null {
  const address = value('billingAddress');
  if (address !== undefined)
    return { address: address.replace(/\/+$/, ''), key: readKey(keyNames, value, read, problem) };
  refuseKeyAlone(keyNames, 'billingAddress', value, problem);
  return null;
}
