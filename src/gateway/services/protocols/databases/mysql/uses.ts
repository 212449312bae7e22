// Which columns a MySQL statement hands out, or writes, as they are, and which it does more with: told from its words, not from its tree, so that
// nothing is missed that the grammar takes for something else (`select binary card` is no column of the name "binary").
import type { StatementFacts } from '../../../../ports/databases.ts';
import type { Tokens } from './lexer.ts';

type Uses = Pick<StatementFacts, 'used' | 'aliases'>;

/** Between `select` and its first column, and nothing to its rows. */
const selectOptions = /^(?:all|high_priority|straight_join|sql_\w+)$/;
/** With one of these, columns do more than stand in an answer, or the answer is not that of one `select`. */
const entangling =
  /^(?:distinct|distinctrow|union|except|minus|intersect|into|procedure|natural|with|values|rollup|window|over)$/;
const insertOptions = /^(?:low_priority|delayed|high_priority|ignore|into)$/;
const updateOptions = /^(?:low_priority|ignore)$/;
/** Behind the columns that are set. */
const behindSet = /^(?:where|order|limit|on|returning)$/;

const isName = (token: Tokens[number] | undefined): boolean => token?.kind === 'word' || token?.kind === 'name';
/** How deep in parentheses each token stands; those themselves stand outside. */
function depthsOf(tokens: Tokens): readonly number[] {
  let depth = 0;
  return tokens.map(({ kind, text }) => {
    if (kind === 'sign' && text === ')') depth -= 1;
    const own = depth;
    if (kind === 'sign' && text === '(') depth += 1;
    return own;
  });
}

/** `words`: the tokens as words in small letters, '' for what is none; `namesOf`: all that may be a name; `hasStar`: whether a star means columns. */
export function usesOf(
  tokens: Tokens,
  words: readonly string[],
  names: (tokens: Tokens) => ReadonlySet<string>,
  hasStar: (tokens: Tokens) => boolean,
): Uses {
  const all: Uses = { used: { columns: names(tokens), allColumns: hasStar(tokens) }, aliases: new Map() };
  const selects = words.filter(word => word === 'select').length;
  if (words[0] === 'select') {
    const isEntangled = selects > 1 || words.some(word => entangling.test(word)) || ordersByPlace(tokens, words);
    return isEntangled ? all : selected(tokens, words, names, hasStar);
  }
  if (selects > 0 || words.some(word => word === 'with' || word === 'table')) return all;
  const written = writtenBy(tokens, words);
  const rest = tokens.filter((_, at) => !written.has(at));
  return { used: { columns: names(rest), allColumns: hasStar(rest) }, aliases: new Map() };
}

/** `order by 1`, and `order by ?`, which may be 1. */
function ordersByPlace(tokens: Tokens, words: readonly string[]): boolean {
  const by = words.indexOf('by');
  const limit = words.lastIndexOf('limit');
  return (
    by >= 0 &&
    tokens.some(
      ({ kind, text }, at) =>
        at > by && (limit < by || at < limit) && (kind === 'number' || (kind === 'sign' && text === '?')),
    )
  );
}

function selected(
  tokens: Tokens,
  words: readonly string[],
  names: (tokens: Tokens) => ReadonlySet<string>,
  hasStar: (tokens: Tokens) => boolean,
): Uses {
  const depths = depthsOf(tokens);
  let from = tokens.findIndex(({ kind }, at) => kind === 'word' && words[at] === 'from' && depths[at] === 0);
  if (from < 0) from = tokens.length;
  let begin = 1;
  while (begin < from && selectOptions.test(words[begin] ?? '')) begin += 1;
  const used = tokens.slice(from);
  const aliases = new Map<string, Set<string>>();
  let isWhole = false;
  for (let at = begin; at < from; at++) {
    const first = at;
    while (at < from && !(words[at] === ',' && depths[at] === 0)) at += 1;
    const item = tokens.slice(first, at);
    const plain = plainColumn(item);
    if (!plain) {
      used.push(...item);
      isWhole ||= hasStar(item);
    } else if (plain.alias !== null) {
      const called = aliases.get(plain.alias) ?? new Set();
      for (const name of names(plain.column)) called.add(name);
      aliases.set(plain.alias, called);
    }
  }
  const columns = new Set(names(used));
  const lower = new Set([...columns].map(name => name.toLowerCase()));
  for (const [alias, called] of aliases)
    if (lower.has(alias.toLowerCase())) for (const name of called) columns.add(name);
  return { used: { columns, allColumns: isWhole }, aliases };
}

/** `card`, `c.card`, `shop.c.card`, `c.*` or `*`, with `as` and a name behind it or not; null for anything else. */
function plainColumn(item: Tokens): { readonly column: Tokens; readonly alias: string | null } | null {
  const as = item.at(-2);
  const isNamed = as?.kind === 'word' && as.text.toLowerCase() === 'as' && isName(item.at(-1));
  const column = isNamed ? item.slice(0, -2) : item;
  const isPath =
    column.length % 2 === 1 &&
    column.every((token, at) => {
      if (at % 2 === 1) return token.kind === 'sign' && token.text === '.';
      return isName(token) || (at === column.length - 1 && token.kind === 'sign' && token.text === '*');
    });
  if (!isPath) return null;
  return { column: column.slice(-1), alias: isNamed ? (item.at(-1)?.text ?? '') : null };
}

/** Places of the columns that are only written. */
function writtenBy(tokens: Tokens, words: readonly string[]): ReadonlySet<number> {
  const places = new Set<number>();
  const depths = depthsOf(tokens);
  const path = (at: number): number => {
    let end = at;
    while (isName(tokens[end]) && words[end + 1] === '.') end += 2;
    return isName(tokens[end]) ? end + 1 : at;
  };
  const [first] = words;
  if (first !== 'insert' && first !== 'replace' && first !== 'update') return places;
  let at = 1;
  while ((first === 'update' ? updateOptions : insertOptions).test(words[at] ?? '')) at += 1;
  at = path(at);
  if (first !== 'update' && words[at] === '(') {
    for (let inside = at + 1; inside < tokens.length && depths[inside] === 1; inside++) places.add(inside);
    return places;
  }
  const set = words.findIndex((word, place) => place >= at && word === 'set' && depths[place] === 0);
  if (set < 0) return places;
  for (
    let place = set + 1;
    place < tokens.length && !(depths[place] === 0 && behindSet.test(words[place] ?? ''));
    place++
  ) {
    const before = words[place - 1];
    if (depths[place] !== 0 || (before !== 'set' && before !== ',')) continue;
    const end = path(place);
    if (words[end] === '=') for (let one = place; one < end; one++) places.add(one);
  }
  return places;
}
