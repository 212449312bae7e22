// Where in a YAML text that is being written the caret stands. What reads finished YAML refuses what is half written, and that is what there is
// while somebody writes: so this goes by indentation and brackets, and refuses nothing.

type Path = readonly (string | number)[];

export interface YamlPlace {
  /** Of the map or list that the caret stands in, or of what the value is of. */
  readonly path: Path;
  /** What may stand here: the key of a map, a value, or, on a line of its own, either. */
  readonly wants: 'key' | 'value' | 'either';
  /** Where the word that is being written begins, offset. */
  readonly start: number;
  readonly inBrackets: boolean;
  /** Column that the keys of a map on lines of their own have here. */
  readonly column: number;
  /** Keys that the map at `path` has already. */
  readonly siblings: readonly string[];
}

/** What is open: a key whose value is not over, or an item of a list, at its column. */
interface Level {
  readonly column: number;
  readonly isItem: boolean;
  readonly part: string | number;
}
interface Reading {
  readonly end: Omit<YamlPlace, 'siblings'> | null;
  readonly keys: readonly { readonly path: Path; readonly key: string; readonly start: number }[];
}

const ITEM = /^-(\s+|$)/;
const KEY = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'[\]{},#:&*!|>%@`][^:#]*?)\s*:(?:\s+|$)/;
const TEXT_FOLLOWS = /^[|>][+-]?\d?[+-]?\s*(#.*)?$/;
const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/s, '$2');

/** The place of the caret; null in comments, in texts of several lines and behind what is finished. */
export function placeAt(text: string, caret: number): YamlPlace | null {
  const { end } = read(text.slice(0, caret));
  if (end === null) return null;
  const wanted = end.path.join('\0');
  const siblings = read(text)
    .keys.filter(({ path, start }) => path.join('\0') === wanted && start !== end.start)
    .map(({ key }) => key);
  return { ...end, siblings };
}

function read(text: string): Reading {
  const keys: { path: Path; key: string; start: number }[] = [];
  let levels: readonly Level[] = [];
  let end: Reading['end'] = null;
  const path = (): Path => levels.map(({ part }) => part);
  /** What is still open for a key or an item at a column. */
  const openAt = (column: number, isItem: boolean): readonly Level[] =>
    levels.filter(level => level.column < column || (level.column === column && isItem && !level.isItem));

  for (let at = 0; at <= text.length; ) {
    const lineEnd = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
    const line = text.slice(at, lineEnd);
    const isLast = lineEnd === text.length;
    let column = line.length - line.trimStart().length;
    let rest = line.slice(column);
    if (/^---(\s|$)/.test(line)) levels = [];
    end = null;
    const next = lineEnd + 1;
    if (rest.startsWith('#') || (rest === '' && !isLast)) {
      at = next;
      continue;
    }
    for (let item = ITEM.exec(rest); item !== null; item = ITEM.exec(rest)) {
      const here = column;
      const before = levels.find(level => level.isItem && level.column === here);
      levels = [...openAt(column, true), { column, isItem: true, part: before ? Number(before.part) + 1 : 0 }];
      column += item[0].length;
      rest = rest.slice(item[0].length);
    }
    const found = KEY.exec(rest);
    if (found !== null) {
      const key = unquoted(found[1] ?? '');
      levels = openAt(column, false);
      keys.push({ path: path(), key, start: at + column });
      levels = [...levels, { column, isItem: false, part: key }];
      rest = rest.slice(found[0].length);
    }
    const start = lineEnd - rest.length;
    if (/^[[{]/.test(rest)) {
      const flow = readBrackets(text, start, path());
      keys.push(...flow.keys);
      end = flow.end;
      at = (text.indexOf('\n', flow.next) < 0 ? text.length : text.indexOf('\n', flow.next)) + 1;
      continue;
    }
    if (TEXT_FOLLOWS.test(rest)) {
      const own = (levels.at(-1)?.column ?? -1) + 1;
      const after = new RegExp(`^(?: {0,${Math.max(own - 1, 0)}})[^\\s]`, 'm');
      const over = own === 0 ? -1 : text.slice(next).search(after);
      at = over < 0 ? text.length + 1 : next + over;
      continue;
    }
    if (isLast && !/(^|\s)#/.test(rest)) {
      if (found === null) levels = openAt(column, false);
      end = { path: path(), wants: found === null ? 'either' : 'value', start, inBrackets: false, column };
    }
    at = next;
  }
  return { end, keys };
}

/** Reads `[…]` or `{…}` that begins at `from`; `end` is set where the text ends within. */
function readBrackets(text: string, from: number, base: Path): Reading & { readonly next: number } {
  const keys: { path: Path; key: string; start: number }[] = [];
  const open: { isMap: boolean; part: string | number; wantsKey: boolean }[] = [];
  let word: number | null = null;
  const path = (): Path => [
    ...base,
    ...open.flatMap(({ isMap, part, wantsKey }, index) =>
      isMap && wantsKey && index === open.length - 1 ? [] : [part],
    ),
  ];
  let at = from;
  for (; at < text.length; at++) {
    const character = text[at] ?? '';
    const top = open.at(-1);
    if (character === '[' || character === '{') {
      open.push({ isMap: character === '{', part: character === '{' ? '' : 0, wantsKey: character === '{' });
      word = null;
    } else if (character === ']' || character === '}') {
      open.pop();
      word = null;
      if (open.length === 0) return { end: null, keys, next: at + 1 };
    } else if (character === ',' && top) {
      if (top.isMap) top.wantsKey = true;
      else top.part = Number(top.part) + 1;
      word = null;
    } else if (character === ':' && top?.wantsKey && word !== null && /^[\s,[\]{}]?$/.test(text[at + 1] ?? '')) {
      const key = unquoted(text.slice(word, at).trim());
      keys.push({ path: path(), key, start: word });
      top.part = key;
      top.wantsKey = false;
      word = null;
    } else if (character === '#' && /\s/.test(text[at - 1] ?? '')) {
      const line = text.indexOf('\n', at);
      if (line < 0) return { end: null, keys, next: text.length };
      at = line;
    } else if (/["']/.test(character) && word === null) {
      word = at;
      const close = text.indexOf(character, at + 1);
      if (close < 0) break;
      at = close;
    } else if (/\S/.test(character)) word ??= at;
  }
  const top = open.at(-1);
  const wants = top?.isMap ? (top.wantsKey ? 'key' : 'value') : 'either';
  return {
    end: { path: path(), wants, start: word ?? text.length, inBrackets: true, column: 0 },
    keys,
    next: text.length,
  };
}
