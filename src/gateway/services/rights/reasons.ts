// Why a person's roles give something on a resource, or do not: the same rules as in rights.ts, each with its place.
import type { RuleResource, Verb } from '../../../contract/acl.ts';
import { effectWords, type GuardedKind, guardWords } from '../../../contract/guards.ts';
import type { Giver, Reason } from '../../../contract/rights.ts';
import type { LabelledKind, RightsUser } from '../../ports/rights.ts';
import { fillConditions } from './filled.ts';
import { combineOptions } from './options.ts';
import type { Principals } from './principals.ts';
import { demandOf, firesOn, isGuarding, plainName } from './rights.ts';
import { positionOf, type Role, type RoleGuard, selectorKeys } from './role.ts';
import { createRules, isImplicit, type SpokenRule } from './rules.ts';

type Labels = Readonly<Record<string, string>>;

export interface Reasons {
  /** Roles that give any of the principals on a resource, or the resource where it has none (`as` null), leaving what others deny aside. */
  givers(kind: LabelledKind, as: Principals | null, labels: Labels): Giver[];
  /**
   * What decides about a principal, or without one about any that there is, on a resource: first what counts first. It is given where all of
   * them allow.
   */
  why(kind: LabelledKind, as: Principals | null, labels: Labels, principal?: string): readonly Reason[];
  /** What roles guard in sessions with a resource of this kind that has these labels. */
  guards(kind: GuardedKind, labels: Labels): readonly Reason[];
  /** Roles that have users made (create_host_user, create_db_user), and why this does nothing on a server or in a database: it goes on `and …`. */
  unprepared(of: MadeIn, why: string): readonly Reason[];
  /** What decides about a verb of rules on things of a kind. */
  whyVerb(resource: RuleResource, verb: Verb): readonly Reason[];
}

/** Where users are made: on servers, or in databases. */
type MadeIn = 'host' | 'db';

/** Principals that are looked at where none was named. */
const NAMED_MOST = 20;

/** Places in roles that were asked for before: finding one reads the role's YAML again. */
const places = new WeakMap<Role, Map<string, ReturnType<typeof positionOf>>>();
function placeIn(role: Role, path: readonly string[]): ReturnType<typeof positionOf> {
  const known = places.get(role) ?? new Map();
  places.set(role, known);
  const name = path.join('.');
  const place = known.get(name) ?? positionOf(role.content, path, true);
  known.set(name, place);
  return place;
}

const guardText = (guard: RoleGuard['source']): string =>
  `${effectWords[guard.effect]} ${guardWords(guard)} (guard "${guard.name}")`;
/** A reason that is no role's. */
const unplaced = (kind: Reason['kind'], text: string): Reason => ({ kind, role: '', line: 0, column: 0, text });

