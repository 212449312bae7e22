// Keys that go with an address, each written out or in the first line of a file.
import { flagOf } from './setting.ts';
import { type SettingName, type SettingValue, settings } from './table.ts';

type Value = <Name extends SettingName>(name: Name) => SettingValue<Name> | undefined;
/** Answers a file's text, or undefined once it has said why there is none. */
type Read = (flag: string, path: string) => string | undefined;
interface Names {
  readonly key: 'assistantKey' | 'billingKey';
  readonly file: 'assistantKeyFile' | 'billingKeyFile';
}
const flag = (name: SettingName): string => flagOf(settings[name]);

/** The key; null: none is given. */
export function readKey(
  { key, file }: Names,
  value: Value,
  read: Read,
  problem: (text: string) => void,
): string | null {
  const [given, path] = [value(key), value(file)];
  if (given !== undefined && path !== undefined) problem(`${flag(key)} and ${flag(file)}: one of both expected`);
  if (path === undefined) return given ?? null;
  const written = read(flag(file), path)?.split('\n')[0]?.trim();
  if (written === '') problem(`${flag(file)}: ${path}: its first line is empty`);
  return written ?? null;
}

/** Says what is wrong where a key is given without the address that it is for. */
export function refuseKeyAlone(
  { key, file }: Names,
  address: SettingName,
  value: Value,
  problem: (text: string) => void,
): void {
  if (value(key) === undefined && value(file) === undefined) return;
  problem(`${flag(value(key) === undefined ? file : key)}: goes with ${flag(address)}, which is missing`);
}
