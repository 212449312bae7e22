// The languages of list filters, of label expressions, of a rule's `where`, of who counts in a session and of what is said of access requests: what their names mean, and whether one holds.
import { type Budget, TooMuchWork } from './budget.ts';
import { checkPattern } from './pattern.ts';
import { type Fn, functions, type Language, type Run, type Scope, same, valueIn } from './predicate-functions.ts';
import { type Expression, fieldsOf, PredicateError, printPredicate, readExpression } from './predicate-syntax.ts';
import { checkRegular, PatternError } from './regular.ts';

export { type Expression, PredicateError, printPredicate, type Scope };

/**
 * Whether the expression holds. Null: that cannot be said, because it depends on a field that is not `known` or takes more than the budget.
 * Never throws for an expression that parsePredicate answered.
 */
export function decide(
  expression: Expression,
  scope: Scope,
  budget: Budget,
  known?: (path: readonly string[]) => boolean,
): boolean | null {
  switch (expression.kind) {
    case 'not': {
      const of = decide(expression.of, scope, budget, known);
      return of === null ? null : !of;
    }
    case 'and':
    case 'or': {
      const ends = expression.kind === 'or';
      const left = decide(expression.left, scope, budget, known);
      if (left === ends) return ends;
      const right = decide(expression.right, scope, budget, known);
      return right === ends ? ends : left === null || right === null ? null : !ends;
    }
    default:
      if (known && !fieldsOf(expression).every(known)) return null;
      try {
        return holds(expression, runOf(scope, budget));
      } catch (error) {
        if (error instanceof TooMuchWork) return null;
        throw error;
      }
  }
}

const runOf = (scope: Scope, budget: Budget): Run => ({
  scope,
  budget,
  holds(claim) {
    const held = decide(claim, scope, budget);
    if (held === null) throw new TooMuchWork();
    return held;
  },
});

function holds(expression: Expression, run: Run): boolean {
  run.budget.steps(1);
  switch (expression.kind) {
    case 'equal':
    case 'unequal':
      return (
        same(valueIn(expression.left, run), valueIn(expression.right, run), run.budget) ===
        (expression.kind === 'equal')
      );
    case 'call':
      return functions[expression.name]?.test?.(expression.args, run) ?? false;
    default:
      return false;
  }
}

/** The values a template such as `email.local(external.email)` stands for. Throws TooMuchWork. */
export function valuesOf(expression: Expression, scope: Scope, budget: Budget): readonly string[] {
  const value = valueIn(expression, runOf(scope, budget));
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
  person: ['user.spec.roles', 'user.name'],
  review: [
    'reviewer.roles',
    'reviewer.traits.*',
    'request.roles',
    'request.reason',
    'request.system_annotations.*',
    'review.reason',
  ],
  template: ['internal.*', 'external.*'],
  login: ['internal.*', 'external.*'],
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
export function parsePredicate(source: string, language?: Exclude<Language, 'template' | 'login'>): Expression {
  const { expression, positions } = readExpression(source);
  check(expression, 'claim', { language, positions });
  return expression;
}

/** Reads the inside of a template, or a value of a login rule: a field or a function that yields values. Throws PredicateError. */
export function parseTemplate(source: string, language: 'template' | 'login' = 'template'): Expression {
  const { expression, positions } = readExpression(source);
  check(expression, 'value', { language, positions });
  return expression;
}

/** Checks a part of an expression of a login rule that was read already. Throws PredicateError. */
export const checkLoginPart = (
  part: Expression,
  wanted: 'claim' | 'value',
  positions: ReadonlyMap<Expression, number>,
): void => check(part, wanted, { language: 'login', positions });

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
    check(argument, index === fn.claim ? 'claim' : 'value', place);
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
