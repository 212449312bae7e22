// The dry run of a change of roles: who would gain and who would lose what, by name.
import { setImmediate } from 'node:timers/promises';
import { aclResources, type RuleResource, type Verb, verbs } from '../../../contract/acl.ts';
import type { Effect, RoleEffects } from '../../../contract/role-preview.ts';
import type { LabelledKind, Rights, RightsUser } from '../../ports/rights.ts';
import type { Actor } from '../../ports/who.ts';
import type { LabelSet, Resources, UserRecord, Users } from '../../store/store.ts';
import { createRights } from './rights.ts';
import { parseRole, type Role } from './role.ts';
import type { RightsSource } from './source.ts';

export interface EffectsParts {
  readonly resources: Pick<Resources, 'labelSets'>;
  readonly users: Pick<Users, 'list'>;
  readonly rights: Pick<RightsSource, 'roles'>;
}
/** YAML of roles as it would be; null: the role would be gone. Throws Failure bad_request for what is no role. */
export type Effects = (
  contents: ReadonlyMap<string, string | null>,
  by: Actor,
  startKey?: string,
) => Promise<RoleEffects>;

/** Questions to rights that one answer takes: about a tenth of a second on one core. What is left over is asked for anew. */
const ASKED_MOST = 25_000;
/** Questions between two looks at what else the gateway has to do. */
const ASKED_AT_ONCE = 4000;
/** Titles named of one effect, and effects named of one person. */
const TITLES_MOST = 3;
const EFFECTS_MOST = 20;

type Labels = LabelSet['labels'];
/** What somebody may use there; undefined: nothing. */
type Named = readonly string[] | undefined;
interface Reached {
  readonly on: Exclude<Effect['on'], 'rule'>;
  readonly kind: LabelledKind;
  readonly names: (rights: Rights, labels: Labels) => Named;
}
const unlessNone = (names: readonly string[]): Named => (names.length === 0 ? undefined : names);
const reached: readonly Reached[] = [
  { on: 'server', kind: 'node', names: (rights, labels) => unlessNone(rights.logins(labels)) },
  { on: 'database', kind: 'db', names: (rights, labels) => unlessNone(rights.principals('db_users', labels)) },
  {
    on: 'Kubernetes cluster',
    kind: 'kube_cluster',
    names: (rights, labels) => unlessNone(rights.principals('kubernetes_groups', labels)),
  },
  {
    on: 'desktop',
    kind: 'windows_desktop',
    names: (rights, labels) => unlessNone(rights.principals('windows_desktop_logins', labels)),
  },
  { on: 'application', kind: 'app', names: (rights, labels) => (rights.selects('app', labels) ? [] : undefined) },
];

/** Adds up what is the same on several resources. */
function createSum(on: Effect['on']) {
  const sums = new Map<string, { names: readonly string[]; titles: string[]; count: number }>();
  return {
    add(names: readonly string[], title: string, count: number): void {
      const key = names.join('\n');
      const sum = sums.get(key) ?? { names, titles: [], count: 0 };
      sums.set(key, sum);
      sum.count += count;
      if (sum.titles.length < TITLES_MOST) sum.titles.push(title);
    },
    effects: (): Effect[] => [...sums.values()].map(({ names, ...sum }) => ({ on, names: [...names], ...sum })),
  };
}

/** What is more and what is less on each of several resources, added up. */
function createComparison(on: Effect['on']) {
  const [gained, lost] = [createSum(on), createSum(on)];
  return {
    add(had: Named, has: Named, title: string, count: number): void {
      const more = minus(has, had);
      const less = minus(had, has);
      if (more) gained.add(more, title, count);
      if (less) lost.add(less, title, count);
    },
    gains: gained.effects,
    losses: lost.effects,
  };
}

