// The filter language of lists, of label expressions and of a rule's `where` (contract/roles.md 1.2, 3.1, 3.3).
import { checkPattern, fits } from './pattern.ts';
import { type Expression, PredicateError, printPredicate, readExpression } from './predicate-syntax.ts';
import { checkRegular, matchesRegular, PatternError, replaceRegular } from './regular.ts';

export { type Expression, PredicateError, printPredicate };

/** What fields read: own properties, step by step. `searchable` holds the texts that search() looks at. */
export type Scope = Readonly<Record<string, unknown>>;
type Value = string | readonly string[] | undefined;
type Args = readonly Expression[];

/** Which expressions a place takes: `query` filters lists, `labels` stands in roles, `where` in rules; `template` yields values. */
export type Language = 'query' | 'labels' | 'where' | 'template';

interface Fn {
  readonly languages: readonly Language[];
  /** Fewest and most arguments. */
  readonly takes: readonly [number, number];
  /** Index of the argument that is a pattern or a regular expression: checked while parsing when it is a literal. */
  readonly pattern?: number;
  readonly regular?: number;
  readonly test?: (args: Args, scope: Scope) => boolean;
  readonly values?: (args: Args, scope: Scope) => readonly string[];
}

const QUERY_WORDS_MOST = 32;
/** Answers in place of a string for an argument that is not there. */
const nothing: Expression = { kind: 'literal', value: '' };
const arg = (args: Args, index: number): Expression => args[index] ?? nothing;

const list = (args: Args, index: number, scope: Scope): readonly string[] => {
  const value = valueIn(arg(args, index), scope);
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
};
const text = (args: Args, index: number, scope: Scope): string => asText(valueIn(arg(args, index), scope));
const asText = (value: Value): string => (typeof value === 'string' ? value : (value?.[0] ?? ''));

/** The functions of the language, each with what it takes. */
const functions: Readonly<Record<string, Fn>> = {
  equals: {
    languages: ['query', 'labels', 'where'],
    takes: [2, 2],
    test: (args, scope) => same(valueIn(arg(args, 0), scope), valueIn(arg(args, 1), scope)),
  },
  exists: {
    languages: ['query', 'labels'],
    takes: [1, 1],
    test: (args, scope) => valueIn(arg(args, 0), scope) !== undefined,
  },
  hasPrefix: {
    languages: ['query'],
    takes: [2, 2],
    test: (args, scope) => text(args, 0, scope).startsWith(text(args, 1, scope)),
  },
  search: {
    languages: ['query'],
    takes: [1, QUERY_WORDS_MOST],
    test: (args, scope) => {
      const searchable = scope.searchable;
      const texts = Array.isArray(searchable) ? searchable.map(item => String(item).toLowerCase()) : [];
      return args.every((_word, index) => texts.some(item => item.includes(text(args, index, scope).toLowerCase())));
    },
  },
  contains: {
    languages: ['labels', 'where'],
    takes: [2, 2],
    test: (args, scope) => list(args, 0, scope).includes(text(args, 1, scope)),
  },
  contains_any: {
    languages: ['labels'],
    takes: [2, 2],
    test: (args, scope) => {
      const wanted = list(args, 1, scope);
      return list(args, 0, scope).some(item => wanted.includes(item));
    },
  },
  contains_all: {
    languages: ['labels'],
    takes: [2, 2],
    test: (args, scope) => {
      const held = list(args, 0, scope);
      return list(args, 1, scope).every(item => held.includes(item));
    },
  },
  'regexp.match': {
    languages: ['labels'],
    takes: [2, 2],
    regular: 1,
    test: (args, scope) => list(args, 0, scope).some(item => matchesRegular(text(args, 1, scope), item)),
  },
  'regexp.replace': {
    languages: ['labels', 'template'],
    takes: [3, 3],
    regular: 1,
    values: (args, scope) =>
      list(args, 0, scope).flatMap(item => replaceRegular(text(args, 1, scope), item, text(args, 2, scope)) ?? []),
  },
  'email.local': {
    languages: ['labels', 'template'],
    takes: [1, 1],
    values: (args, scope) => list(args, 0, scope).flatMap(localPart),
  },
  'strings.upper': {
    languages: ['labels', 'template'],
    takes: [1, 1],
    values: (args, scope) => list(args, 0, scope).map(item => item.toUpperCase()),
  },
  'strings.lower': {
    languages: ['labels', 'template'],
    takes: [1, 1],
    values: (args, scope) => list(args, 0, scope).map(item => item.toLowerCase()),
  },
  labels_matching: {
    languages: ['labels'],
    takes: [1, 1],
    pattern: 0,
    values: (args, scope) => {
      const pattern = text(args, 0, scope);
      const labels = isRecord(scope.labels) ? scope.labels : {};
      return Object.entries(labels).flatMap(([key, value]) =>
        typeof value === 'string' && fits(pattern, key) ? [value] : [],
      );
    },
  },
};

