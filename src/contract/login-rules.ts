// Login rules: what the traits of a sign-in become. Each rule is given what the one before it made.
import { type Budget, CONDITION_WORK, createBudget, TooMuchWork, type Work } from './budget.ts';
import { type LoginRuleSpec, TRAITS_MOST } from './login-rule-document.ts';
import { checkLoginPart, decide, type Expression, PredicateError, parseTemplate, valuesOf } from './predicate.ts';
import { readExpression } from './predicate-syntax.ts';
import { traitName } from './users.ts';

/** Bounds of a sign-in's traits, as of those that a provider gives. */
const VALUES_MOST = 1000;
const VALUE_MOST_CHARACTERS = 255;
/** What one rule may take for one sign-in. */
const RULE_WORK: Work = { steps: CONDITION_WORK.steps * 10, characters: 1_000_000 };

type Traits = Readonly<Record<string, readonly string[]>>;

/** What stands for a whole set of traits. */
type TraitsExpression =
  | { readonly kind: 'given' }
  | { readonly kind: 'dict'; readonly pairs: readonly (readonly [string, readonly Expression[]])[] }
  | { readonly kind: 'union'; readonly of: readonly TraitsExpression[] }
  | { readonly kind: 'put'; readonly name: string; readonly values: Expression; readonly adds: boolean }
  | { readonly kind: 'remove'; readonly names: readonly string[] }
  | {
      readonly kind: 'choice';
      readonly when: Expression;
      readonly held: TraitsExpression;
      readonly otherwise: TraitsExpression;
    };

/** A rule that was read. */
export type LoginRule = TraitsExpression;

/** What in a rule cannot be read, and where it stands below `spec`. */
export class LoginRuleError extends Error {
  override readonly name = 'LoginRuleError';
  readonly path: readonly (string | number)[];
  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path;
  }
}

const at = <Read>(path: readonly (string | number)[], read: () => Read): Read => {
  try {
    return read();
  } catch (error) {
    if (error instanceof PredicateError) throw new LoginRuleError(path, error.message);
    throw error;
  }
};

/** Reads a rule whose document passed its schema. Throws LoginRuleError. */
export function readLoginRule({ traits_map: map, traits_expression: all }: LoginRuleSpec): LoginRule {
  if (all !== undefined) return at(['traits_expression'], () => readTraits(all));
  const pairs = Object.entries(map ?? {}).map(
    ([name, texts]) =>
      [name, texts.map((text, index) => at(['traits_map', name, index], () => parseTemplate(text, 'login')))] as const,
  );
  return { kind: 'dict', pairs };
}

const KNOWN =
  'external, dict(pair("trait", …), …), union(…), ifelse(…), external.put(…), external.add(…), external.remove(…)';

function readTraits(source: string): TraitsExpression {
  const { expression: whole, positions } = readExpression(source);
  const fault = (part: Expression, what: string) => new PredicateError(what, positions.get(part) ?? 0);
  const named = (part: Expression | undefined, within: Expression): string => {
    if (part?.kind !== 'literal' || !traitName.safeParse(part.value).success)
      throw fault(part ?? within, 'the name of a trait expected, in quotes');
    return part.value;
  };
  const value = (part: Expression): Expression => {
    checkLoginPart(part, 'value', positions);
    return part;
  };
  const pair = (part: Expression): readonly [string, readonly Expression[]] => {
    if (part.kind !== 'call' || part.name !== 'pair' || part.args.length < 1)
      throw fault(part, 'pair("trait", values) expected');
    const [name, ...values] = part.args;
    return [named(name, part), values.map(value)];
  };
  const takes = (part: Expression & { kind: 'call' }, count: number): readonly Expression[] => {
    if (part.args.length === count) return part.args;
    throw fault(part, `${part.name}() takes ${count} arguments, ${part.args.length} given`);
  };
  const read = (part: Expression): TraitsExpression => {
    if (part.kind === 'field' && ['external', 'internal'].includes(part.path.join('.'))) return { kind: 'given' };
    if (part.kind === 'call')
      switch (part.name.replace(/^internal\./, 'external.')) {
        case 'dict':
          return { kind: 'dict', pairs: part.args.map(pair) };
        case 'union':
          return { kind: 'union', of: part.args.map(read) };
        case 'ifelse': {
          const [when, then, otherwise] = takes(part, 3) as [Expression, Expression, Expression];
          checkLoginPart(when, 'claim', positions);
          return { kind: 'choice', when, held: read(then), otherwise: read(otherwise) };
        }
        case 'external.put':
        case 'external.add': {
          const [name, values] = takes(part, 2) as [Expression, Expression];
          return { kind: 'put', name: named(name, part), values: value(values), adds: part.name.endsWith('.add') };
        }
        case 'external.remove':
          return { kind: 'remove', names: part.args.map(one => named(one, part)) };
      }
    throw fault(part, `what stands for all traits expected; known here: ${KNOWN}`);
  };
  return read(whole);
}

