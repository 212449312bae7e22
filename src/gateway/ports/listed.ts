// People with what access lists give them.
import type { RightsUser, Traits } from './rights.ts';

/** Somebody of this cluster: what a list asks of them is held against what is theirs by itself. */
export type Listable = RightsUser & { readonly created: Date; readonly signInTraits?: Traits };
/** Somebody with the traits that count: what login rules made of their own. */
export const asSignedIn = <User extends { readonly traits: Traits; readonly signInTraits?: Traits }>(
  user: User,
): User => (user.signInTraits ? { ...user, traits: user.signInTraits } : user);
/** Roles that somebody has by access lists alone, each with the title of a list that gives it. */
export type ListRoles = ReadonlyMap<string, string>;
export interface ListedPeople {
  /** The same person with the roles and traits that lists give them now. */
  person<User extends Listable>(user: User): Promise<User & { readonly byLists: ListRoles }>;
  /** Many at once. */
  people<User extends Listable>(users: readonly User[]): Promise<readonly (User & { readonly byLists: ListRoles })[]>;
}