/** The part of a mail address before its last `@`; nothing when there is none. */
function localPart(address: string): readonly string[] {
  const at = address.lastIndexOf('@');
  return at > 0 ? [address.slice(0, at)] : [];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts are equal when they are the same; lists when they hold the same items. What is not there equals "". */
function same(left: Value, right: Value): boolean {
  if (typeof left !== 'object' && typeof right !== 'object') return (left ?? '') === (right ?? '');
  const [first, second] = [left, right].map(
    value => new Set(value === undefined ? [] : typeof value === 'string' ? [value] : value),
  );
  return (
    first !== undefined &&
    second !== undefined &&
    first.size === second.size &&
    [...first].every(item => second.has(item))
  );
}

function valueIn(expression: Expression, scope: Scope): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'field':
      return fieldOf(expression.path, scope);
    case 'call':
      return functions[expression.name]?.values?.(expression.args, scope) ?? [];
    default:
      return undefined;
  }
}

function fieldOf(path: readonly string[], scope: Scope): Value {
  let at: unknown = scope;
  for (const part of path) {
    if (!isRecord(at) || !Object.hasOwn(at, part)) return undefined;
    at = at[part];
  }
  if (Array.isArray(at)) return at.filter(item => typeof item === 'string');
  return typeof at === 'string' ? at : typeof at === 'number' || typeof at === 'boolean' ? String(at) : undefined;
}

/** Whether the expression holds. Never throws for an expression that parsePredicate answered. */
export function evaluate(expression: Expression, scope: Scope): boolean {
  switch (expression.kind) {
    case 'and':
      return evaluate(expression.left, scope) && evaluate(expression.right, scope);
    case 'or':
      return evaluate(expression.left, scope) || evaluate(expression.right, scope);
    case 'not':
      return !evaluate(expression.of, scope);
    case 'equal':
    case 'unequal':
      return same(valueIn(expression.left, scope), valueIn(expression.right, scope)) === (expression.kind === 'equal');
    case 'call':
      return functions[expression.name]?.test?.(expression.args, scope) ?? false;
    default:
      return false;
  }
}