/**
 * The traits that a rule makes of those given: `external` and `internal` both stand for these. Throws Error with a sentence for what takes
 * too much work, or makes more than a session may have.
 */
export function applyLoginRule(rule: LoginRule, given: Traits): Traits {
  const budget = createBudget(RULE_WORK);
  try {
    return bounded(evaluate(rule, given, budget));
  } catch (error) {
    if (error instanceof TooMuchWork) throw new Error('it takes more work than a login rule may');
    throw error;
  }
}

function evaluate(rule: TraitsExpression, given: Traits, budget: Budget): Traits {
  const scope = { external: given, internal: given };
  const valued = (values: Expression): readonly string[] => valuesOf(values, scope, budget);
  budget.steps(Object.keys(given).length + 1);
  switch (rule.kind) {
    case 'given':
      return given;
    case 'dict':
      return joined(
        rule.pairs.map(([name, values]) => ({ [name]: values.flatMap(valued) })),
        budget,
      );
    case 'union':
      return joined(
        rule.of.map(one => evaluate(one, given, budget)),
        budget,
      );
    case 'put': {
      const added = { [rule.name]: valued(rule.values) };
      return rule.adds ? joined([given, added], budget) : { ...given, ...added };
    }
    case 'remove':
      return Object.fromEntries(Object.entries(given).filter(([name]) => !rule.names.includes(name)));
    case 'choice': {
      const holds = decide(rule.when, scope, budget);
      if (holds === null) throw new TooMuchWork();
      return evaluate(holds ? rule.held : rule.otherwise, given, budget);
    }
    default:
      return rule satisfies never;
  }
}

function joined(parts: readonly Traits[], budget: Budget): Traits {
  const all = new Map<string, Set<string>>();
  for (const [name, values] of parts.flatMap(part => Object.entries(part))) {
    budget.steps(values.length + 1);
    const held = all.get(name) ?? new Set();
    for (const value of values) held.add(value);
    all.set(name, held);
  }
  return Object.fromEntries([...all].map(([name, values]) => [name, [...values]]));
}

/** Without what is empty. Throws Error for more than a session may have: what was cut might be what denies. */
function bounded(traits: Traits): Traits {
  const kept = Object.entries(traits)
    .map(([name, values]) => [name, [...new Set(values)].filter(value => value !== '')] as const)
    .filter(([, values]) => values.length > 0);
  if (kept.length > TRAITS_MOST) throw new Error(`it makes more than ${TRAITS_MOST} traits`);
  for (const [name, values] of kept) {
    if (values.length > VALUES_MOST) throw new Error(`it gives trait ${name} more than ${VALUES_MOST} values`);
    if (values.some(value => value.length > VALUE_MOST_CHARACTERS))
      throw new Error(`it gives trait ${name} a value of more than ${VALUE_MOST_CHARACTERS} characters`);
  }
  return Object.fromEntries(kept);
}
