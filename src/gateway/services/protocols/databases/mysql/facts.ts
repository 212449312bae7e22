// What guards ask of a MySQL statement: its kind and its tables from the grammar, names from its words, so that no name is missed that the
// grammar knows no place for.
import type { StatementKind } from '../../../../../contract/guards.ts';
import type { StatementFacts } from '../../../../ports/databases.ts';
import type { Tokens } from './lexer.ts';
import { usesOf } from './uses.ts';

/** What guards ask of statements; null: what one of them does cannot be told from its words. */
export type Facts = readonly StatementFacts[] | null;
type Node = Readonly<Record<string, unknown>>;

/** They say something about the server or the transaction, and read no table. */
const plain =
  /^(?:show|use|commit|rollback|savepoint|release|start|xa|kill|unlock|help|desc|describe|explain|deallocate|check|checksum)$/;
const begins = /^begin(?: work)?$/;
/** In front of a statement, `explain` and its options. */
const explains = /^(?:explain|desc|describe|analyze)$/;
const explained = /^(?:select|insert|replace|update|delete|with)$/;
const options = /^(?:extended|partitions|analyze|format|traditional|json|tree|=)$/;
/** Words that no statement without rows has. */
const rowWords = /^(?:select|insert|replace|update|delete|into|outfile|dumpfile|values)$/;
/** What is made, changed and dropped; others hold code, or are not known. */
const objects = /^(?:table|view|index|database|schema|sequence|user|role)$/;
const people = /^(?:user|role)$/;
const objectOptions = /^(?:or|replace|temporary|unique|fulltext|spatial|if|not|exists|online|offline|ignore)$/;
/** Settings under which texts are read in another way, and those of other people. */
const unreadSettings =
  /^(?:sql_mode|charset|character|character_set_\w*|collation_\w*|global|persist|persist_only|statement|password|role|default|init_connect|init_file|local_infile)$/;
const readCharsets = /^(?:utf8|utf8mb3|utf8mb4|latin1|ascii|binary)$/;
/** Behind these, a star means all columns. */
const starts = /^(?:select|distinct|distinctrow|all|returning|high_priority|straight_join|sql_\w+)$/;
/** A name behind one of them is a table's. */
const tableWords = /^(?:from|join|straight_join|into|update|table|tables|truncate|view)$/;
const copies = /^(?:outfile|dumpfile|load_file)$/;
/** These say again what other statements have said, with values of theirs. */
const retells = /^show (?:(?:count \( \* \) )?warnings|errors|binlog|relaylog|engine|profile|profiles)\b/;
/** Kinds of tables that are files or memory of the server: others show the rows of another table, or server. */
const ownEngines = /^(?:innodb|myisam|aria|memory|archive|csv|blackhole|rocksdb)$/;
const planned = new Set(['select', 'insert', 'replace', 'update', 'delete']);
const writes: Readonly<Record<string, StatementKind | null>> = {
  insert: null,
  replace: null,
  update: 'update_without_where',
  delete: 'delete_without_where',
};

/** One statement. `parse`: reads it with the grammar; throws where it cannot. */
export function factsOf(tokens: Tokens, parse: (tokens: Tokens) => unknown): StatementFacts | null {
  const words = wordsOf(tokens);
  const [first = '', second = ''] = words;
  const facts: Made = (kinds, tables, more = false, isTree = false) => {
    const columns = namesOf(tokens);
    const allColumns = more || hasStar(tokens, words);
    return {
      kinds: new Set(words.some(word => copies.test(word)) ? [...kinds, 'copy' as const] : kinds),
      tables: tables
        ? [...tables, ...tablesBehindWords(tokens, words)]
        : [...columns].map(name => ({ schema: '', name })),
      ...{ columns, allColumns },
      ...(isTree
        ? usesOf(tokens, words, namesOf, given => hasStar(given, wordsOf(given)))
        : { used: { columns, allColumns }, aliases: new Map() }),
      ...{
        functions: calledIn(tokens),
        renames: false,
        takesUp: first === 'show' && retells.test(words.join(' ')) ? ['show'] : [],
      },
      isPlanned: planned.has(first) || first === 'with',
    };
  };
  if (explains.test(first)) {
    const at = words.findIndex((word, index) => index > 0 && !options.test(word));
    if (explained.test(words[at] ?? '')) {
      const inner = factsOf(tokens.slice(at), parse);
      // Explained only, it is not executed.
      const isExecuted = words.slice(0, at).includes('analyze');
      return inner && { ...inner, isPlanned: false, ...(isExecuted ? {} : { kinds: new Set<StatementKind>() }) };
    }
  }
  const isRowless = !words.some(word => word === '(' || rowWords.test(word));
  if ((plain.test(first) && isRowless) || begins.test(words.join(' '))) return facts([], null);
  if (first === 'set' && (!isRead(tokens, words) || second === '@@')) return null;
  if (first === 'set' && isRowless) return facts([], []);
  if (first === 'load' && second === 'data') return facts(['copy', 'write'], null, true);
  if (/^(?:create|alter|drop|rename)$/.test(first)) {
    const object = words.find((word, index) => index > 0 && !objectOptions.test(word)) ?? '';
    if (!objects.test(object)) return null;
    if (people.test(object)) return facts(['grant'], null);
    const engine = words.indexOf('engine');
    if (engine >= 0 && !ownEngines.test(words[words[engine + 1] === '=' ? engine + 2 : engine + 1] ?? '')) return null;
    // A table may be made of the rows of another: each name in it may be a table's.
    return facts(['ddl'], null);
  }
  if (/^(?:grant|revoke)$/.test(first)) return facts(['grant'], null);
  if (first === 'truncate') return facts(['ddl', 'write'], null);
  if (first === 'lock' && isRowless) return facts([], null);
  // The grammar does not know that these may be about so many rows.
  const isLimited = /^(?:update|delete)$/.test(first) && words.at(-2) === 'limit' && words.at(-1) !== ')';
  return parsed(parse, isLimited ? tokens.slice(0, -2) : tokens, facts);
}

