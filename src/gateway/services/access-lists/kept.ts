// What follows from writing a list, whichever door it came through: its owners' places, and what the audit log and the bus hear.
import { Failure } from '../../../contract/failure.ts';
import type { ResourceDocument } from '../../../contract/resource-documents.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { AccessLists, NewResource, Resource, Resources, Users } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { nestingProblem } from './standing.ts';
import { listColumns, ownerPlaces, readList, rolesNamed, writtenList } from './stored.ts';

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
  return {
    /** Throws Failure bad_request for owners that would stand in a circle. */
    async columns(document: ResourceDocument<'access_list'>, before: Resource | null): Promise<Partial<NewResource>> {
      const { name } = document.metadata;
      const nested = (await lists.nested()).filter(place => place.list !== name || place.relation === 'member');
      for (const owner of document.spec.owners) {
        if (owner.membership_kind !== 'list') continue;
        const problem = nestingProblem(nested, { list: name, name: owner.name });
        if (problem !== null) throw new Failure('bad_request', `spec.owners: ${problem}`);
      }
      return listColumns(document, before, clock());
    },
    written: writtenList,
    roles: (value: unknown) => rolesNamed(value as ResourceDocument<'access_list'>),
    /** Users and lists that own it, which must be there. */
    owners: (value: unknown) =>
      (value as ResourceDocument<'access_list'>).spec.owners.map(({ name, membership_kind: kind }, index) => ({
        path: ['spec', 'owners', index, 'name'],
        kind: kind === 'user' ? ('user' as const) : ('access_list' as const),
        name,
      })),
    async note(change: 'created' | 'updated' | 'removed', resource: NewResource, by: string): Promise<void> {
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
