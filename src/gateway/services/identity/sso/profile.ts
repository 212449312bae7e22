// What a provider says about a person, and what a connector's rules make of it.
import { CONDITION_WORK, createBudget } from '../../../../contract/budget.ts';
import { anyFits } from '../../../../contract/pattern.ts';
import { traitName } from '../../../../contract/users.ts';
import type { Traits } from '../../../ports/rights.ts';

/** Bounds of what is kept of a person. */
const TRAITS_MOST = 100;
const VALUES_MOST = 1000;
const VALUE_MOST_CHARACTERS = 255;

export interface Profile {
  /** Never changes for a person, and never stands for another. */
  readonly subject: string;
  readonly name: string;
  /** Claims, attributes or teams, as lists of texts. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** A rule of any connector: a value of an attribute that gives roles. */
export interface RoleRule {
  readonly attribute: string;
  readonly value: string;
  readonly roles: readonly string[];
}

/** Roles that the rules give, in their order. */
export function rolesOf(rules: readonly RoleRule[], attributes: Profile['attributes']): readonly string[] {
  const given = rules
    .filter(({ attribute, value }) =>
      (Object.hasOwn(attributes, attribute) ? (attributes[attribute] ?? []) : []).some(
        text => anyFits([value], text, createBudget(CONDITION_WORK)) === true,
      ),
    )
    .flatMap(({ roles }) => roles);
  return [...new Set(given)];
}

/** The attributes as traits: roles speak of them as `{{external.NAME}}`. */
export const traitsOf = (attributes: Profile['attributes']): Traits =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([name, values]) => traitName.safeParse(name).success && values.length > 0)
      .slice(0, TRAITS_MOST)
      .map(([name, values]) => [
        name,
        values.filter(value => value.length <= VALUE_MOST_CHARACTERS).slice(0, VALUES_MOST),
      ]),
  );

/** Texts, numbers and truths of a JSON object; what is nested says nothing to a rule. */
export function attributesOf(claims: Readonly<Record<string, unknown>>): Profile['attributes'] {
  const plain = (value: unknown): readonly string[] =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [name, Array.isArray(value) ? value.flatMap(plain) : plain(value)]),
  );
}
