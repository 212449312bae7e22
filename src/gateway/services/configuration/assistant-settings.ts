// The model that the assistant asks: the settings that begin with "assistant".
import { readKey, refuseKeyAlone } from './key-settings.ts';
import { flagOf } from './setting.ts';
import { type SettingName, type SettingValue, settings } from './table.ts';

export interface AssistantConfiguration {
  /** Where the OpenAI-compatible API is, without a slash at the end. */
  readonly address: string;
  readonly model: string;
  /** Null: the address wants none. */
  readonly key: string | null;
  /** Questions of one person in a minute. */
  readonly perMinute: number;
}
const keyNames = { key: 'assistantKey', file: 'assistantKeyFile' } as const;

/** Null: no assistant. `read` answers a file's text, or undefined once it has said why there is none. */
export function readAssistantSettings(
  value: <Name extends SettingName>(name: Name) => SettingValue<Name> | undefined,
  read: (flag: string, path: string) => string | undefined,
  problem: (text: string) => void,
): AssistantConfiguration | null {
  const [address, model, perMinute] = [value('assistantAddress'), value('assistantModel'), value('assistantPerMinute')];
  if ((address === undefined) !== (model === undefined))
    problem(
      `${flagOf(settings[address === undefined ? 'assistantAddress' : 'assistantModel'])}: missing: the address of the assistant's model and its name go together`,
    );
  if (address === undefined || model === undefined) {
    if (address === model) refuseKeyAlone(keyNames, 'assistantAddress', value, problem);
    return null;
  }
  const key = readKey(keyNames, value, read, problem);
  return { address: address.replace(/\/+$/, ''), model, key, perMinute: perMinute ?? 20 };
}
