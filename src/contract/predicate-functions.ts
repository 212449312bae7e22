// The functions and fields of the filter languages. Whatever makes or compares texts charges its work first.
import type { Budget } from './budget.ts';
import { fits } from './pattern.ts';
import type { Expression } from './predicate-syntax.ts';
import { matchesRegular, replaceRegular } from './regular.ts';

/** What fields read: own properties, step by step. `searchable` holds the texts that search() looks at. */
export type Scope = Readonly<Record<string, unknown>>;
type Value = string | readonly string[] | undefined;
type Args = readonly Expression[];

/** One evaluation: what fields read, and the work it may take. */
export interface Run {
  readonly scope: Scope;
  readonly budget: Budget;
  /** Whether an inner claim holds. Throws TooMuchWork. */
  readonly holds: (claim: Expression) => boolean;
}

/** Which expressions a place takes: `query` filters lists, `labels` stands in roles, `where` in rules, `review` in what is said of access requests; `template` and `login` (login rules) yield values. */
export type Language = 'query' | 'labels' | 'where' | 'person' | 'review' | 'template' | 'login';

export interface Fn {
  readonly languages: readonly Language[];
  /** Fewest and most arguments. */
  readonly takes: readonly [number, number];
  /** Index of the argument that is a pattern or a regular expression: it must be written out, and is checked while parsing. */
  readonly pattern?: number;
  readonly regular?: number;
  /** Index of the argument that is true or false; the others are values. */
  readonly claim?: number;
  /** Throw TooMuchWork. */
  readonly test?: (args: Args, run: Run) => boolean;
  readonly values?: (args: Args, run: Run) => readonly string[];
}

const QUERY_WORDS_MOST = 32;
const VALUES_MOST_ARGUMENTS = 64;
/** A letter may become up to three when its case changes. */
const CASE_MOST_CHARACTERS = 3;
/** Answers in place of a string for an argument that is not there. */
const nothing: Expression = { kind: 'literal', value: '' };
const arg = (args: Args, index: number): Expression => args[index] ?? nothing;

const asList = (value: Value): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;
/** The items of a list; looking at each is a step. */
const list = (args: Args, index: number, run: Run): readonly string[] => {
  const items = asList(valueIn(arg(args, index), run));
  run.budget.steps(items.length);
  return items;
};
const text = (args: Args, index: number, run: Run): string => {
  const value = valueIn(arg(args, index), run);
  return typeof value === 'string' ? value : (value?.[0] ?? '');
};
/** The values of all arguments, each once, as they come. */
const allValues = (args: Args, run: Run): readonly string[] => [
  ...new Set(args.flatMap((_argument, index) => list(args, index, run))),
];
const changeCase = (change: (item: string) => string): Fn => ({
  languages: ['labels', 'template', 'login'],
  takes: [1, 1],
  values: (args, run) =>
    list(args, 0, run).map(item => {
      run.budget.characters(item.length * CASE_MOST_CHARACTERS);
      return change(item);
    }),
});