/** `more`: it is about columns that it does not name; `isTree`: the grammar has read all of it. */
type Made = (
  kinds: readonly StatementKind[],
  tables: StatementFacts['tables'] | null,
  more?: boolean,
  isTree?: boolean,
) => StatementFacts;
function parsed(parse: (tokens: Tokens) => unknown, tokens: Tokens, facts: Made): StatementFacts | null {
  let tree: unknown;
  try {
    tree = parse(tokens);
  } catch {
    return null;
  }
  const list = Array.isArray(tree) ? tree : [tree];
  const [top] = list;
  if (list.length !== 1 || !isNode(top)) return null;
  const type = String(top.type);
  if (type === 'set') return facts([], tablesOf(top));
  if (!planned.has(type)) return null;
  const without = writes[type];
  const kinds: readonly StatementKind[] =
    without === undefined ? [] : without !== null && !choosesRows(top.where) ? ['write', without] : ['write'];
  // All that is not named gets its default.
  const isWhole = (type === 'insert' || type === 'replace') && !Array.isArray(top.columns) && !Array.isArray(top.set);
  return facts(kinds, tablesOf(top), isWhole, true);
}

const wordsOf = (tokens: Tokens): readonly string[] =>
  tokens.map(({ kind, text }) => (kind === 'word' ? text.toLowerCase() : kind === 'sign' ? text : ''));
/** What stands before a parenthesis, functions among it; of those with a schema, its name and a dot. */
function calledIn(tokens: Tokens): ReadonlySet<string> {
  const called = new Set<string>();
  for (const [at, { kind, text }] of tokens.entries()) {
    const [dot, behind] = [tokens[at - 1], tokens[at + 1]];
    if ((kind !== 'word' && kind !== 'name') || behind?.kind !== 'sign' || behind.text !== '(') continue;
    called.add(text.toLowerCase());
    if (dot?.kind === 'sign' && dot.text === '.') called.add(`${tokens[at - 2]?.text.toLowerCase()}.`);
  }
  return called;
}

/** Whether a `set` leaves texts to be read as they are. */
function isRead(tokens: Tokens, words: readonly string[]): boolean {
  const names = words.indexOf('names');
  const charset = tokens[names + 1]?.text.toLowerCase() ?? '';
  const isNamed = names < 0 || (names === 1 && words.length === 3 && readCharsets.test(charset));
  return isNamed && !tokens.some(({ kind, text }) => kind !== 'text' && unreadSettings.test(text.toLowerCase()));
}
/** All that may be a name, in each way that a server may take it for another. */
function namesOf(tokens: Tokens): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { kind, text } of tokens) {
    if (kind !== 'word' && kind !== 'name') continue;
    names.add(text);
    if (/[^\0-\x7f]/.test(text))
      names.add(text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase());
  }
  return names;
}
/** Whether a star means columns: it does not where it multiplies, and not in `count(*)`. */
function hasStar(tokens: Tokens, words: readonly string[]): boolean {
  return words.some((word, at) => {
    if (word !== '*') return false;
    const before = tokens[at - 1];
    if (before?.text === '(' && before.kind === 'sign') return words[at + 1] !== ')' || words[at - 2] !== 'count';
    if (!before || (before.kind === 'word' && starts.test(before.text.toLowerCase()))) return true;
    return before.kind === 'sign' && before.text !== ')' && before.text !== '?';
  });
}
/** Tables where words say that one follows, whatever the grammar made of them. */
function tablesBehindWords(tokens: Tokens, words: readonly string[]): StatementFacts['tables'] {
  return words.flatMap((word, at) => {
    if (!tableWords.test(word)) return [];
    const [one, dot, other] = tokens.slice(at + 1, at + 4);
    if (!one || one.kind === 'sign' || one.kind === 'text') return [];
    return dot?.text === '.' && other ? [{ schema: one.text, name: other.text }] : [{ schema: '', name: one.text }];
  });
}
function tablesOf(tree: Node): StatementFacts['tables'] {
  const tables: { readonly schema: string; readonly name: string }[] = [];
  for (const node of nodes(tree))
    if (node.type !== 'column_ref' && typeof node.table === 'string')
      tables.push({ schema: typeof node.db === 'string' ? unquoted(node.db) : '', name: unquoted(node.table) });
  return tables;
}
const unquoted = (name: string): string => name.replaceAll('``', '`');
/** Whether a condition looks at a row: `where true` chooses none. */
const choosesRows = (where: unknown): boolean =>
  isNode(where) && [...nodes(where)].some(({ type, column }) => type === 'column_ref' && column !== '*');

function* nodes(tree: Node): Generator<Node> {
  const left: unknown[] = [tree];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (isNode(one)) yield one;
    for (const value of Object.values(one as object)) if (typeof value === 'object' && value !== null) left.push(value);
  }
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
