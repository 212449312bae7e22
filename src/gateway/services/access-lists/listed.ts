// People with what access lists give them, as the store says it now: asked at every call and again and again of what runs, so that nothing
// outlives its end.
import { asSignedIn, type Listable, type ListedPeople, type ListRoles } from '../../ports/listed.ts';
import type { AccessListPlace, AccessLists, Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { givenBy, type Memberships, membershipsOf, type Person } from './memberships.ts';
import { readList, type StoredList } from './stored.ts';

export interface ListedParts {
  readonly resources: Pick<Resources, 'named' | 'list'>;
  readonly lists: Pick<AccessLists, 'above' | 'places'>;
  readonly clock?: () => Date;
}
/** Somebody's places, with the lists that they are about. */
export interface Listing extends Memberships {
  readonly lists: ReadonlyMap<string, StoredList>;
  readonly places: readonly AccessListPlace[];
}
export interface Listed extends ListedPeople {
  listing(user: Listable): Promise<Listing>;
}

/** A role that is granted by several lists is told of by the first of them. */
function rolesByLists(person: Person, { member, lists }: Pick<Listing, 'member' | 'lists'>): ListRoles {
  const roles = new Map<string, string>();
  for (const name of [...member].sort()) {
    const { title = name, grants } = lists.get(name) ?? {};
    for (const role of grants?.roles ?? [])
      if (!person.roles.includes(role) && !roles.has(role)) roles.set(role, title);
  }
  return roles;
}

export function createListed({ resources, lists: kept, clock = () => new Date() }: ListedParts): Listed {
  const byName = (lists: readonly StoredList[]): ReadonlyMap<string, StoredList> =>
    new Map(lists.map(list => [list.name, list]));
  async function listing(own: Listable): Promise<Listing> {
    const user = asSignedIn(own);
    const places = await kept.above(user.name);
    if (places.length === 0) return { member: new Set(), owner: new Set(), lists: new Map(), places };
    const names = places.flatMap(({ list, kind, name }) => (kind === 'list' ? [list, name] : [list]));
    const rows = await resources.named('access_list', [...new Set(names)]);
    const lists = byName(rows.flatMap(row => readList(row) ?? []));
    return { ...membershipsOf(user, places, lists, clock()), lists, places };
  }
  const given = <User extends Listable>(user: User, found: Pick<Listing, 'member' | 'owner' | 'lists'>) => ({
    ...user,
    ...(found.member.size > 0 && givenBy(user, found.member, found.lists)),
    ...(found.member.size + found.owner.size > 0 && { inLists: true }),
    byLists: rolesByLists(user, found),
  });
  return {
    listing,
    person: async user => given(asSignedIn(user), await listing(user)),
    async people(own) {
      const users = own.map(asSignedIn);
      const places = await kept.places(null);
      if (places.length === 0) return users.map(user => ({ ...user, byLists: new Map() }));
      const lists = byName((await allOf(resources, 'access_list')).flatMap(row => readList(row) ?? []));
      const ofLists = places.filter(({ kind }) => kind === 'list');
      const ofPeople = Map.groupBy(
        places.filter(({ kind }) => kind === 'user'),
        ({ name }) => name,
      );
      const now = clock();
      return users.map(user => {
        const own = ofPeople.get(user.name);
        if (!own) return { ...user, byLists: new Map() };
        return given(user, { ...membershipsOf(user, [...own, ...ofLists], lists, now), lists });
      });
    },
  };
}
