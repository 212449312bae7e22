// The login rules that are there, applied to whoever signs in.
import { Failure } from '../../../contract/failure.ts';
import type { LoginRuleSpec } from '../../../contract/login-rule-document.ts';
import { applyLoginRule, readLoginRule } from '../../../contract/login-rules.ts';
import type { Traits } from '../../ports/rights.ts';
import type { Resource, Resources, UserRecord } from '../../store/store.ts';
import { allOf } from '../lists.ts';

interface Ruled {
  /** Undefined: there are no rules, and the traits stay what they are. */
  readonly traits: Traits | undefined;
  /** Names, in the order in which they were applied. */
  readonly applied: readonly string[];
}
export interface LoginRules {
  /** What the rules make of the traits of a person. A bot's stay what they are. Throws Failure denied that names the rule that failed. */
  apply(user: Pick<UserRecord, 'traits' | 'isBot'>): Promise<Ruled>;
}

type Rule = Pick<Resource, 'name' | 'spec'>;
const priorityOf = ({ spec }: Rule): number => (spec as LoginRuleSpec).priority;

/** From the lowest priority to the highest; of the same, by name. */
export const inOrder = <Some extends Rule>(rules: readonly Some[]): readonly Some[] =>
  rules.toSorted((one, other) => priorityOf(one) - priorityOf(other) || (one.name < other.name ? -1 : 1));

/** What each rule makes of what the one before made. Throws Failure denied that names the one that failed, once those before it were answered. */
export function* stepsOf(
  rules: readonly Rule[],
  own: Traits,
): Iterable<{ readonly rule: string; readonly traits: Traits }> {
  let traits = own;
  for (const { name, spec } of rules) {
    try {
      traits = applyLoginRule(readLoginRule(spec as LoginRuleSpec), traits);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Failure('denied', `login rule "${name}" failed: ${why}; ask an administrator`);
    }
    yield { rule: name, traits };
  }
}

export function createLoginRules({ resources }: { readonly resources: Pick<Resources, 'list'> }): LoginRules {
  return {
    async apply({ traits: own, isBot }) {
      if (isBot) return { traits: undefined, applied: [] };
      const rules = inOrder(await allOf(resources, 'login_rule'));
      if (rules.length === 0) return { traits: undefined, applied: [] };
      const steps = [...stepsOf(rules, own)];
      return { traits: steps.at(-1)?.traits, applied: steps.map(({ rule }) => rule) };
    },
  };
}
