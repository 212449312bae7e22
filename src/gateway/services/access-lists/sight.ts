// One access list as somebody stands to it: whether they see it at all, what of it, and what they may do with it.
import type { AccessList, AccessListMember, WholeAccessList } from '../../../contract/access-lists.ts';
import type { Verb } from '../../../contract/acl.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Who } from '../../ports/who.ts';
import type { AccessListPlace, Store } from '../../store/store.ts';
import type { Listed, Listing } from './listed.ts';
import { createPeople, type People } from './people.ts';
import { dueOf, membersOf, readList, type StoredList } from './stored.ts';

/** Reviews that a page shows. */
const REVIEWS_SHOWN = 50;

export interface SightParts {
  readonly store: Pick<Store, 'resources' | 'users' | 'accessLists'>;
  readonly listed: Listed;
  readonly clock?: () => Date;
}
/** One list as somebody stands to it. */
export interface Seen {
  readonly list: StoredList;
  readonly places: readonly AccessListPlace[];
  readonly memberships: Listing;
  readonly mayRead: boolean;
  readonly mayManage: boolean;
}

export function createSight({ store, listed, clock = () => new Date() }: SightParts) {
  const { resources, users, accessLists: kept } = store;
  const may = ({ rights }: Who, verb: Verb, { name, labels }: Pick<StoredList, 'name' | 'labels'>): boolean =>
    rights.may('access_list', verb, { resource: { name, labels } });

  async function membershipsOf(who: Who): Promise<Listing> {
    const user = await users.byId(who.userId);
    return user ? listed.listing(user) : { member: new Set(), owner: new Set(), lists: new Map(), places: [] };
  }
  function seenBy(who: Who, list: StoredList, places: readonly AccessListPlace[], memberships: Listing): Seen | null {
    const isOwner = memberships.owner.has(list.name);
    const mayUpdate = may(who, 'update', list);
    const mayRead = isOwner || mayUpdate || may(who, 'read', list);
    const hasPlace = memberships.member.has(list.name) || ownPlace(who, list.name, memberships) !== undefined;
    if (!mayRead && !hasPlace && !may(who, 'list', list)) return null;
    return { list, places, memberships, mayRead, mayManage: isOwner || mayUpdate };
  }
  async function see(who: Who, name: string): Promise<Seen> {
    const row = await resources.get('access_list', name);
    const list = row && readList(row);
    const seen = list && seenBy(who, list, await kept.places([name]), await membershipsOf(who));
    if (!seen) throw absent(name);
    return seen;
  }
  /** Throws Failure not_found, denied. */
  async function manage(who: Who, name: string): Promise<Seen> {
    const seen = await see(who, name);
    if (!seen.mayManage)
      throw new Failure('denied', `access denied: "${seen.list.title}" is managed by its owners, and you are none`);
    return seen;
  }

  function summary(who: Who, { list, places, memberships, mayRead, mayManage }: Seen, people: People): AccessList {
    const now = clock();
    const isMember = memberships.member.has(list.name);
    const own = isMember ? undefined : ownPlace(who, list.name, memberships);
    return {
      name: list.name,
      title: list.title,
      description: list.description,
      grants: list.grants,
      owners: list.owners.map(({ name, kind, description }) => {
        const place = places.find(one => one.relation === 'owner' && one.kind === kind && one.name === name);
        return {
          name,
          title: people.titleOf({ kind, name }),
          kind,
          description,
          ineligible: people.problem(place, list),
        };
      }),
      memberCount: mayRead ? places.filter(({ relation }) => relation === 'member').length : null,
      nextReview: list.nextReview,
      ...dueOf(list, now),
      isMember,
      ineligible: own ? people.problem(own, list) : '',
      isOwner: memberships.owner.has(list.name),
      mayManage,
      mayEdit: may(who, 'update', list),
      mayDelete: may(who, 'delete', list),
    };
  }
  const shown = (place: AccessListPlace, list: StoredList, people: People): AccessListMember => ({
    name: place.name,
    title: people.titleOf(place),
    kind: place.kind,
    joined: place.added.toISOString(),
    expires: place.expires?.toISOString() ?? '',
    reason: place.reason,
    addedBy: place.addedBy,
    ineligible: people.problem(place, list),
  });
  const peopleOf = (places: readonly AccessListPlace[]): Promise<People> =>
    createPeople({ resources, users, clock }, places);

  async function whole(who: Who, seen: Seen): Promise<WholeAccessList> {
    const { list, places, mayRead } = seen;
    const people = await peopleOf([...places, ...seen.memberships.places]);
    return {
      ...summary(who, seen, people),
      members: mayRead ? membersOf(places).map(place => shown(place, list, people)) : [],
      membershipRequires: list.membershipRequires,
      ownershipRequires: list.ownershipRequires,
      frequency: list.frequency,
      dayOfMonth: list.day,
      notice: list.notice,
      reviews: mayRead
        ? (await kept.reviews(list.name, REVIEWS_SHOWN)).map(({ id, reviewer, time, review }) => ({
            id,
            reviewer,
            time: time.toISOString(),
            ...(review as { notes: string; removed: string[]; kept: number }),
          }))
        : [],
    };
  }

  return { may, membershipsOf, seenBy, see, manage, summary, shown, peopleOf, whole };
}
export type Sight = ReturnType<typeof createSight>;

/** What is said of a list that is not there, and of one that somebody may not see. */
export const absent = (name: string): Failure => new Failure('not_found', `there is no access list "${name}"`);
/** The membership that somebody has in a list by themselves, whatever it counts for. */
const ownPlace = ({ user }: Who, list: string, { places }: Listing): AccessListPlace | undefined =>
  places.find(one => one.list === list && one.relation === 'member' && one.kind === 'user' && one.name === user);
export const refused = (field: string, text: string): Failure => new Failure('bad_request', text, { [field]: text });

/** The membership of somebody in a list. Throws Failure not_found. */
export function find({ list, places }: Seen, { kind, name }: Pick<AccessListPlace, 'kind' | 'name'>): AccessListPlace {
  const place = membersOf(places).find(one => one.kind === kind && one.name === name);
  if (!place) throw new Failure('not_found', `"${name}" is not in "${list.title}"`);
  return place;
}
