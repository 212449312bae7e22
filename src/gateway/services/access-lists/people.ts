// Who or what stands in lists: what they are called, and why they count for nothing.

import { asSignedIn } from '../../ports/listed.ts';
import type { AccessListPlace, Resources, UserRecord, Users } from '../../store/store.ts';
import { lacking, placeProblem } from './memberships.ts';
import { readList, type StoredList } from './stored.ts';

export interface People {
  /** What people call it: a user by name, a list by title. */
  titleOf(place: Pick<AccessListPlace, 'kind' | 'name'>): string;
  /** Why a place in this list counts for nothing; empty: it counts. What members of an inner list lack is not asked here. */
  problem(place: AccessListPlace | undefined, list: StoredList): string;
}

/** Reads who these places are of. */
export async function createPeople(
  {
    resources,
    users,
    clock,
  }: {
    readonly resources: Pick<Resources, 'named'>;
    readonly users: Pick<Users, 'named' | 'known'>;
    readonly clock: () => Date;
  },
  places: readonly AccessListPlace[],
): Promise<People> {
  const names = (kind: AccessListPlace['kind']) => [
    ...new Set(places.flatMap(place => (place.kind === kind ? [place.name] : []))),
  ];
  const here = await users.named(names('user'));
  const found = new Set(here.map(({ name }) => name));
  // Those who came by a connector and are not there now keep their places.
  const away = await Promise.all(
    names('user')
      .filter(name => !found.has(name))
      .map(name => users.known(name)),
  );
  const byName = new Map(
    [...here, ...away.filter((one): one is UserRecord => one !== null)].map(one => [one.name, one]),
  );
  const rows = await resources.named('access_list', names('list'));
  const lists = new Map(rows.flatMap(row => readList(row) ?? []).map(list => [list.name, list]));
  const now = clock();
  return {
    titleOf: ({ kind, name }) => (kind === 'list' ? (lists.get(name)?.title ?? name) : name),
    problem(place, list) {
      if (!place) return 'it is not kept yet: save the list anew';
      const user = place.kind === 'user' ? byName.get(place.name) : undefined;
      const holder = place.kind === 'user' ? user?.created : lists.get(place.name)?.created;
      const problem = placeProblem(place, list, holder ?? null, now);
      if (problem !== null || !user) return problem ?? '';
      return (
        lacking(place.relation === 'member' ? list.membershipRequires : list.ownershipRequires, asSignedIn(user)) ?? ''
      );
    },
  };
}
