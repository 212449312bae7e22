// Rights against a slow reading of the rules that is too plain to be wrong, for random sets of roles, people and things.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RuleResource, Verb } from '../../../contract/acl.ts';
import type { Subject } from '../../ports/rights.ts';
import { onBothEngines, serverNamed } from '../../store/store.testing.ts';
import { principalsOf } from './principals.ts';
import { createReasons } from './reasons.ts';
import { createRights } from './rights.ts';
import { parseRole } from './role.ts';

/** Sets of roles that each of the two readings is tried with: ten thousand in all. */
const SETS = 5000;
const SETS_MOST_MS = 300_000;
const logins = principalsOf('ssh', { spec: {} });
/** `expect` where it is asked hundreds of thousands of times. */
function agree(about: readonly string[], found: unknown, wanted: unknown): void {
  if (found !== wanted) expect([...about, found]).toEqual([...about, wanted]);
}

/** Also names that objects have by themselves: they are labels and traits like any other. */
const keys = ['env', 'team', 'constructor', 'toString'];
const values = ['prod', 'dev', 'dev-1', ''];
const traitNames = ['teams', 'hasOwnProperty'];
const people = ['ann', 'bob'];
const key = fc.constantFrom(...keys);
const value = fc.constantFrom(...values);

/** What is asked about: the person, and perhaps a thing or a session. */
interface Case {
  readonly traits: Readonly<Record<string, readonly string[]>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly participants?: readonly string[];
}
/** A condition: as a role writes it, and what it says. `undefined`: what it asks for is not there. */
interface Condition {
  readonly text: string;
  readonly says: (asked: Case) => boolean | undefined;
}
const own = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.getOwnPropertyDescriptor(record, name)?.value;

const simple: fc.Arbitrary<Condition> = fc.oneof(
  fc.constantFrom(...people).map(name => ({
    text: `equals(user.metadata.name, "${name}")`,
    says: () => name === 'ann',
  })),
  fc.tuple(fc.constantFrom(...traitNames), value).map(([trait, wanted]) => ({
    text: `contains(user.spec.traits["${trait}"], "${wanted}")`,
    says: ({ traits }: Case) => ((own(traits, trait) as readonly string[] | undefined) ?? []).includes(wanted),
  })),
  fc.tuple(key, value).map(([name, wanted]) => ({
    text: `resource.metadata.labels["${name}"] == "${wanted}"`,
    says: ({ labels }: Case) => (labels ? (own(labels, name) ?? '') === wanted : undefined),
  })),
  fc.constantFrom(...people).map(name => ({
    text: `contains(ssh_session.participants, "${name}")`,
    says: ({ participants }: Case) => participants?.includes(name),
  })),
);
const conditions = fc.letrec<{ one: Condition }>(tie => ({
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    tie('one').map(of => ({
      text: `!(${of.text})`,
      says: (asked: Case) => {
        const said = of.says(asked);
        return said === undefined ? undefined : !said;
      },
    })),
    fc.tuple(tie('one'), tie('one'), fc.boolean()).map(([left, right, and]) => ({
      text: `(${left.text} ${and ? '&&' : '||'} ${right.text})`,
      says: (asked: Case) => {
        const said = [left.says(asked), right.says(asked)];
        if (said.includes(!and)) return !and;
        return said.includes(undefined) ? undefined : and;
      },
    })),
  ),
})).one;

const resources = ['ssh_session', 'user', 'billing', 'node'] as const satisfies readonly RuleResource[];
const verbs = ['list', 'read', 'delete'] as const satisfies readonly Verb[];
const rules = fc.array(
  fc.record({
    resources: fc.uniqueArray(fc.constantFrom(...resources, '*'), { minLength: 1, maxLength: 2 }),
    verbs: fc.uniqueArray(fc.constantFrom(...verbs, '*'), { minLength: 1, maxLength: 2 }),
    where: fc.option(conditions, { nil: undefined }),
  }),
  { maxLength: 3 },
);
type Rules = typeof rules extends fc.Arbitrary<infer Made> ? Made : never;
/** Literals, a glob, a regular expression, and values that the person's traits fill in. */
const pattern = fc.constantFrom('prod', 'dev', 'dev*', '*', '^(dev|prod)$', '{{external.teams}}', '');
const selector = fc.dictionary(key, fc.uniqueArray(pattern, { maxLength: 2 }), { maxKeys: 2 });
const side = fc.record({
  rules,
  node_labels: selector,
  logins: fc.uniqueArray(fc.constantFrom('root', 'web'), { maxLength: 2 }),
});
const roles = fc.array(fc.record({ allow: side, deny: side }), { maxLength: 3 });
type Roles = typeof roles extends fc.Arbitrary<infer Made> ? Made : never;

const traits = fc.dictionary(fc.constantFrom(...traitNames), fc.uniqueArray(value), { maxKeys: 2 });
const labels = fc.dictionary(key, value, { maxKeys: 3 });
const cases: fc.Arbitrary<Case> = fc.record(
  { traits, labels, participants: fc.uniqueArray(fc.constantFrom(...people)) },
  { requiredKeys: ['traits'] },
);

function heldBy(sides: Roles, of: Case) {
  const written = sides.map(({ allow, deny }, index) => {
    const spec = (one: typeof allow) => ({
      ...one,
      rules: one.rules.map(({ where, ...rule }) => (where ? { ...rule, where: where.text } : rule)),
    });
    return parseRole(
      JSON.stringify({
        kind: 'role',
        version: 'v7',
        metadata: { name: `r${index}` },
        spec: { allow: spec(allow), deny: spec(deny) },
      }),
    );
  });
  return [written, { name: 'ann', roles: written.map(({ name }) => name), traits: of.traits }] as const;
}
const rightsOf = (sides: Roles, of: Case) => createRights(...heldBy(sides, of));

