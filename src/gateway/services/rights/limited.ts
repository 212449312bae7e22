// A role that is given on single things only: what an access request for things gives.
import type { Expression } from '../../../contract/predicate.ts';
import { OWN_NAME_LABEL } from '../../ports/own-name.ts';
import type { GrantedThing, LabelledKind } from '../../ports/rights.ts';
import type { Role } from './role.ts';

const isNamed = (name: string): Expression => ({
  kind: 'equal',
  left: { kind: 'field', path: ['labels', OWN_NAME_LABEL] },
  right: { kind: 'literal', value: name },
});

/**
 * The same role, of which only these things are left of all that its labels select. It gives no rules, and lets nobody join sessions or ask for
 * more; what it denies, guards and demands counts as ever.
 */
export function limitedTo(role: Role, things: readonly GrantedThing[]): Role {
  const names = new Map<LabelledKind, Expression>();
  for (const { kind, name } of things) {
    const before = names.get(kind);
    names.set(kind, before ? { kind: 'or', left: before, right: isNamed(name) } : isNamed(name));
  }
  const selectors: { -readonly [Kind in keyof Role['allow']['selectors']]: Role['allow']['selectors'][Kind] } = {};
  for (const [kind, named] of names) {
    const selector = role.allow.selectors[kind];
    if (!selector) continue;
    const { expression } = selector;
    selectors[kind] = {
      ...selector,
      expression: expression ? { kind: 'and', left: named, right: expression } : named,
    };
  }
  const { request: _request, review_requests: _reviews, impersonate: _others, ...source } = role.allow.source;
  return { ...role, allow: { ...role.allow, selectors, rules: [], joinSessions: [], source } };
}
