// Decides in JavaScript what SQL cannot say of a role's rule: regular expressions and the functions of label expressions.
import { type Budget, CONDITION_WORK, createBudget } from '../../../contract/budget.ts';
import { selectsLabels } from '../../../contract/pattern.ts';
import { decide, type Expression } from '../../../contract/predicate.ts';
import type { LabelSelector, Traits } from '../../ports.ts';
import { StoreError, TOO_MUCH_WORK } from '../engine.ts';

/** The part of a rule that is asked, as JSON. */
export interface Asked {
  readonly labels?: LabelSelector;
  readonly expression?: Expression;
  readonly traits: Traits;
  /** What counts where it cannot be said whether the rule holds: the answer that gives less. */
  readonly undecided: boolean;
}

/** A query asks the same few rules of every row. */
const RULES_MOST = 64;
/** What the rules of one list may take together, steps: about a second. */
const LIST_MOST_STEPS = 100_000_000;

export interface Rules {
  /** Whether the asked half of a rule selects a resource with these labels (both as JSON). Throws StoreError of TOO_MUCH_WORK: the list is refused, not shortened. */
  selects(rule: string, labels: string): boolean;
  /** Another list begins. */
  restart(): void;
  /** Steps that this list has taken so far. */
  spent(): number;
}

export function createRules(): Rules {
  const known = new Map<string, Asked>();
  let spent = 0;
  const read = (rule: string): Asked => {
    const before = known.get(rule);
    if (before) return before;
    if (known.size >= RULES_MOST) known.clear();
    const parsed = JSON.parse(rule) as Asked;
    known.set(rule, parsed);
    return parsed;
  };
  return {
    selects(rule, labels) {
      const asked = read(rule);
      const budget = createBudget(CONDITION_WORK);
      const answer = selectsBy(asked, JSON.parse(labels) as Readonly<Record<string, string>>, budget);
      spent += budget.spent();
      if (spent > LIST_MOST_STEPS)
        throw new StoreError(
          TOO_MUCH_WORK,
          'the conditions of your roles take too much work on this many resources; search for fewer',
        );
      return answer ?? asked.undecided;
    },
    restart() {
      spent = 0;
    },
    spent: () => spent,
  };
}

/** Label expressions see the labels and the person's traits. Null: undecided. */
function selectsBy(asked: Asked, labels: Readonly<Record<string, string>>, budget: Budget): boolean | null {
  const fit = asked.labels ? selectsLabels(asked.labels, labels, budget) : true;
  if (fit === false || !asked.expression) return fit;
  const holds = decide(asked.expression, { labels, user: { spec: { traits: asked.traits } } }, budget);
  return holds === false ? false : fit === null ? null : holds;
}
