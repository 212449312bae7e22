// The line that lists of the past are filtered by: words, and keys with what follows them. Each list says which keys it has.

export type LineKeys = Readonly<Record<string, { readonly what: string; readonly about: string }>>;

/** The line's words; quotes keep blanks and colons together. */
export const partsOf = (line: string): readonly string[] => line.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
const unquoted = (text: string): string => text.replaceAll('"', '');
/** The text as one word of the line, whatever stands in it but quotes. */
export const quoted = (text: string): string => `"${unquoted(text)}"`;
/** A value as it stands in a line: in quotes where it would not be read as one otherwise. */
export const lineValue = (text: string): string => (/[\s"]/.test(text) ? quoted(text) : text);

export interface ReadLine<Key> {
  readonly words: readonly string[];
  /** In the order they stand, none of them empty. */
  readonly parts: readonly { readonly key: Key; readonly value: string }[];
}

/** Reads a line; a sentence that says what is wrong and what is allowed when something in it cannot be. */
export function readLine<Keys extends LineKeys>(line: string, keys: Keys): ReadLine<keyof Keys & string> | string {
  const isKey = (text: string): text is keyof Keys & string => Object.hasOwn(keys, text);
  const words: string[] = [];
  const parts: { key: keyof Keys & string; value: string }[] = [];
  for (const part of partsOf(line)) {
    // A word with a colon inside it, such as an address, is no key: a key is letters up to the first colon.
    const [, key, rest = ''] = /^(-?[a-z]+):(?!\/\/)(.*)$/i.exec(part) ?? [];
    const value = unquoted(key === undefined ? part : rest);
    if (key === undefined) {
      if (value !== '') words.push(value);
    } else if (!isKey(key)) return unknownKey(key, part, Object.keys(keys));
    else if (value === '') return `${key}: is followed by ${keys[key]?.what}`;
    else parts.push({ key, value });
  }
  return { words, parts };
}

function unknownKey(key: string, part: string, names: readonly string[]): string {
  const near = names.find(name => isNear(name, key.toLowerCase()));
  const known =
    near === undefined ? `the keys are ${names.map(name => `${name}:`).join(', ')}.` : `did you mean ${near}:?`;
  return `There is no key "${key}:"; ${known} As a word to look for, write it in quotes: ${quoted(part)}`;
}

/** Whether one slip of the fingers leads from one word to the other: a letter more, less, another, or two that changed places. */
function isNear(word: string, typed: string): boolean {
  if (word.startsWith(typed) || typed.startsWith(word)) return true;
  const [short, long] = word.length <= typed.length ? [word, typed] : [typed, word];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return short.slice(at + 1) === long.slice(at + 1) || (isSwapped && short.slice(at + 2) === long.slice(at + 2));
}