/** Rules, word by word: any deny refuses, any allow gives, what cannot be said is not given and refused. */
function mayPlainly(sides: Roles, resource: string, verb: string, asked: Case): boolean {
  const some = (which: 'allow' | 'deny', unsaid: boolean) =>
    sides.some(role =>
      (role[which].rules as Rules).some(
        rule =>
          (rule.resources as string[]).some(name => name === '*' || name === resource) &&
          (rule.verbs as string[]).some(name => name === '*' || name === verb) &&
          (rule.where ? (rule.where.says(asked) ?? unsaid) : true),
      ),
    );
  const everybody = resource === 'node' && verb !== 'delete';
  return !some('deny', true) && (everybody || some('allow', false));
}

const fitsPlainly = (one: string, text: string, teams: readonly string[]): boolean => {
  if (one === '{{external.teams}}') return teams.filter(team => team !== '').includes(text);
  if (one === '*') return true;
  if (one === 'dev*') return text.startsWith('dev');
  if (one === '^(dev|prod)$') return text === 'dev' || text === 'prod';
  return one === text;
};
function selectsPlainly(sides: Roles, { traits: held, labels: at = {} }: Case): boolean {
  const teams = (own(held, 'teams') as readonly string[] | undefined) ?? [];
  const fires = (labels: Readonly<Record<string, readonly string[]>>) =>
    Object.keys(labels).length > 0 &&
    Object.entries(labels).every(([name, patterns]) => {
      const label = own(at, name);
      return typeof label === 'string' && patterns.some(one => fitsPlainly(one, label, teams));
    });
  return !sides.some(({ deny }) => fires(deny.node_labels)) && sides.some(({ allow }) => fires(allow.node_labels));
}

test(
  'what rules give is what a plain reading gives',
  () => {
    fc.assert(
      fc.property(roles, cases, (sides, asked) => {
        const rights = rightsOf(sides, asked);
        const subject: Subject = {
          ...(asked.labels && { resource: { name: 'thing', labels: asked.labels } }),
          ...(asked.participants && { participants: asked.participants }),
        };
        for (const resource of resources)
          for (const verb of verbs) {
            const plainly = mayPlainly(sides, resource, verb, asked);
            agree([resource, verb], rights.may(resource, verb, subject), plainly);
            // Whatever one thing gives, it gives only where the way to all of them is open.
            if (plainly && resource === 'ssh_session') agree([resource, verb], rights.may(resource, verb), true);
            // Where nothing is asked again, the way is open only to what needs no asking.
            if (resource === 'billing')
              agree(
                [resource, verb],
                rights.may(resource, verb),
                mayPlainly(sides, resource, verb, { traits: asked.traits }),
              );
          }
      }),
      { numRuns: SETS },
    );
  },
  SETS_MOST_MS,
);

test(
  'what labels select, and the logins there, are what a plain reading selects',
  () => {
    fc.assert(
      fc.property(roles, cases, (sides, asked) => {
        const rights = rightsOf(sides, asked);
        const at = asked.labels ?? {};
        const selected = selectsPlainly(sides, asked);
        agree(['selects'], rights.selects('node', at), selected);
        const denied = sides.flatMap(({ deny }) => deny.logins);
        const given = sides
          .filter(({ allow }) => selectsPlainly([{ allow, deny: { ...allow, node_labels: {} } }], asked))
          .flatMap(({ allow }) => allow.logins)
          .filter(login => !denied.includes(login));
        agree(['logins'], [...rights.logins(at)].sort().join(), selected ? [...new Set(given)].sort().join() : '');
        // The explanation says the same, and names who gives it.
        const reasons = createReasons(...heldBy(sides, asked));
        for (const login of ['root', 'web']) {
          const why = reasons.why('node', logins, at, login);
          agree(
            ['why', login],
            why.every(({ kind }) => kind === 'allows'),
            rights.logins(at).includes(login),
          );
          agree(['something is said'], why.length > 0, true);
        }
        const byLabels = reasons.why('node', null, at);
        agree(
          ['why, where labels alone decide'],
          byLabels.every(({ kind }) => kind === 'allows'),
          selected,
        );
        agree(['something is said of labels'], byLabels.length > 0, true);
        if (rights.logins(at).length > 0)
          agree(['somebody gives it'], reasons.givers('node', logins, at).length > 0, true);
      }),
      { numRuns: SETS },
    );
  },
  SETS_MOST_MS,
);

onBothEngines(({ open }) => {
  test('lists hold what rights select and rules leave', async () => {
    const { resources: stored } = await open();
    const servers = keys.flatMap(name =>
      values.map(one => serverNamed(`${name}-${one}-x`, { labels: { [name]: one, env: one === '' ? 'dev' : 'prod' } })),
    );
    servers.push(serverNamed('bare'));
    await stored.putMany(servers);
    await fc.assert(
      fc.asyncProperty(roles, traits, async (sides, held) => {
        const rights = rightsOf(sides, { traits: held });
        const { items } = await stored.list('node', { limit: 100, selection: rights.listing('node'), count: false });
        const expected = servers.filter(
          ({ name, labels: at }) =>
            rights.selects('node', at) && rights.may('node', 'list', { resource: { name, labels: at } }),
        );
        expect(items.map(({ name }) => name)).toEqual(expected.map(({ name }) => name).sort());
      }),
      { numRuns: 60 },
    );
  });
});
