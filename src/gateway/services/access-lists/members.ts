// Who comes into an access list, who goes, and its reviews.
import { randomUUID } from 'node:crypto';
import { MEMBERS_MOST } from '../../../contract/access-list-documents.ts';
import type {
  AccessListMember,
  addAccessListMember,
  reviewAccessList,
  updateAccessListMember,
  WholeAccessList,
} from '../../../contract/access-lists.ts';
import type { BodyOf } from '../../../contract/call.ts';
import { Failure } from '../../../contract/failure.ts';
import type { AuditEntry, AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Who } from '../../ports/who.ts';
import type { AccessListPlace, Store } from '../../store/store.ts';
import { nextReview } from './dates.ts';
import { membersNote } from './declared-members.ts';
import { nestingProblem, placeProblem } from './memberships.ts';
import { absent, find, refused, type Seen, type Sight } from './sight.ts';
import { membersOf, readList, reviewedList } from './stored.ts';

export interface MemberParts {
  readonly store: Pick<Store, 'resources' | 'users' | 'accessLists' | 'alone'>;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  readonly clock?: () => Date;
}
interface Called {
  readonly kind: AccessListPlace['kind'];
  readonly name: string;
}
/** Every method throws Failure not_found also for a list that somebody may not see. */
export interface Members {
  /** Throws Failure denied, bad_request, exists. */
  addMember(who: Who, name: string, member: BodyOf<typeof addAccessListMember>): Promise<AccessListMember>;
  updateMember(
    who: Who,
    name: string,
    member: Called,
    terms: BodyOf<typeof updateAccessListMember>,
  ): Promise<AccessListMember>;
  removeMember(who: Who, name: string, member: Called): Promise<void>;
  review(who: Who, name: string, said: BodyOf<typeof reviewAccessList>): Promise<WholeAccessList>;
}

export function createMembers(parts: MemberParts, sight: Sight): Members {
  const { store, audit, changes, clock = () => new Date() } = parts;
  const { resources, users, accessLists: kept } = store;
  const { manage, peopleOf, see, seenBy, shown, membershipsOf, whole } = sight;
  const tell = (): void => changes.emit({ kind: 'accessListsChanged' });

  /** What somebody wants of one member, as the audit log tells it whether it is done or fails. */
  const wanted = (code: string, { user }: Who, list: string, member: Called, reason = '') =>
    membersNote(code, user, list, [
      { list, relation: 'member', ...member, added: clock(), expires: null, reason, addedBy: user },
    ]);
  /** What is done, told to the audit log as done or as failed. */
  async function noted<Result>(entry: AuditEntry & { code: string }, work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      await audit.emit(entry);
      return result;
    } catch (error) {
      if (error instanceof Failure)
        await audit.emit({ ...entry, code: entry.code.replace(/I$/, 'E'), success: false, error: error.message });
      throw error;
    }
  }

  async function placeOf(
    who: Who,
    { list, places }: Seen,
    { kind, name }: Called,
    { expires, reason }: BodyOf<typeof updateAccessListMember>,
  ): Promise<AccessListPlace> {
    const now = clock();
    const until = expires === '' ? null : new Date(expires);
    if (until !== null && until <= now) throw refused('expires', 'a time to come expected');
    let since = list.created;
    if (kind === 'user') {
      const user = await users.known(name);
      if (user === null) throw refused('name', `there is no user "${name}"`);
      since = user.created;
    } else {
      const row = await resources.get('access_list', name);
      const inner = row && readList(row);
      // Whoever may not see a list learns nothing of it, and takes nobody of it in.
      if (!inner || !seenBy(who, inner, [], await membershipsOf(who)))
        throw refused('name', `there is no access list "${name}"`);
      const problem = nestingProblem(await kept.nested(), { list: list.name, name });
      if (problem !== null) throw refused('name', problem);
      since = inner.created;
    }
    const before = membersOf(places).find(one => one.kind === kind && one.name === name);
    // Clocks of gateways differ: whoever is added counts from that moment on.
    const added = new Date(Math.max(now.getTime(), since.getTime(), list.created.getTime()));
    return {
      list: list.name,
      relation: 'member',
      kind,
      name,
      added: before && placeProblem(before, list, since, now) === null ? before.added : added,
      expires: until,
      reason,
      addedBy: before?.addedBy ?? who.user,
    };
  }

  return {
    async addMember(who, name, { kind, name: member, ...terms }) {
      const entry = wanted('TAL005I', who, name, { kind, name: member }, terms.reason);
      const made = await noted(entry, () =>
        store.alone(async () => {
          const seen = await manage(who, name);
          const members = membersOf(seen.places);
          if (
            members.some(
              one => one.kind === kind && one.name === member && (one.expires === null || one.expires > clock()),
            )
          )
            throw new Failure('exists', `"${member}" is in "${seen.list.title}" already`);
          if (members.length >= MEMBERS_MOST)
            throw refused('name', `an access list has at most ${MEMBERS_MOST} members`);
          const place = await placeOf(who, seen, { kind, name: member }, terms);
          await kept.put(place);
          return { place, list: seen.list };
        }),
      );
      tell();
      return shown(made.place, made.list, await peopleOf([made.place]));
    },
    async updateMember(who, name, member, terms) {
      const entry = wanted('TAL006I', who, name, member, terms.reason);
      const made = await noted(entry, () =>
        store.alone(async () => {
          const seen = await manage(who, name);
          find(seen, member);
          const place = await placeOf(who, seen, member, terms);
          await kept.put(place);
          return { place, list: seen.list };
        }),
      );
      tell();
      return shown(made.place, made.list, await peopleOf([made.place]));
    },
    async removeMember(who, name, member) {
      const entry = wanted('TAL007I', who, name, member);
      await noted(entry, () =>
        store.alone(async () => {
          const place = find(await manage(who, name), member);
          await kept.remove(place);
        }),
      );
      tell();
    },

    async review(who, name, { notes, remove }) {
      const entry: AuditEntry = {
        code: 'TAL004I',
        name,
        user: who.user,
        updated_by: who.user,
        success: true,
        ...(notes !== '' && { notes }),
        removed_members: remove.map(({ name: member }) => member),
      };
      const gone = await noted(entry, () =>
        store.alone(async () => {
          const seen = await manage(who, name);
          const out = remove.map(member => find(seen, member));
          const row = await resources.get('access_list', name);
          if (!row) throw absent(name);
          const now = clock();
          const { nextReview: due, frequency, day } = seen.list;
          for (const place of out) await kept.remove(place);
          await kept.addReview({
            id: randomUUID(),
            list: name,
            time: now,
            reviewer: who.user,
            review: {
              notes,
              removed: out.map(place => place.name),
              kept: membersOf(seen.places).length - out.length,
            },
          });
          await resources.put(reviewedList(row, nextReview(new Date(due), now, { frequency, day })), row.revision);
          return out;
        }),
      );
      if (gone.length > 0) await audit.emit(membersNote('TAL007I', who.user, name, gone));
      tell();
      return whole(who, await see(who, name));
    },
  };
}
