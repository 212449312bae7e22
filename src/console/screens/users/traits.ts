// A user's traits as the dialog shows them: the values that role templates such as `{{internal.logins}}` are filled with.
import * as z from 'zod/mini';
import { INVALID_ROLE_ARN, roleArn } from '../../../contract/integrations.ts';
import { traitNames, type User } from '../../../contract/users.ts';

type Trait = keyof typeof traitNames;
export type TraitValues = Readonly<Record<Trait, readonly string[]>>;

/** What is asked for, the logins of servers first: without one nobody opens a shell. */
export const traitFields: readonly { readonly trait: Trait; readonly label: string; readonly tip: string }[] = [
  { trait: 'logins', label: 'Server logins', tip: 'Accounts on servers, such as root; roles say on which servers' },
  { trait: 'databaseUsers', label: 'Database users', tip: 'Accounts of databases' },
  { trait: 'databaseNames', label: 'Database names', tip: 'Databases within a database server' },
  { trait: 'kubeUsers', label: 'Kubernetes users', tip: 'Users to act as in Kubernetes clusters' },
  { trait: 'kubeGroups', label: 'Kubernetes groups', tip: 'Groups to act as in Kubernetes clusters' },
  { trait: 'windowsLogins', label: 'Windows logins', tip: 'Accounts on Windows desktops' },
  { trait: 'awsRoleArns', label: 'AWS roles', tip: 'ARNs of roles to take in AWS' },
];

/** Lists of users name traits as role templates do; only a single user's answer has the other names too. */
const valuesOf = (user: User, trait: Trait): readonly string[] => user.allTraits[traitNames[trait]] ?? [];

/** What is wrong with values that were added; values from before stay as they are. */
export function faultOf(trait: Trait, before: readonly string[], after: readonly string[]): string | undefined {
  const added = after.filter(value => !before.includes(value));
  return trait === 'awsRoleArns' && !added.every(value => z.safeParse(roleArn, value).success)
    ? INVALID_ROLE_ARN
    : undefined;
}

/** The traits of a user, those without values too. */
export const traitsOf = (user: User | null): TraitValues =>
  Object.fromEntries(
    traitFields.map(({ trait }) => [trait, user === null ? [] : valuesOf(user, trait)]),
  ) as unknown as TraitValues;

/** Values that anybody has, each once, in the order of the alphabet. */
export const knownTraits = (people: readonly User[], trait: Trait): readonly string[] =>
  [...new Set(people.flatMap(user => valuesOf(user, trait)))].toSorted((one, other) => one.localeCompare(other, 'en'));

/** Whether two lists name the same, in any order. */
export const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every(value => other.includes(value));

/** The traits whose values are others than before: what is left out stays as it is at the gateway. */
export function changedTraits(before: TraitValues, after: TraitValues): Readonly<Partial<Record<Trait, string[]>>> {
  return Object.fromEntries(
    traitFields
      .filter(({ trait }) => !isSame(before[trait], after[trait]))
      .map(({ trait }) => [trait, [...after[trait]]]),
  );
}
