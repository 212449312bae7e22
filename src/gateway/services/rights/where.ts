// A rule's `where`, answered in three ways: holds, does not, or cannot be said without knowing the resource.
import { type Expression, evaluate, type Scope } from '../../../contract/predicate.ts';

/** `known` says whether a field has been given; an expression over one that has not is undecided (null), unless it does not matter. */
export function decide(
  expression: Expression,
  scope: Scope,
  known: (path: readonly string[]) => boolean,
): boolean | null {
  switch (expression.kind) {
    case 'not': {
      const of = decide(expression.of, scope, known);
      return of === null ? null : !of;
    }
    case 'and':
    case 'or': {
      const ends = expression.kind === 'or';
      const left = decide(expression.left, scope, known);
      if (left === ends) return ends;
      const right = decide(expression.right, scope, known);
      return right === ends ? ends : left === null || right === null ? null : !ends;
    }
    default:
      return fieldsOf(expression).every(known) ? evaluate(expression, scope) : null;
  }
}

function fieldsOf(expression: Expression): readonly (readonly string[])[] {
  switch (expression.kind) {
    case 'field':
      return [expression.path];
    case 'call':
      return expression.args.flatMap(fieldsOf);
    case 'equal':
    case 'unequal':
      return [...fieldsOf(expression.left), ...fieldsOf(expression.right)];
    default:
      return [];
  }
}
