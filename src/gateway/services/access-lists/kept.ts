// What follows from writing a list, whichever door it came through: its owners' places, and what the audit log and the bus hear.
import { Failure } from '../../../contract/failure.ts';
import type { ResourceDocument } from '../../../contract/resource-documents.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { AccessListPlace, AccessLists, NewResource, Resource, Resources, Users } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { memberSteps, membersNote } from './declared-members.ts';
import { nestingProblem } from './memberships.ts';
import { listColumns, membersOf, ownerPlaces, readList, rolesNamed, type StoredList, writtenList } from './stored.ts';

export interface KeptListParts {
  readonly resources: Pick<Resources, 'get' | 'list'>;
  readonly users: Pick<Users, 'known'>;
  readonly lists: AccessLists;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  readonly clock?: () => Date;
}

/** How lists are declared. */
export function createKeptLists({ resources, users, lists, audit, changes, clock = () => new Date() }: KeptListParts) {
  /** What a document changes about who is in a list; null: it says nothing about it. */
  async function stepsOf(value: unknown, list: StoredList, by: string) {
    const { members } = (value as ResourceDocument<'access_list'> | undefined)?.spec ?? {};
    if (members === undefined) return null;
    const since = new Map<string, Date>();
    for (const { name, membership_kind: kind } of members) {
      const holder = kind === 'user' ? await users.known(name) : await resources.get('access_list', name);
      if (holder) since.set(`${kind} ${name}`, holder.created);
    }
    const places = membersOf(await lists.places([list.name]));
    const holder = ({ kind, name }: Pick<AccessListPlace, 'kind' | 'name'>) => since.get(`${kind} ${name}`) ?? null;
    return memberSteps(members, { list, places, since: holder, now: clock(), by });
  }
  return {
    /** Throws Failure bad_request for owners and members that would stand in a circle. */
    async columns(document: ResourceDocument<'access_list'>, before: Resource | null): Promise<Partial<NewResource>> {
      const { name } = document.metadata;
      const { owners, members } = document.spec;
      // What the document says takes the place of what stands there now.
      const nested = (await lists.nested()).filter(
        place => place.list !== name || (place.relation === 'member' && members === undefined),
      );
      for (const [part, said] of Object.entries({ owners, members: members ?? [] })) {
        const inner = said.filter(({ membership_kind: kind }) => kind === 'list');
        for (const one of inner) {
          const nesting = { list: name, name: one.name };
          const problem = nestingProblem(nested, nesting);
          if (problem !== null) throw new Failure('bad_request', `spec.${part}: ${problem}`);
        }
      }
      return listColumns(document, before, clock());
    },
    written: writtenList,
    roles: (value: unknown) => rolesNamed(value as ResourceDocument<'access_list'>),
    /** Users and lists that own it or are in it, which must be there. */
    holders: (value: unknown) => {
      const { owners, members = [] } = (value as ResourceDocument<'access_list'>).spec;
      return Object.entries({ owners, members }).flatMap(([part, said]) =>
        said.map(({ name, membership_kind: kind }, index) => ({
          path: ['spec', part, index, 'name'],
          kind: kind === 'user' ? ('user' as const) : ('access_list' as const),
          name,
        })),
      );
    },
    /** Whether a document would have others in a list than are in it. */
    async differs(value: unknown, before: Resource): Promise<boolean> {
      const list = readList(before);
      const steps = list && (await stepsOf(value, list, ''));
      return steps !== null && [steps.added, steps.changed, steps.removed].some(some => some.length > 0);
    },
    /** `value`: the document that was applied, where one was. */
    async note(
      change: 'created' | 'updated' | 'removed',
      resource: NewResource,
      by: string,
      value?: unknown,
    ): Promise<void> {
      const { name } = resource;
      const said = { name, user: by, updated_by: by, success: true };
      if (change === 'removed') {
        const members = await lists.forget(name);
        await audit.emit({ code: 'TAL003I', ...said });
        if (members > 0)
          await audit.emit({ code: 'TAL008I', access_list_name: name, user: by, updated_by: by, success: true });
      } else {
        // What a list of the name left behind that was cut short in its end.
        if (change === 'created') await lists.forget(name);
        const row = await resources.get('access_list', name);
        const list = row && readList(row);
        if (list) {
          const since = await Promise.all(
            list.owners.map(async owner => (owner.kind === 'user' ? await users.known(owner.name) : null)),
          );
          const latest = Math.max(...since.map(user => user?.created.getTime() ?? 0), list.created.getTime());
          const added = new Date(Math.max(clock().getTime(), latest));
          await lists.own(name, ownerPlaces(name, list, added, by));
        }
        await audit.emit({ code: change === 'created' ? 'TAL001I' : 'TAL002I', ...said });
        const steps = list && (await stepsOf(value, list, by));
        if (steps) {
          for (const place of steps.removed) await lists.remove(place);
          for (const place of [...steps.added, ...steps.changed]) await lists.put(place);
          for (const [code, places] of [
            ['TAL005I', steps.added],
            ['TAL006I', steps.changed],
            ['TAL007I', steps.removed],
          ] as const)
            if (places.length > 0) await audit.emit(membersNote(code, by, name, places));
        }
      }
      changes.emit({ kind: 'accessListsChanged' });
    },
    /** Lists that grant a role, as a sentence names them. */
    async granting(role: string): Promise<readonly string[]> {
      const all = (await allOf(resources, 'access_list')).flatMap(row => readList(row) ?? []);
      return all.filter(({ grants }) => grants.roles.includes(role)).map(({ name }) => `access_list/${name}`);
    },
    /** Throws Failure bad_request where other lists would lose members or owners by its end. */
    async refuseHeld(name: string): Promise<void> {
      const holding = [...new Set((await lists.nested()).flatMap(place => (place.name === name ? [place.list] : [])))];
      if (holding.length > 0)
        throw new Failure(
          'bad_request',
          `access list "${name}" stands in ${holding.join(', ')}: take it out there first`,
        );
    },
  };
}
