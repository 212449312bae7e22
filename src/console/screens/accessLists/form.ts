// An access list as a form: what its fields say becomes the document, and what a document holds that has no field stays in it.
import type { ReviewDay, ReviewFrequency, RolesAndTraits } from '../../../contract/access-list-documents.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { traitLines } from '../../../features/access-lists.ts';

/** Before the name of a list whose members are meant. */
const LIST = 'list:';
const DAY_MS = 86_400_000;

/** One line each: names of roles, and traits such as `logins: root`. */
interface Wanted {
  readonly roles: readonly string[];
  readonly traits: readonly string[];
}
export interface ListForm {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Users, and lists as `list:NAME`. */
  readonly owners: readonly string[];
  readonly grants: Wanted;
  readonly members: Wanted;
  readonly ownersMust: Wanted;
  readonly frequency: ReviewFrequency;
  readonly day: ReviewDay;
  /** How many days before a review is due its owners are told. */
  readonly noticeDays: string;
}
type Maybe = Partial<RolesAndTraits> | undefined;
/** As it is written: parts may be left out. */
export interface ListDocument {
  readonly kind: 'access_list';
  readonly version: 'v1';
  readonly metadata: { readonly name: string; readonly [key: string]: unknown };
  readonly spec: {
    readonly title: string;
    readonly description?: string;
    readonly owners: readonly {
      readonly name: string;
      readonly description?: string;
      readonly membership_kind?: string;
    }[];
    readonly audit?: {
      readonly next_audit_date?: string;
      readonly recurrence?: { readonly frequency?: ReviewFrequency; readonly day_of_month?: ReviewDay | number };
      readonly notifications?: { readonly start?: string };
    };
    readonly membership_requires?: Maybe;
    readonly ownership_requires?: Maybe;
    readonly grants: Maybe;
  };
}

const wantedOf = (given: Maybe): Wanted => ({ roles: given?.roles ?? [], traits: traitLines(given?.traits ?? {}) });

export function formOf({ metadata, spec }: ListDocument): ListForm {
  const { recurrence, notifications } = spec.audit ?? {};
  return {
    name: metadata.name,
    title: spec.title,
    description: spec.description ?? '',
    owners: spec.owners.map(({ name, membership_kind: kind }) => (kind === 'list' ? `${LIST}${name}` : name)),
    grants: wantedOf(spec.grants),
    members: wantedOf(spec.membership_requires),
    ownersMust: wantedOf(spec.ownership_requires),
    frequency: recurrence?.frequency ?? '6 months',
    day: `${recurrence?.day_of_month ?? '1'}` as ReviewDay,
    noticeDays: String(Math.round((parseDuration(notifications?.start ?? '336h') ?? 0) / DAY_MS)),
  };
}

/** A name made of a title: `Database on call` becomes `database-on-call`. */
export const nameOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);

/** A line of a trait; null where it says no name or no value. */
function readTrait(line: string): readonly [name: string, value: string] | null {
  const [, name = '', value = ''] = /^(.+?):\s+(.+)$/.exec(line) ?? /^([^:]+):(.+)$/.exec(line) ?? [];
  return name.trim() === '' || value.trim() === '' ? null : [name.trim(), value.trim()];
}
/** The first line that is no trait. */
const wrongTrait = ({ traits }: Wanted): string | undefined => traits.find(line => readTrait(line) === null);

/** What is wrong with each field that is. */
export function faultsOf(form: ListForm): Readonly<Partial<Record<keyof ListForm, string>>> {
  const traitFault = (wanted: Wanted): string | undefined => {
    const wrong = wrongTrait(wanted);
    return wrong === undefined ? undefined : `"${wrong}": a trait and its value expected, such as logins: root`;
  };
  const grants =
    form.grants.roles.length + form.grants.traits.length === 0 ? 'At least one role or trait is required' : undefined;
  const faults = {
    title: form.title.trim() === '' ? 'A title is required' : undefined,
    name: /^[A-Za-z0-9][A-Za-z0-9._@~+-]{0,254}$/.test(form.name)
      ? undefined
      : 'A name of letters, digits and . _ @ ~ + - is required',
    owners: form.owners.length === 0 ? 'At least one owner is required' : undefined,
    grants: grants ?? traitFault(form.grants),
    members: traitFault(form.members),
    ownersMust: traitFault(form.ownersMust),
    noticeDays: /^\d{1,3}$/.test(form.noticeDays) ? undefined : 'A number of days is required',
  };
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined));
}

function writtenOf({ roles, traits }: Wanted): Maybe {
  const map: Record<string, string[]> = {};
  for (const line of traits) {
    const read = readTrait(line);
    if (read) map[read[0]] = [...(map[read[0]] ?? []), read[1]];
  }
  return { ...(roles.length > 0 && { roles: [...roles] }), ...(traits.length > 0 && { traits: map }) };
}

/** The document that a form makes; `before`: the one that it changes, whose labels, end and words about owners stay. */
export function documentOf(form: ListForm, before: ListDocument | null): ListDocument {
  const told = new Map(before?.spec.owners.map(owner => [`${owner.membership_kind ?? 'user'} ${owner.name}`, owner]));
  const { recurrence } = before?.spec.audit ?? {};
  const isSame = recurrence?.frequency === form.frequency && `${recurrence.day_of_month}` === form.day;
  return {
    kind: 'access_list',
    version: 'v1',
    metadata: { ...before?.metadata, name: form.name },
    spec: {
      title: form.title.trim(),
      ...(form.description.trim() !== '' && { description: form.description.trim() }),
      owners: form.owners.map(typed => {
        const [kind, name] = typed.startsWith(LIST) ? ['list', typed.slice(LIST.length)] : ['user', typed];
        const description = told.get(`${kind} ${name}`)?.description;
        return { name, ...(description && { description }), ...(kind === 'list' && { membership_kind: kind }) };
      }),
      audit: {
        // Another rhythm has another next day.
        ...(isSame && before?.spec.audit?.next_audit_date && { next_audit_date: before.spec.audit.next_audit_date }),
        recurrence: { frequency: form.frequency, day_of_month: form.day },
        notifications: { start: `${Number(form.noticeDays) * 24}h` },
      },
      membership_requires: writtenOf(form.members),
      ownership_requires: writtenOf(form.ownersMust),
      grants: writtenOf(form.grants),
    },
  };
}
