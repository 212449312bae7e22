// The login rules that are there, applied to whoever signs in.
import { Failure } from '../../../contract/failure.ts';
import { applyLoginRule, type LoginRuleSpec, readLoginRule } from '../../../contract/login-rules.ts';
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

const priorityOf = ({ spec }: Resource): number => (spec as LoginRuleSpec).priority;

/** From the lowest priority to the highest; of the same, by name. */
export const inOrder = (rules: readonly Resource[]): readonly Resource[] =>
  rules.toSorted((one, other) => priorityOf(one) - priorityOf(other) || (one.name < other.name ? -1 : 1));

export function createLoginRules({ resources }: { readonly resources: Pick<Resources, 'list'> }): LoginRules {
  return {
    async apply({ traits: own, isBot }) {
      if (isBot) return { traits: undefined, applied: [] };
      const rules = inOrder(await allOf(resources, 'login_rule'));
      if (rules.length === 0) return { traits: undefined, applied: [] };
      let traits = own;
      for (const rule of rules)
        try {
          traits = applyLoginRule(readLoginRule(rule.spec as LoginRuleSpec), traits);
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          throw new Failure('denied', `login rule "${rule.name}" failed: ${why}; ask an administrator`);
        }
      return { traits, applied: rules.map(({ name }) => name) };
    },
  };
}
