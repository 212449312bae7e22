// Access lists for every door: who sees, manages and reviews which, and what the audit log hears.
import type { AccessList, WholeAccessList } from '../../../contract/access-lists.ts';
import type { Verb } from '../../../contract/acl.ts';
import { Failure } from '../../../contract/failure.ts';
import type { ResourceItem } from '../../../contract/roles.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Who } from '../../ports/who.ts';
import { allOf } from '../lists.ts';
import { type DeclaredResources, writeOne, writtenItem } from '../written-resources.ts';
import { type EndsWatch, watchEnds } from './ends.ts';
import { createMembers, type MemberParts, type Members } from './members.ts';
import { createSight, refused, type SightParts } from './sight.ts';
import { dueOf, readList, type StoredList } from './stored.ts';

export interface AccessListParts extends MemberParts, SightParts {
  readonly store: MemberParts['store'];
  readonly changes: Pick<Changes, 'emit' | 'subscribe'>;
  readonly declared: DeclaredResources;
}
/** A list that is to be reviewed. */
interface DueList {
  readonly name: string;
  readonly title: string;
  readonly due: Date;
  readonly isOverdue: boolean;
}
/** Every method answers for a list that somebody may not see as for one that is not there: Failure not_found. */
export interface ManagedLists extends Members {
  list(who: Who): Promise<readonly AccessList[]>;
  get(who: Who, name: string): Promise<WholeAccessList>;
  yaml(who: Who, name: string): Promise<ResourceItem>;
  /** Throws Failure denied, bad_request, exists. */
  create(who: Who, content: string): Promise<ResourceItem>;
  update(who: Who, name: string, content: string): Promise<ResourceItem>;
  remove(who: Who, name: string): Promise<void>;
  /** What is to be reviewed now, for those who tell people of it: the lists alone are read, whoever is in them. */
  due(): Promise<readonly DueList[]>;
  /** The same of what one person owns, by their name: nobody else's lists are looked at. */
  dueOf(user: string): Promise<readonly DueList[]>;
  /** Tells consoles and sessions of each membership that time has ended, until it is disposed of. */
  watch(report: (problem: string, error: unknown) => void): EndsWatch;
}

export function createAccessLists(parts: AccessListParts): ManagedLists {
  const { store, audit, declared, listed, clock = () => new Date() } = parts;
  const { resources, users, accessLists: kept } = store;
  const sight = createSight(parts);
  const { may, see, seenBy, peopleOf, membershipsOf, summary, whole } = sight;

  async function write(who: Who, content: string, check: (name: string) => Promise<void>): Promise<ResourceItem> {
    const kind = { kind: 'access_list', noun: 'access list', refused: (text: string) => refused('content', text) };
    return item(await writeOne(declared, kind, content, who.user, check));
  }
  const item = (name: string): Promise<ResourceItem> => writtenItem(declared, 'access_list', name);
  /** Tells of a change that could not be made; one that was is told of where it is kept. */
  async function failing<Result>(code: string, by: string, name: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure)
        await audit.emit({ code, name, user: by, updated_by: by, success: false, error: error.message });
      throw error;
    }
  }
  /** Throws Failure not_found, denied. */
  async function allowed(who: Who, verb: Verb, name: string): Promise<void> {
    const { list } = await see(who, name);
    if (!may(who, verb, list))
      throw new Failure('denied', `access denied: no role gives you "${verb}" on "access_list"`);
  }

  return {
    async list(who) {
      const memberships = await membershipsOf(who);
      const rows =
        who.rights.may('access_list', 'list') || who.rights.may('access_list', 'read')
          ? await allOf(resources, 'access_list', { sort: 'title' })
          : await resources.named('access_list', [...memberships.lists.keys()]);
      const lists = rows.flatMap(row => readList(row) ?? []);
      const places = Map.groupBy(await kept.places(lists.map(({ name }) => name)), ({ list }) => list);
      const seen = lists.flatMap(list => seenBy(who, list, places.get(list.name) ?? [], memberships) ?? []);
      const owners = seen.flatMap(({ places: all }) => all.filter(({ relation }) => relation === 'owner'));
      const people = await peopleOf([...owners, ...memberships.places]);
      return seen
        .map(one => summary(who, one, people))
        .sort((one, other) => (one.title.toLowerCase() < other.title.toLowerCase() ? -1 : 1));
    },
    get: async (who, name) => whole(who, await see(who, name)),
    async yaml(who, name) {
      await allowed(who, 'read', name);
      return item(name);
    },
    create: (who, content) =>
      failing('TAL001E', who.user, '', () =>
        write(who, content, async name => {
          if (await resources.get('access_list', name))
            throw new Failure('exists', `access list "${name}" exists already`);
          if (!may(who, 'create', { name, labels: {} }))
            throw new Failure('denied', 'access denied: no role gives you "create" on "access_list"');
        }),
      ),
    update: (who, name, content) =>
      failing('TAL002E', who.user, name, async () => {
        await allowed(who, 'update', name);
        return write(who, content, async written => {
          if (written !== name)
            throw refused('content', `metadata.name: "${written}": "${name}" expected: a list keeps its name`);
        });
      }),
    remove: (who, name) =>
      failing('TAL003E', who.user, name, async () => {
        await allowed(who, 'delete', name);
        await declared.remove('access_list', name, who.user);
      }),

    ...createMembers(parts, sight),
    watch: report => watchEnds({ lists: kept, changes: parts.changes, report, clock }),
    async due() {
      const now = clock();
      const found: DueList[] = [];
      let startKey = '';
      // The index begins with those that are due, and with those of before it was kept: from the first that is not, none is.
      do {
        const page = await resources.list('access_list', {
          limit: DUE_PAGE,
          startKey,
          selection: null,
          count: false,
          sort: { field: 'subtype', descending: false },
        });
        const lists = page.items.flatMap(row => readList(row) ?? []);
        found.push(...lists.filter(list => dueOf(list, now).isDue).map(list => dueList(list, now)));
        const isPast = page.items.some(({ subtype }) => subtype > now.toISOString());
        startKey = isPast ? '' : page.startKey;
      } while (startKey !== '' && found.length < DUE_MOST);
      return found;
    },
    async dueOf(name) {
      const now = clock();
      const user = await users.get(name);
      if (user === null) return [];
      const { owner, lists } = await listed.listing(user);
      return [...lists.values()]
        .filter(list => owner.has(list.name) && dueOf(list, now).isDue)
        .map(list => dueList(list, now));
    },
  };
}

/** Lists that are read at once when those due are looked for, and those that are told of at most. */
const DUE_PAGE = 100;
const DUE_MOST = 10_000;

const dueList = (list: StoredList, now: Date): DueList => ({
  name: list.name,
  title: list.title,
  due: new Date(list.nextReview),
  isOverdue: dueOf(list, now).isOverdue,
});