/** The functions of the language, each with what it takes. */
export const functions: Readonly<Record<string, Fn>> = {
  equals: {
    languages: ['query', 'labels', 'where', 'person', 'review', 'login'],
    takes: [2, 2],
    test: (args, run) => same(valueIn(arg(args, 0), run), valueIn(arg(args, 1), run), run.budget),
  },
  exists: {
    languages: ['query', 'labels'],
    takes: [1, 1],
    test: (args, run) => valueIn(arg(args, 0), run) !== undefined,
  },
  hasPrefix: {
    languages: ['query'],
    takes: [2, 2],
    test: (args, run) => text(args, 0, run).startsWith(text(args, 1, run)),
  },
  search: {
    languages: ['query'],
    takes: [1, QUERY_WORDS_MOST],
    test: (args, run) => {
      const { searchable } = run.scope;
      const texts = Array.isArray(searchable) ? searchable.map(item => String(item).toLowerCase()) : [];
      run.budget.steps(args.length * texts.length);
      return args.every((_word, index) => texts.some(item => item.includes(text(args, index, run).toLowerCase())));
    },
  },
  contains: {
    languages: ['labels', 'where', 'person', 'review', 'login'],
    takes: [2, 2],
    test: (args, run) => list(args, 0, run).includes(text(args, 1, run)),
  },
  contains_any: {
    languages: ['labels', 'login'],
    takes: [2, 2],
    test: (args, run) => {
      const wanted = new Set(list(args, 1, run));
      return list(args, 0, run).some(item => wanted.has(item));
    },
  },
  contains_all: {
    languages: ['labels', 'login'],
    takes: [2, 2],
    test: (args, run) => {
      const held = new Set(list(args, 0, run));
      return list(args, 1, run).every(item => held.has(item));
    },
  },
  'regexp.match': {
    languages: ['labels', 'login'],
    takes: [2, 2],
    regular: 1,
    test: (args, run) => {
      const expression = text(args, 1, run);
      return list(args, 0, run).some(item => matchesRegular(expression, item, run.budget));
    },
  },
  'regexp.replace': {
    languages: ['labels', 'template', 'login'],
    takes: [3, 3],
    regular: 1,
    values: (args, run) => {
      const [expression, replacement] = [text(args, 1, run), text(args, 2, run)];
      return list(args, 0, run).flatMap(item => replaceRegular(expression, item, replacement, run.budget) ?? []);
    },
  },
  'email.local': {
    languages: ['labels', 'template', 'login'],
    takes: [1, 1],
    values: (args, run) => list(args, 0, run).flatMap(localPart),
  },
  'strings.upper': changeCase(item => item.toUpperCase()),
  'strings.lower': changeCase(item => item.toLowerCase()),
  set: { languages: ['login'], takes: [0, VALUES_MOST_ARGUMENTS], values: allValues },
  union: { languages: ['login'], takes: [1, VALUES_MOST_ARGUMENTS], values: allValues },
  ifelse: {
    languages: ['login'],
    takes: [3, 3],
    claim: 0,
    values: (args, run) => list(args, run.holds(arg(args, 0)) ? 1 : 2, run),
  },
  labels_matching: {
    languages: ['labels'],
    takes: [1, 1],
    pattern: 0,
    values: (args, run) => {
      const pattern = text(args, 0, run);
      const labels = isRecord(run.scope.labels) ? run.scope.labels : {};
      return Object.entries(labels).flatMap(([key, value]) =>
        typeof value === 'string' && fits(pattern, key, run.budget) ? [value] : [],
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

/** Texts are equal when they are the same; lists when they hold the same items. What is not there equals "". Throws TooMuchWork. */
export function same(left: Value, right: Value, budget: Budget): boolean {
  if (typeof left !== 'object' && typeof right !== 'object') return (left ?? '') === (right ?? '');
  const [first, second] = [asList(left), asList(right)];
  budget.steps(first.length + second.length);
  const [held, other] = [new Set(first), new Set(second)];
  return held.size === other.size && [...held].every(item => other.has(item));
}

/** The value of a literal, a field or a function. Throws TooMuchWork. */
export function valueIn(expression: Expression, run: Run): Value {
  run.budget.steps(1);
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'field':
      return fieldOf(expression.path, run);
    case 'call':
      return functions[expression.name]?.values?.(expression.args, run) ?? [];
    default:
      return undefined;
  }
}

function fieldOf(path: readonly string[], { scope, budget }: Run): Value {
  let at: unknown = scope;
  for (const part of path) {
    if (!isRecord(at) || !Object.hasOwn(at, part)) return undefined;
    at = at[part];
  }
  if (Array.isArray(at)) {
    budget.steps(at.length);
    return at.filter(item => typeof item === 'string');
  }
  return typeof at === 'string' ? at : typeof at === 'number' || typeof at === 'boolean' ? String(at) : undefined;
}
