// An access list as the store keeps it, and as it is read back.
import * as z from 'zod/mini';
import {
  placeKinds,
  type RolesAndTraits,
  reviewDays,
  reviewFrequencyNames,
} from '../../../contract/access-list-documents.ts';
import { parseDuration } from '../../../contract/duration.ts';
import type { ResourceDocument } from '../../../contract/resource-documents.ts';
import type { AccessListPlace, NewResource, Resource } from '../../store/store.ts';
import { type Recurrence, reviewAfter } from './dates.ts';

const rolesAndTraits = z.object({ roles: z.array(z.string()), traits: z.record(z.string(), z.array(z.string())) });
const spec = z.object({
  owners: z.array(z.object({ name: z.string(), kind: z.enum(placeKinds), description: z.string() })),
  nextReview: z.string(),
  frequency: z.enum(reviewFrequencyNames),
  day: z.enum(reviewDays),
  notice: z.string(),
  membershipRequires: rolesAndTraits,
  ownershipRequires: rolesAndTraits,
  grants: rolesAndTraits,
});
type Spec = z.output<typeof spec>;
export interface StoredList extends Spec {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly created: Date;
}

const given = (granted: RolesAndTraits): RolesAndTraits => ({
  roles: [...new Set(granted.roles)],
  traits: Object.fromEntries(Object.entries(granted.traits).filter(([, values]) => values.length > 0)),
});

/** Null for a row that holds no list. */
export function readList({ name, title, description, labels, created, spec: kept }: Resource): StoredList | null {
  const read = z.safeParse(spec, kept);
  return read.success ? { ...read.data, name, title, description, labels, created } : null;
}

/** What makes a row a list. The day of the next review stays that of before where the document names none. */
export function listColumns(
  { spec: said }: ResourceDocument<'access_list'>,
  before: Resource | null,
  now: Date,
): Partial<NewResource> {
  const known = before && readList(before);
  const { frequency, day_of_month } = said.audit.recurrence;
  const recurrence: Recurrence = { frequency, day: `${day_of_month}` };
  const isSame = known?.frequency === frequency && known.day === recurrence.day;
  const next =
    said.audit.next_audit_date === undefined
      ? isSame
        ? new Date(known.nextReview)
        : reviewAfter(now, recurrence)
      : new Date(said.audit.next_audit_date);
  const owners = new Map(
    said.owners.map(({ name, membership_kind: kind, description = '' }) => [
      `${kind} ${name}`,
      { name, kind, description },
    ]),
  );
  return {
    title: said.title,
    subtype: tellsFrom({ nextReview: next.toISOString(), notice: said.audit.notifications.start }),
    description: said.description ?? '',
    words: [...said.grants.roles],
    spec: {
      owners: [...owners.values()],
      nextReview: next.toISOString(),
      ...recurrence,
      notice: said.audit.notifications.start,
      membershipRequires: given(said.membership_requires),
      ownershipRequires: given(said.ownership_requires),
      grants: given(said.grants),
    } satisfies Spec,
  };
}

const written = ({ roles, traits }: RolesAndTraits): object => ({
  ...(roles.length > 0 && { roles }),
  ...(Object.keys(traits).length > 0 && { traits }),
});
const isNone = (one: RolesAndTraits): boolean => Object.keys(written(one)).length === 0;

/** The spec that a document shows. */
export function writtenList(resource: Resource): object {
  const list = readList(resource);
  if (!list) return {};
  return {
    title: list.title,
    ...(list.description !== '' && { description: list.description }),
    owners: list.owners.map(({ name, kind, description }) => ({
      name,
      ...(description !== '' && { description }),
      ...(kind !== 'user' && { membership_kind: kind }),
    })),
    audit: {
      next_audit_date: list.nextReview,
      recurrence: { frequency: list.frequency, day_of_month: list.day },
      notifications: { start: list.notice },
    },
    ...(!isNone(list.membershipRequires) && { membership_requires: written(list.membershipRequires) }),
    ...(!isNone(list.ownershipRequires) && { ownership_requires: written(list.ownershipRequires) }),
    grants: written(list.grants),
  };
}

/** The row of a list that has been reviewed. */
export const reviewedList = (
  { created: _created, updated: _updated, revision: _revision, ...row }: Resource,
  next: Date,
): NewResource => {
  const spec = { ...(row.spec as Spec), nextReview: next.toISOString() };
  return { ...row, subtype: tellsFrom(spec), spec };
};

/** When owners are first told of the review, so that it sorts: kept in a column that has an index, where the lists due are found first. */
const tellsFrom = ({ nextReview, notice }: Pick<StoredList, 'nextReview' | 'notice'>): string =>
  new Date(Math.max(0, Date.parse(nextReview) - (parseDuration(notice) ?? 0))).toISOString();

/** Whether owners are told that it is to be reviewed, and whether that should have been done. */
export function dueOf(
  { nextReview, notice }: Pick<StoredList, 'nextReview' | 'notice'>,
  now: Date,
): { readonly isDue: boolean; readonly isOverdue: boolean } {
  const due = Date.parse(nextReview);
  return { isDue: due - (parseDuration(notice) ?? 0) <= now.getTime(), isOverdue: due <= now.getTime() };
}

/** What roles and traits the document names, with where. */
export function rolesNamed({
  spec: { grants, membership_requires: members, ownership_requires: owners },
}: ResourceDocument<'access_list'>): readonly { readonly path: readonly PropertyKey[]; readonly role: string }[] {
  const parts = { grants, membership_requires: members, ownership_requires: owners };
  return Object.entries(parts).flatMap(([part, { roles }]) =>
    roles.map((role, index) => ({ path: ['spec', part, 'roles', index], role })),
  );
}

/** The places of a list's owners. */
export const ownerPlaces = (name: string, { owners }: Pick<Spec, 'owners'>, added: Date, addedBy: string) =>
  owners.map(
    (owner): AccessListPlace => ({
      list: name,
      relation: 'owner',
      kind: owner.kind,
      name: owner.name,
      added,
      expires: null,
      reason: '',
      addedBy,
    }),
  );

/** The places of a list's members. */
export const membersOf = (places: readonly AccessListPlace[]): readonly AccessListPlace[] =>
  places.filter(({ relation }) => relation === 'member');
