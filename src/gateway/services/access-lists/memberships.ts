// What somebody's places in access lists come to at a moment: of which lists they are a member, of which an owner, and why a place counts for
// nothing. Pure: the same for rights, for pages and for tests with a moved clock.
import type { RolesAndTraits } from '../../../contract/access-list-documents.ts';
import { NESTED_MOST } from '../../../contract/access-lists.ts';
import type { Traits } from '../../ports/rights.ts';
import type { AccessListPlace } from '../../store/store.ts';
import type { StoredList } from './stored.ts';

/** Of somebody, what places and requirements are about: what is theirs by itself, not what lists give them. */
export interface Person {
  readonly name: string;
  readonly created: Date;
  readonly roles: readonly string[];
  readonly traits: Traits;
}
export interface Memberships {
  /** Names of lists, directly or through others. */
  readonly member: ReadonlySet<string>;
  readonly owner: ReadonlySet<string>;
}
type Lists = ReadonlyMap<string, StoredList>;

/** Why somebody does not meet what a list asks; null: they do. */
export function lacking({ roles, traits }: RolesAndTraits, person: Person): string | null {
  const role = roles.find(one => !person.roles.includes(one));
  if (role !== undefined) return `lacks role "${role}"`;
  for (const [name, values] of Object.entries(traits)) {
    const held = Object.hasOwn(person.traits, name) ? (person.traits[name] ?? []) : [];
    const value = values.find(one => !held.includes(one));
    if (value !== undefined) return `lacks trait ${name}: ${value}`;
  }
  return null;
}

/** Why a place counts for nothing, whoever asks: null where it counts. `holder`: since when whoever has it is there; null: there is none. */
export function placeProblem(
  place: AccessListPlace,
  list: Pick<StoredList, 'created'>,
  holder: Date | null,
  now: Date,
): string | null {
  if (holder === null) return place.kind === 'user' ? 'there is no such user' : 'there is no such access list';
  if (place.expires !== null && place.expires <= now) return 'the membership has ended';
  // The name was somebody else's then.
  if (holder > place.added || list.created > place.added) return 'another one had this name when it was added';
  return null;
}

/** Whether the list itself says that this place is there: its owners stand in it. */
const isSaid = (place: AccessListPlace, { owners }: StoredList): boolean =>
  place.relation === 'member' || owners.some(({ kind, name }) => kind === place.kind && name === place.name);

/** `places` are at least those of the person, and of every list that they could be a member of. */
export function membershipsOf(
  person: Person,
  places: readonly AccessListPlace[],
  lists: Lists,
  now: Date,
): Memberships {
  const member = new Set<string>();
  const owner = new Set<string>();
  const counts = (place: AccessListPlace): boolean => {
    const list = lists.get(place.list);
    if (!list || !isSaid(place, list)) return false;
    const holder = place.kind === 'user' ? person.created : (lists.get(place.name)?.created ?? null);
    const requires = place.relation === 'member' ? list.membershipRequires : list.ownershipRequires;
    return placeProblem(place, list, holder, now) === null && lacking(requires, person) === null;
  };
  const held = (place: AccessListPlace): boolean =>
    place.kind === 'user' ? place.name === person.name : member.has(place.name);
  const memberships = places.filter(({ relation }) => relation === 'member');
  for (let depth = 0; depth <= NESTED_MOST; depth += 1) {
    const more = memberships.filter(place => !member.has(place.list) && held(place) && counts(place));
    if (more.length === 0) break;
    for (const { list } of more) member.add(list);
  }
  for (const place of places) if (place.relation === 'owner' && held(place) && counts(place)) owner.add(place.list);
  return { member, owner };
}

/** What lists give somebody beside what is theirs: nothing is given twice. */
export function givenBy(person: Person, member: ReadonlySet<string>, lists: Lists): Pick<Person, 'roles' | 'traits'> {
  const roles = new Set(person.roles);
  const traits = new Map(Object.entries(person.traits).map(([name, values]) => [name, new Set(values)]));
  for (const name of member) {
    const { grants } = lists.get(name) ?? {};
    for (const role of grants?.roles ?? []) roles.add(role);
    for (const [trait, values] of Object.entries(grants?.traits ?? {}))
      traits.set(trait, new Set([...(traits.get(trait) ?? []), ...values]));
  }
  return { roles: [...roles], traits: Object.fromEntries([...traits].map(([name, values]) => [name, [...values]])) };
}

/** A place that a list has, or would have, in another. */
type Nesting = Pick<AccessListPlace, 'list' | 'name'>;

/** Why lists may not stand in each other so; null: they may. */
export function nestingProblem(nestings: readonly Nesting[], added: Nesting): string | null {
  const upward = (name: string): readonly string[] =>
    nestings.flatMap(nesting => (nesting.name === name ? [nesting.list] : []));
  const downward = (name: string): readonly string[] =>
    nestings.flatMap(nesting => (nesting.list === name ? [nesting.name] : []));
  /** How many lists lie beyond, at most; more than are allowed where they lie in a circle. */
  const reach = (from: string, next: (name: string) => readonly string[]): { names: Set<string>; depth: number } => {
    const names = new Set<string>();
    let at: readonly string[] = [from];
    let depth = 0;
    while (at.length > 0 && depth <= NESTED_MOST) {
      at = [...new Set(at.flatMap(next))];
      for (const name of at) names.add(name);
      if (at.length > 0) depth += 1;
    }
    return { names, depth };
  };
  const above = reach(added.list, upward);
  if (added.list === added.name || above.names.has(added.name))
    return `"${added.name}" cannot stand in "${added.list}": that would be a circle`;
  if (above.depth + reach(added.name, downward).depth + 1 > NESTED_MOST)
    return `lists stand in lists at most ${NESTED_MOST} deep`;
  return null;
}
