// The model that the assistant asks: the settings that begin with "assistant".
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

/** Null: no assistant. `read` answers a file's text, or undefined once it has said why there is none. */
export function readAssistantSettings(
  value: <Name extends SettingName>(name: Name) => SettingValue<Name> | undefined,
  read: (flag: string, path: string) => string | undefined,
  problem: (text: string) => void,
): AssistantConfiguration | null {
  const [address, model, key] = [value('assistantAddress'), value('assistantModel'), value('assistantKey')];
  const [file, perMinute] = [value('assistantKeyFile'), value('assistantPerMinute')];
  const flag = (name: 'assistantAddress' | 'assistantModel' | 'assistantKey' | 'assistantKeyFile') =>
    flagOf(settings[name]);
  if (key !== undefined && file !== undefined)
    problem(`${flag('assistantKey')} and ${flag('assistantKeyFile')}: one of both expected`);
  if ((address === undefined) !== (model === undefined))
    problem(
      `${flag(address === undefined ? 'assistantAddress' : 'assistantModel')}: missing: the address of the assistant's model and its name go together`,
    );
  if (address === undefined || model === undefined) {
    if (address === model && (key !== undefined || file !== undefined))
      problem(
        `${flag(key === undefined ? 'assistantKeyFile' : 'assistantKey')}: goes with ${flag('assistantAddress')}, which is missing`,
      );
    return null;
  }
  const written = file === undefined ? key : read(flag('assistantKeyFile'), file)?.split('\n')[0]?.trim();
  if (file !== undefined && written === '') problem(`${flag('assistantKeyFile')}: ${file}: its first line is empty`);
  return { address: address.replace(/\/+$/, ''), model, key: written ?? null, perMinute: perMinute ?? 20 };
}
