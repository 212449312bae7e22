// One side of a role with a person's traits filled in. It is filled as a whole and once, under one bound, so that what a role gives
// does not depend on what is asked of it first.
import { createBudget, FILLING_WORK, TooMuchWork } from '../../../contract/budget.ts';
import type { LabelledKind, PrincipalKey, SelectorRule, Traits } from '../../ports/rights.ts';
import { type Conditions, labelledKinds, principalKeys, type RoleGuard } from './role.ts';
import { fillTemplate, type Template } from './template.ts';

export interface Filled {
  readonly principals: Readonly<Record<PrincipalKey | 'logins', readonly string[]>>;
  readonly selectors: Readonly<Partial<Record<LabelledKind, SelectorRule>>>;
}

/** Sides in which no trait stands: filled once, they are the same for everybody. Undefined in it: traits do stand there. */
const plain = new WeakMap<Conditions, { readonly filled: Filled | null } | undefined>();
const isPlain = ({ principals, selectors }: Conditions): boolean => {
  const has = (templates: readonly Template[]): boolean => templates.some(({ inside }) => inside !== null);
  return (
    !Object.values(principals).some(has) &&
    !Object.values(selectors).some(selector => Object.values(selector.labels ?? {}).some(has))
  );
};

/** Null when filling takes more work than a role may: such a side allows nothing, and denies everything. */
export function fillConditions(conditions: Conditions, traits: Traits): Filled | null {
  if (!plain.has(conditions)) plain.set(conditions, isPlain(conditions) ? { filled: fill(conditions, {}) } : undefined);
  const known = plain.get(conditions);
  return known ? known.filled : fill(conditions, traits);
}

function fill(conditions: Conditions, traits: Traits): Filled | null {
  const budget = createBudget(FILLING_WORK);
  const values = (templates: readonly Template[]) => templates.flatMap(one => fillTemplate(one, traits, budget));
  const selectors: Partial<Record<LabelledKind, SelectorRule>> = {};
  try {
    for (const kind of labelledKinds) {
      const selector = conditions.selectors[kind];
      if (!selector) continue;
      const labels = selector.labels && mapValues(selector.labels, values);
      selectors[kind] = { labels, expression: selector.expression };
    }
    const principals = principalKeys.map(key => [key, values(conditions.principals[key])] as const);
    return { selectors, principals: Object.fromEntries(principals) as unknown as Filled['principals'] };
  } catch (error) {
    if (error instanceof TooMuchWork) return null;
    throw error;
  }
}

/** The labels of a guard. Null: of every database, also where filling takes more work than it may. */
export function fillGuard({ labels }: RoleGuard, traits: Traits): SelectorRule['labels'] {
  if (labels === null) return null;
  const budget = createBudget(FILLING_WORK);
  try {
    return mapValues(labels, values => values.flatMap(one => fillTemplate(one, traits, budget)));
  } catch (error) {
    if (error instanceof TooMuchWork) return null;
    throw error;
  }
}

const mapValues = <From, To>(map: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, to(value)]));