/** The values a template such as `email.local(external.email)` stands for. */
export function valuesOf(expression: Expression, scope: Scope): readonly string[] {
  const value = valueIn(expression, scope);
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** Fields that a place offers. `*` is any one name, `**` any path. */
const fields: Readonly<Record<Language, readonly string[]>> = {
  query: ['labels.*', 'name', 'resource.**'],
  labels: ['labels.*', 'user.spec.traits.*'],
  where: [
    'user.metadata.name',
    'user.spec.roles',
    'user.spec.traits.*',
    'resource.metadata.name',
    'resource.metadata.labels.*',
    'session.participants',
    'ssh_session.participants',
    'impersonate_role.**',
    'impersonate_user.**',
  ],
  template: ['internal.*', 'external.*'],
};
const everyField = [...new Set(Object.values(fields).flat())];

const isField = (path: readonly string[], known: string): boolean => {
  const parts = known.split('.');
  const open = parts.at(-1) === '**';
  const fixed = open ? parts.slice(0, -1) : parts;
  return (
    (open ? path.length > fixed.length : path.length === fixed.length) &&
    fixed.every((part, at) => part === '*' || part === path[at])
  );
};
const shownField = (known: string): string => known.replace(/\.\*\*$/, '.…').replace(/\.\*$/, '["…"]');

/** Reads an expression that is true or false. Without a language: functions and fields of all of them. Throws PredicateError. */
export function parsePredicate(source: string, language?: Exclude<Language, 'template'>): Expression {
  const { expression, positions } = readExpression(source);
  check(expression, 'claim', { language, positions });
  return expression;
}

/** Reads the inside of a template: a field or a function that yields values. Throws PredicateError. */
export function parseTemplate(source: string): Expression {
  const { expression, positions } = readExpression(source);
  check(expression, 'value', { language: 'template', positions });
  return expression;
}

interface Place {
  readonly language: Language | undefined;
  readonly positions: ReadonlyMap<Expression, number>;
}

/** Names, argument counts and kinds: what the grammar cannot say. Throws PredicateError. */
function check(expression: Expression, wanted: 'claim' | 'value', place: Place): void {
  const fault = (what: string) => new PredicateError(what, place.positions.get(expression) ?? 0);
  switch (expression.kind) {
    case 'call':
      checkCall(expression, wanted, place, fault);
      return;
    case 'literal':
    case 'field': {
      if (wanted === 'claim') throw fault('a comparison or a function that is true or false expected, a value found');
      if (expression.kind === 'literal') return;
      const known = place.language ? fields[place.language] : everyField;
      if (!known.some(one => isField(expression.path, one)))
        throw fault(`unknown field ${printPredicate(expression)}; known here: ${known.map(shownField).join(', ')}`);
      return;
    }
    default: {
      if (wanted === 'value') throw fault('a value expected, something that is true or false found');
      const side = expression.kind === 'equal' || expression.kind === 'unequal' ? 'value' : 'claim';
      const parts = expression.kind === 'not' ? [expression.of] : [expression.left, expression.right];
      for (const part of parts) check(part, side, place);
    }
  }
}

function checkCall(
  call: Expression & { kind: 'call' },
  wanted: 'claim' | 'value',
  place: Place,
  fault: (what: string) => PredicateError,
): void {
  const here = (fn: Fn) => !place.language || fn.languages.includes(place.language);
  const kind = wanted === 'claim' ? 'test' : 'values';
  const usable = Object.entries(functions).flatMap(([name, fn]) => (here(fn) && fn[kind] ? [name] : []));
  const fn = Object.hasOwn(functions, call.name) ? functions[call.name] : undefined;
  if (!fn || !here(fn)) throw fault(`unknown function ${call.name}; known here: ${usable.join(', ')}`);
  if (!fn[kind])
    throw fault(
      `${call.name}() does not stand for ${wanted === 'claim' ? 'true or false' : 'a value'}; known here: ${usable.join(', ')}`,
    );
  const [least, most] = fn.takes;
  const count = call.args.length;
  if (count < least || count > most)
    throw fault(
      `${call.name}() takes ${least === most ? least : `${least} to ${most}`} argument${most === 1 ? '' : 's'}, ${count} given`,
    );
  for (const [index, argument] of call.args.entries()) {
    check(argument, 'value', place);
    if (index !== fn.pattern && index !== fn.regular) continue;
    // Written out, so that it can be refused now rather than fail at each use.
    if (argument.kind !== 'literal') throw fault(`${call.name}() needs its expression written out in quotes`);
    try {
      if (index === fn.regular) checkRegular(argument.value);
      else checkPattern(argument.value);
    } catch (error) {
      if (error instanceof PatternError) throw fault(error.message);
      throw error;
    }
  }
}
