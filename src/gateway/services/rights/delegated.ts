// Rights of an agent: what some of a person's roles give, narrowed further. It never has more than its person: whatever her other roles deny,
// guard or demand counts for it too.
import type { AgentKind } from '../../../contract/agents.ts';
import type { Expression } from '../../../contract/predicate.ts';
import type { LabelledKind, Rights, RightsUser } from '../../ports/rights.ts';
import { limitedTo } from './limited.ts';
import { createRights } from './rights.ts';
import type { Role, Rule } from './role.ts';

/** What an agent was given of its person's rights. */
export interface Delegation {
  readonly roles: readonly string[];
  readonly kinds: readonly AgentKind[];
  /** Only what carries all of them. */
  readonly labels: Readonly<Record<string, string>>;
  /** Only as these logins and database users; empty: whatever roles name. */
  readonly logins: readonly string[];
}

const selected = { server: 'node', database: 'db', cluster: 'kube_cluster' } as const satisfies Partial<
  Record<AgentKind, LabelledKind>
>;
/** What rules call what an agent looks for. */
const ruled: Readonly<Record<AgentKind, string>> = {
  server: 'node',
  database: 'db_server',
  cluster: 'kube_server',
  recording: 'session',
  audit: 'event',
};
/** What an agent may do by rules: nothing that changes anything. */
const VERBS = ['list', 'read'] as const;

const hasLabel = ([name, value]: readonly [string, string]): Expression => ({
  kind: 'equal',
  left: { kind: 'field', path: ['labels', name] },
  right: { kind: 'literal', value },
});
const and = (left: Expression, right: Expression): Expression => ({ kind: 'and', left, right });

/** What is left of a role that an agent was given. */
function narrowed(role: Role, { kinds, labels }: Delegation): Role {
  const wanted = Object.entries(labels)
    .map(hasLabel)
    .reduce<Expression | null>((all, one) => (all === null ? one : and(all, one)), null);
  const selectors: { -readonly [Kind in LabelledKind]?: Role['allow']['selectors'][Kind] } = {};
  for (const kind of kinds) {
    if (kind !== 'server' && kind !== 'database' && kind !== 'cluster') continue;
    const selector = role.allow.selectors[selected[kind]];
    if (!selector) continue;
    const { expression } = selector;
    const both = wanted && expression ? and(wanted, expression) : (wanted ?? expression);
    selectors[selected[kind]] = { ...selector, expression: both };
  }
  const resources = kinds.map(kind => ruled[kind]);
  const rules = role.allow.rules.flatMap((rule): Rule[] => {
    const verbs = VERBS.filter(verb => rule.verbs.includes('*') || rule.verbs.includes(verb));
    const about = resources.filter(one => rule.resources.includes('*') || rule.resources.includes(one));
    return verbs.length > 0 && about.length > 0 ? [{ ...rule, verbs, resources: about }] : [];
  });
  const { request: _request, review_requests: _reviews, impersonate: _others, ...source } = role.allow.source;
  return { ...role, allow: { ...role.allow, selectors, rules, joinSessions: [], source } };
}

/** `roles` are those that the person holds now, read. Of those that the agent was not given, only what takes away is left. */
export function delegatedRights(roles: readonly Role[], user: RightsUser, given: Delegation): Rights {
  const held = roles.map(role => (given.roles.includes(role.name) ? narrowed(role, given) : limitedTo(role, [])));
  const rights = createRights(held, user);
  if (given.logins.length === 0) return rights;
  const only = (names: readonly string[]): readonly string[] =>
    names.includes('*') ? given.logins : names.filter(name => given.logins.includes(name));
  const logins: Rights['logins'] = labels => only(rights.logins(labels));
  const principals: Rights['principals'] = (key, labels) =>
    key === 'db_users' ? only(rights.principals(key, labels)) : rights.principals(key, labels);
  const ownDatabaseUser: Rights['ownDatabaseUser'] = labels =>
    given.logins.includes(user.name) && rights.ownDatabaseUser(labels);
  // What is computed when it is first asked for stays so.
  return Object.create(rights, {
    logins: { value: logins },
    principals: { value: principals },
    ownDatabaseUser: { value: ownDatabaseUser },
  }) as Rights;
}
