// What a person's roles select as SQL; the parts that SQL cannot say are asked in JavaScript.
import { sql } from 'kysely';
import { isRegular } from '../../../contract/pattern.ts';
import type { Expression } from '../../../contract/predicate.ts';
import { OWN_NAME_LABEL } from '../../ports/own-name.ts';
import type { LabelSelector, Selection, SelectorRule } from '../../ports/rights.ts';
import { always, type Clause, clause, every, never, not, some } from './clause.ts';
import type { SqlDialect } from './dialect.ts';
import type { ResidualRule } from './rules.ts';

/** Any of `allow`, both halves of which must hold; none of `deny`, which fires on either half. */
export function compileSelection({ allow, deny, user, rules }: Selection, dialect: SqlDialect): Clause {
  // What cannot be said of a resource is not allowed, and denied.
  const halves = ({ labels, expression }: SelectorRule, undecided: boolean): readonly Clause[] => [
    ...(labels ? [compileSelector(labels, { user, undecided }, dialect)] : []),
    ...(expression ? [compileExpression(expression, { user, undecided }, dialect)] : []),
  ];
  const allowed = allow.map(rule => {
    const parts = halves(rule, false);
    return parts.length === 0 ? never : every(parts);
  });
  const conditions = (side: readonly Expression[], undecided: boolean): Clause =>
    some(side.map(expression => dialect.residual({ expression, user, undecided })));
  return every([
    some(allowed),
    not(some(deny.flatMap(rule => halves(rule, true)))),
    ...(rules?.allow ? [conditions(rules.allow, false)] : []),
    ...(rules ? [not(conditions(rules.deny, true))] : []),
  ]);
}

/** What goes along with whatever must be asked in JavaScript. */
type Beside = Pick<ResidualRule, 'user' | 'undecided'>;

/** Every key must fit; an empty selector selects nothing. */
function compileSelector(labels: LabelSelector, beside: Beside, dialect: SqlDialect): Clause {
  const keys = Object.entries(labels);
  if (keys.length === 0) return never;
  return every(
    keys.map(([key, values]) => {
      if (key === '*') return values.includes('*') ? always : never;
      // The index of labels does not have it.
      if (key === OWN_NAME_LABEL) return dialect.residual({ labels: { [key]: values }, ...beside });
      const regular = values.filter(isRegular);
      const globs = values.filter(value => !isRegular(value) && value.includes('*'));
      const literals = values.filter(value => !isRegular(value) && !value.includes('*'));
      return some([
        ...(literals.length > 0 ? [dialect.labelIn(key, literals)] : []),
        ...globs.map(glob => dialect.labelFits(key, glob)),
        ...(regular.length > 0 ? [dialect.residual({ labels: { [key]: regular }, ...beside })] : []),
      ]);
    }),
  );
}

/** `labels["k"] == "v"` and what is made of it can use the label index; everything else is asked. */
function compileExpression(expression: Expression, beside: Beside, dialect: SqlDialect): Clause {
  switch (expression.kind) {
    case 'and':
      return every([
        compileExpression(expression.left, beside, dialect),
        compileExpression(expression.right, beside, dialect),
      ]);
    case 'or':
      return some([
        compileExpression(expression.left, beside, dialect),
        compileExpression(expression.right, beside, dialect),
      ]);
    case 'not':
      return not(compileExpression(expression.of, { ...beside, undecided: !beside.undecided }, dialect));
    case 'equal': {
      const [key, value] = [
        labelOf(expression.left) ?? labelOf(expression.right),
        textOf(expression.left) ?? textOf(expression.right),
      ];
      if (key === OWN_NAME_LABEL && value !== undefined) return clause('row', sql`r.name = ${value}`);
      if (key !== undefined && value !== undefined && value !== '') return dialect.labelIn(key, [value]);
      return dialect.residual({ expression, ...beside });
    }
    default:
      return dialect.residual({ expression, ...beside });
  }
}

const labelOf = (part: Expression): string | undefined =>
  part.kind === 'field' && part.path.length === 2 && part.path[0] === 'labels' ? part.path[1] : undefined;
const textOf = (part: Expression): string | undefined => (part.kind === 'literal' ? part.value : undefined);

/** When every selected resource has one of some values under one key: that key and those values, to start from the label index. */
export function labelToStartFrom({
  allow,
}: Selection): { readonly key: string; readonly values: readonly string[] } | null {
  const [rule] = allow;
  if (allow.length !== 1 || !rule?.labels) return null;
  const fixed = Object.entries(rule.labels).find(
    ([key, values]) =>
      key !== '*' && key !== OWN_NAME_LABEL && values.every(value => !isRegular(value) && !value.includes('*')),
  );
  return fixed ? { key: fixed[0], values: fixed[1] } : null;
}
