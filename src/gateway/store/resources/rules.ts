// Decides in JavaScript what SQL cannot say of a role's rule: regular expressions and the functions of label expressions.
import { type Budget, CONDITION_WORK, createBudget } from '../../../contract/budget.ts';
import { selectsLabels } from '../../../contract/pattern.ts';
import { decide, type Expression } from '../../../contract/predicate.ts';
import { withOwnName } from '../../ports/own-name.ts';
import type { LabelSelector, RightsUser } from '../../ports/rights.ts';
import { StoreError, TOO_MUCH_WORK } from '../engine.ts';

/** The part of a rule that SQL cannot say, which JavaScript decides. It goes to the engine as JSON. */
export interface ResidualRule {
  readonly labels?: LabelSelector;
  readonly expression?: Expression;
  readonly user: RightsUser;
  /** What counts where it cannot be said whether the rule holds: the answer that gives less. */
  readonly undecided: boolean;
}

/** A query asks the same few rules of every row. */
const RULES_MOST = 64;
/** What the rules of one list may take together, steps: about a second. */
const LIST_MOST_STEPS = 100_000_000;

export interface Rules {
  /** Whether the residual half of a rule selects a resource of this name with these labels (rule and labels as JSON). Throws StoreError of TOO_MUCH_WORK: the list is refused, not shortened. */
  selects(rule: string, name: string, labels: string): boolean;
  /** Another list begins. */
  restart(): void;
  /** Steps that this list has taken so far. */
  spent(): number;
}

export function createRules(): Rules {
  const known = new Map<string, ResidualRule>();
  let spent = 0;
  const read = (rule: string): ResidualRule => {
    const before = known.get(rule);
    if (before) return before;
    if (known.size >= RULES_MOST) known.clear();
    const parsed = JSON.parse(rule) as ResidualRule;
    known.set(rule, parsed);
    return parsed;
  };
  return {
    selects(rule, name, labels) {
      const residual = read(rule);
      const budget = createBudget(CONDITION_WORK);
      const answer = selectsBy(residual, { name, labels: withOwnName(JSON.parse(labels) as Labels, name) }, budget);
      spent += budget.spent();
      if (spent > LIST_MOST_STEPS)
        throw new StoreError(
          TOO_MUCH_WORK,
          'the conditions of your roles take too much work on this many resources; search for fewer',
        );
      return answer ?? residual.undecided;
    },
    restart() {
      spent = 0;
    },
    spent: () => spent,
  };
}

type Labels = Readonly<Record<string, string>>;

/** Null: undecided. */
function selectsBy(residual: ResidualRule, metadata: { name: string; labels: Labels }, budget: Budget): boolean | null {
  const { labels } = metadata;
  const fit = residual.labels ? selectsLabels(residual.labels, labels, budget) : true;
  if (fit === false || !residual.expression) return fit;
  const { name, roles, traits } = residual.user;
  // Label expressions see the labels and the person's traits, conditions of rules the whole of both.
  const scope = { labels, resource: { metadata }, user: { metadata: { name }, spec: { roles, traits } } };
  const holds = decide(
    residual.expression,
    scope,
    budget,
    ([root]) => root !== undefined && Object.hasOwn(scope, root),
  );
  return holds === false ? false : fit === null ? null : holds;
}