export function createEffects({ resources, users, rights }: EffectsParts): Effects {
  return async (contents, by, startKey = '') => {
    const written = new Map([...contents].flatMap(([name, yaml]) => (yaml === null ? [] : [[name, parseRole(yaml)]])));
    const holders = (await users.list())
      .filter(({ roles }) => roles.some(role => contents.has(role)))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    const stored = new Map(
      (await rights.roles([...new Set(holders.flatMap(({ roles }) => roles))])).map(role => [role.name, role]),
    );
    const sets = await Promise.all(reached.map(({ kind }) => resources.labelSets(kind)));
    const ruled = resourcesIn(
      [...contents.keys()].flatMap(name => [stored.get(name) ?? [], written.get(name) ?? []].flat()),
    );
    const cost = 2 * (sets.reduce((sum, some) => sum + some.length, 0) + ruled.length * verbs.length);

    let asked = 0;
    async function compare(user: RightsUser): Promise<Pick<RoleEffects['people'][number], 'gains' | 'losses'>> {
      const held = [...new Set(user.roles)];
      const before = createRights(
        held.flatMap(name => stored.get(name) ?? []),
        user,
      );
      const after = createRights(
        held.flatMap(name => (contents.has(name) ? written.get(name) : stored.get(name)) ?? []),
        user,
      );
      const gains: Effect[] = [];
      const losses: Effect[] = [];
      for (const [at, { on, names }] of reached.entries()) {
        const sum = createComparison(on);
        for (const { labels, count, title } of sets[at] ?? []) {
          asked += 2;
          if (asked % ASKED_AT_ONCE === 0) await setImmediate();
          sum.add(names(before, labels), names(after, labels), title, count);
        }
        gains.push(...sum.gains());
        losses.push(...sum.losses());
      }
      const rules = createComparison('rule');
      for (const resource of ruled) {
        // Whoever may read may read without secrets: that goes without saying.
        const given = (of: Rights) =>
          unlessNone(
            verbs.filter(verb => of.may(resource, verb) && !(verb === 'readnosecrets' && of.may(resource, 'read'))),
          );
        rules.add(given(before), given(after), resource, 1);
      }
      asked += ruled.length * verbs.length * 2;
      return {
        gains: [...gains, ...rules.gains()].slice(0, EFFECTS_MOST),
        losses: [...losses, ...rules.losses()].slice(0, EFFECTS_MOST),
      };
    }

    // Whoever holds the same roles with the same traits gains and loses the same: they are answered for together, in the order of their first names.
    const alike = [...Map.groupBy(holders, ({ roles, traits }) => JSON.stringify([roles, traits])).values()];
    const people: RoleEffects['people'] = [];
    let unnamed = 0;
    let last = '';
    for (const group of alike) {
      const [first] = group;
      if (first === undefined || first.name <= startKey) continue;
      if (last !== '' && asked + cost > ASKED_MOST) break;
      const found = await compare(first);
      last = first.name;
      if (found.gains.length + found.losses.length === 0) continue;
      for (const user of group) {
        if (isReadBy(by, user)) people.push({ user: user.name, ...found });
        else unnamed += 1;
      }
    }
    people.sort((one, other) => (one.user < other.user ? -1 : 1));
    return { holders: holders.length, people, unnamed, startKey: last === alike.at(-1)?.[0]?.name ? '' : last };
  };
}

/** What is in the one and not in the other; undefined: nothing. Being there at all counts where nothing is named. */
function minus(one: Named, other: Named): Named {
  if (one === undefined || other === undefined) return one;
  return unlessNone(one.filter(name => !other.includes(name)));
}

/** What the rules of these roles are about. */
function resourcesIn(roles: readonly Role[]): readonly RuleResource[] {
  const named = roles
    .flatMap(({ allow, deny }) => [...allow.rules, ...deny.rules])
    .flatMap(({ resources }) => resources);
  const all = named.includes('*') ? [...named, ...Object.values(aclResources)] : named;
  return [...new Set(all)].filter(name => name !== '*') as RuleResource[];
}

const isReadBy = ({ rights }: Actor, { name }: UserRecord): boolean =>
  rights === null || rights.may('user', 'read' satisfies Verb, { resource: { name, labels: {} } });
