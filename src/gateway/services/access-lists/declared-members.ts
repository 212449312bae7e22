// Members that a document names: who comes, who changes and who goes by it, and how the audit log hears of members.
import type { DeclaredMember } from '../../../contract/access-list-documents.ts';
import type { AuditEntry } from '../../ports/audit.ts';
import type { AccessListPlace } from '../../store/store.ts';
import { placeProblem } from './memberships.ts';
import type { StoredList } from './stored.ts';

/** What the audit log hears of members of one list. */
export const membersNote = (
  code: string,
  by: string,
  list: string,
  members: readonly AccessListPlace[],
): AuditEntry & { code: string } => ({
  code,
  user: by,
  updated_by: by,
  access_list_name: list,
  success: true,
  members: members.map(({ name, kind, added, expires, reason }) => ({
    member_name: name,
    ...(kind === 'list' && { member_kind: kind }),
    joined_on: added.toISOString(),
    ...(expires && { membership_expires: expires.toISOString() }),
    ...(reason !== '' && { reason }),
  })),
});

interface MemberSteps {
  readonly added: readonly AccessListPlace[];
  readonly changed: readonly AccessListPlace[];
  readonly removed: readonly AccessListPlace[];
}
type Called = Pick<AccessListPlace, 'kind' | 'name'>;
const key = ({ kind, name }: Called): string => `${kind} ${name}`;

/**
 * What has to be done for a list to have these members and no others. `since`: since when whoever has a name is there, null for those who are not
 * there yet. Whoever is named twice is taken as named last.
 */
export function memberSteps(
  said: readonly DeclaredMember[],
  {
    list,
    places,
    since,
    now,
    by,
  }: {
    readonly list: Pick<StoredList, 'name' | 'created'>;
    /** Of its members. */
    readonly places: readonly AccessListPlace[];
    readonly since: (member: Called) => Date | null;
    readonly now: Date;
    readonly by: string;
  },
): MemberSteps {
  const before = new Map(places.map(place => [key(place), place]));
  const wanted = new Map(
    said.map(({ name, membership_kind: kind, expires, reason = '' }) => {
      const known = before.get(key({ kind, name }));
      const holder = since({ kind, name });
      // A name that was somebody else's is a new member; an end that has come is no change of who is meant.
      const isSame = known && holder !== null && placeProblem({ ...known, expires: null }, list, holder, now) === null;
      const latest = Math.max(now.getTime(), list.created.getTime(), holder?.getTime() ?? 0);
      const place: AccessListPlace = {
        ...{ list: list.name, relation: 'member', kind, name, reason },
        added: isSame ? known.added : new Date(latest),
        expires: expires === undefined ? null : new Date(expires),
        addedBy: isSame ? known.addedBy : by,
      };
      return [key(place), { place, known: isSame ? known : undefined }] as const;
    }),
  );
  const all = [...wanted.values()];
  return {
    added: all.flatMap(({ place, known }) => (known ? [] : [place])),
    changed: all.flatMap(({ place, known }) =>
      known && (known.reason !== place.reason || known.expires?.getTime() !== place.expires?.getTime()) ? [place] : [],
    ),
    removed: places.filter(place => !wanted.has(key(place))),
  };
}