export function createReasons(roles: readonly Role[], user: RightsUser): Reasons {
  const { traits } = user;
  const held = roles.map(role => ({
    role,
    allow: fillConditions(role.allow, traits),
    deny: fillConditions(role.deny, traits),
  }));
  let options: ReturnType<typeof combineOptions> | undefined;
  const combined = () => {
    options ??= combineOptions(roles);
    return options;
  };
  const at = (kind: Reason['kind'], role: Role, path: readonly string[], text: string): Reason => ({
    kind,
    role: role.name,
    ...placeIn(role, path),
    text: `Role ${role.name} ${text}.`,
  });
  const selects = (one: (typeof held)[number], kind: LabelledKind, labels: Labels): boolean => {
    const rule = one.allow?.selectors[kind];
    return rule !== undefined && firesOn(rule, labels, 'allow', traits);
  };

  /** Where a role asks for users to be made; null: it does not, or another says that none are. */
  function makingIn({ options }: Role, of: MadeIn): readonly string[] | null {
    const { createHostUser, createDbUser } = combined();
    if (of === 'db') return createDbUser && options.create_db_user ? ['spec', 'options', 'create_db_user'] : null;
    const { create_host_user: flag, create_host_user_mode: mode } = options;
    if (createHostUser === 'off' || !(flag || mode)) return null;
    return ['spec', 'options', flag ? 'create_host_user' : 'create_host_user_mode'];
  }

  /** What a role demands of sessions, and nobody can give. */
  function demandedBy(role: Role): readonly Reason[] {
    const demand = demandOf(role);
    return demand === null
      ? []
      : [at('demands', role, demand, `demands ${demand.at(-1)}, which nobody can give here, and so opens nothing`)];
  }

  /** That the labels of a resource are denied, or whatever there is. */
  function deniedBy({ role, deny }: (typeof held)[number], kind: LabelledKind, labels: Labels): readonly Reason[] {
    if (deny === null) return [at('denies', role, ['spec', 'deny'], 'cannot be worked out, and so denies everything')];
    const selector = selectorKeys[kind];
    const denied = deny.selectors[kind];
    return denied && firesOn(denied, labels, 'deny', traits)
      ? [at('denies', role, ['spec', 'deny', selector], `denies what has these labels (${selector})`)]
      : [];
  }

  /** What is used as nobody in particular: the labels alone decide. */
  function decidedByLabels(kind: LabelledKind, labels: Labels, principal: string | undefined): readonly Reason[] {
    const selector = selectorKeys[kind];
    const no = held.flatMap(one => [...demandedBy(one.role), ...deniedBy(one, kind, labels)]);
    if (principal !== undefined)
      no.unshift(unplaced('denies', `It is used as nobody in particular: "${principal}" has no meaning there.`));
    if (no.length > 0) return no;
    const yes = held
      .filter(one => selects(one, kind, labels))
      .map(({ role }) => at('allows', role, ['spec', 'allow', selector], `allows it (${selector})`));
    return yes.length > 0 ? yes : [unplaced('missing', `No role selects this (${selector}).`)];
  }

  /** `principal` undefined: no role names any. */
  function decided(
    kind: LabelledKind,
    as: Principals,
    labels: Labels,
    principal: string | undefined,
  ): readonly Reason[] {
    const { key } = as;
    const selector = selectorKeys[kind];
    const what = principal ?? 'anything';
    const isSame = (name: string): boolean =>
      principal !== undefined && plainName(key, name) === plainName(key, principal);
    const names = (given: readonly string[] | undefined): boolean =>
      given?.some(name => isSame(name) || (name === '*' && as.hasAny)) ?? false;
    // A user of their own is made whatever db_users allow.
    const isOwn = as.makes && principal === user.name && combined().createDbUser;
    const isReached = isOwn && held.some(one => selects(one, kind, labels));
    const no: Reason[] = [];
    const yes: Reason[] = [];
    const almost: Reason[] = [];
    if (principal !== undefined && !as.fits(principal))
      no.push(
        unplaced(
          'denies',
          key === 'logins'
            ? `No server could know the login "${principal}".`
            : `"${principal}" is nobody that it could be used as (${key}).`,
        ),
      );
    for (const one of held) {
      const { role, allow, deny } = one;
      no.push(...demandedBy(role), ...deniedBy(one, kind, labels));
      if (deny === null) continue;
      if (deny.principals[key].some(name => isSame(name) || name === '*'))
        no.push(at('denies', role, ['spec', 'deny', key], `denies ${what} (${key})`));
      const making = isReached ? makingIn(role, 'db') : null;
      if (making) yes.push(at('allows', role, making, `has the user ${what} made here (create_db_user)`));
      const isSelected = selects(one, kind, labels);
      if (isSelected && names(allow?.principals[key]))
        yes.push(at('allows', role, ['spec', 'allow', key], `allows ${what} here (${key}, ${selector})`));
      else if (isSelected)
        almost.push(at('missing', role, ['spec', 'allow', key], `selects this, and does not name ${what} in ${key}`));
      else if (names(allow?.principals[key]))
        almost.push(
          at('missing', role, ['spec', 'allow', selector], `names ${what}, and its ${selector} do not select this`),
        );
    }
    if (no.length > 0) return no;
    if (yes.length > 0) return yes;
    if (almost.length > 0) return almost;
    return [unplaced('missing', `No role selects this (${selector}) or names ${what} (${key}).`)];
  }

  return {
    givers(kind, as, labels) {
      const key = as?.key ?? selectorKeys[kind];
      const names = (one: (typeof held)[number]): boolean =>
        as === null || (one.allow?.principals[as.key].some(as.fits) ?? false);
      return held.flatMap(one => {
        const naming = names(one) && selects(one, kind, labels) ? ['spec', 'allow', key] : null;
        const path = naming ?? (as?.makes ? makingIn(one.role, 'db') : null);
        return path === null ? [] : [{ name: one.role.name, line: placeIn(one.role, path).line }];
      });
    },

    why(kind, as, labels, principal) {
      if (as === null) return decidedByLabels(kind, labels, principal);
      if (principal !== undefined) return decided(kind, as, labels, principal);
      const { key } = as;
      const all = new Set(held.flatMap(({ allow }) => allow?.principals[key] ?? []));
      if (as.makes && combined().createDbUser) all.add(user.name);
      const named = [...all].filter(as.fits).slice(0, NAMED_MOST);
      const each = named.map(one => decided(kind, as, labels, one));
      const given = each.find(reasons => reasons.every(({ kind }) => kind === 'allows'));
      const refused = named.length === 0 ? decided(kind, as, labels, undefined) : each.flat();
      return given ?? [...new Map(refused.map(reason => [reason.text, reason])).values()];
    },

    guards: (kind, labels) =>
      held.flatMap(({ role }) =>
        role.guards.flatMap((guard, index) =>
          isGuarding(guard, kind, labels, traits)
            ? [at('guards', role, ['spec', 'guards', String(index)], guardText(guard.source))]
            : [],
        ),
      ),

    unprepared: (of, why) =>
      held.flatMap(({ role }) => {
        const path = makingIn(role, of);
        return path === null ? [] : [at('unprepared', role, path, `says ${path.at(-1)}, and ${why}`)];
      }),

    whyVerb(resource, verb) {
      const what = `"${verb}" on ${resource}`;
      const said = createRules(roles, user).speaking(resource, verb);
      const of = (wanted: SpokenRule['side'], counts: boolean, kind: Reason['kind'], words: string): Reason[] =>
        said
          .filter(one => one.side === wanted && one.counts === counts && (counts || one.depends))
          .map(({ role, side, index, depends }) =>
            at(
              kind,
              role,
              ['spec', side, 'rules', String(index)],
              `${words} ${what}${depends ? ', where its condition holds' : ''}`,
            ),
          );
      const no = of('deny', true, 'denies', 'denies');
      if (no.length > 0) return no;
      const yes = of('allow', true, 'allows', 'allows');
      const everybody = isImplicit(resource, verb)
        ? [unplaced('allows', `Everybody may ${verb} ${resource}: labels choose which.`)]
        : [];
      // What denies some of them says so beside what allows the rest.
      if (yes.length + everybody.length > 0) return [...yes, ...everybody, ...of('deny', false, 'denies', 'denies')];
      const almost = of('allow', false, 'missing', 'allows');
      return almost.length > 0
        ? almost
        : [unplaced('missing', `No role allows ${what} (needs it in the rules of a role).`)];
    },
  };
}
