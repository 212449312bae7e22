// Decides in JavaScript what SQL cannot say of a role's rule: regular expressions and the functions of label expressions.

import { selectsLabels } from '../../../contract/pattern.ts';
import { type Expression, evaluate } from '../../../contract/predicate.ts';
import type { LabelSelector, Traits } from '../../ports.ts';

/** The part of a rule that is asked, as JSON. */
export interface Asked {
  readonly labels?: LabelSelector;
  readonly expression?: Expression;
  readonly traits: Traits;
}

/** A query asks the same few rules of every row. */
const RULES_MOST = 64;

/** Answers whether the asked half of a rule selects a resource with these labels (both as JSON). */
export function createRules(): (rule: string, labels: string) => boolean {
  const known = new Map<string, Asked>();
  const read = (rule: string): Asked => {
    const before = known.get(rule);
    if (before) return before;
    if (known.size >= RULES_MOST) known.clear();
    const parsed = JSON.parse(rule) as Asked;
    known.set(rule, parsed);
    return parsed;
  };
  return (rule, labels) => selectsBy(read(rule), JSON.parse(labels) as Readonly<Record<string, string>>);
}

/** Label expressions see the labels and the person's traits (contract/roles.md 3.3). */
export function selectsBy(asked: Asked, labels: Readonly<Record<string, string>>): boolean {
  if (asked.labels && !selectsLabels(asked.labels, labels)) return false;
  return !asked.expression || evaluate(asked.expression, { labels, user: { spec: { traits: asked.traits } } });
}
