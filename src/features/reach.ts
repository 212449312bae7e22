// Who reaches what, in words: the console and the command line say it alike.
import { type AclFlag, type AclKey, aclFlags, aclResources } from '../contract/acl.ts';
import type { AccessAction, Reason } from '../contract/rights.ts';
import type { NounId } from './thing.ts';

/** By action: the kind of thing it is done to, what its principals are called, and how a sentence asks for both. */
export const reachable = {
  ssh: { noun: 'server', principals: 'Logins', principal: 'Login' },
  db: { noun: 'database', principals: 'Database users', principal: 'Database user' },
  kube: { noun: 'kubernetes', principals: 'Groups', principal: 'Group' },
  desktop: { noun: 'desktop', principals: 'Logins', principal: 'Login' },
  app: { noun: 'application', principals: 'Identities', principal: 'Identity' },
} as const satisfies Record<
  AccessAction,
  { readonly noun: NounId; readonly principals: string; readonly principal: string }
>;

/** Every action. The contract is asked for its type alone: what it says of calls is not part of the first page. */
export const actions = Object.keys(reachable) as readonly AccessAction[];

/** The action that reaches a kind of thing; undefined for kinds that none is known of. */
export const actionOn = (kind: NounId): AccessAction | undefined =>
  actions.find(action => reachable[action].noun === kind);

/** Where a reason stands: `role ops, line 9`; '' where no role says it. */
export const placeOf = ({ role, line }: Pick<Reason, 'role' | 'line'>): string =>
  role === '' ? '' : `role ${role}, line ${line}`;

/** One reason as a line of text, with its place. */
export function reasonText(reason: Reason): string {
  const place = placeOf(reason);
  return place === '' ? reason.text : `${reason.text} (${place})`;
}

/** The verb and the kind that a refusal names, in the words of `missingRule` or of the gateway; undefined where it names none. */
export function ruleIn(refusal: string): { readonly action: string; readonly target: string } | undefined {
  const [, action, target] = /(?:\(needs |gives you ")([a-z_]+)"? on "?([a-z_]+)/.exec(refusal) ?? [];
  return action === undefined || target === undefined ? undefined : { action, target };
}

/** Why somebody may not, where no rule of their roles allows it. `resource`: what it is called in a sentence. */
export const missingRule = (key: AclKey, flag: AclFlag, resource: string): string =>
  `None of your roles allows "${aclFlags[flag]}" on ${resource} (needs ${aclFlags[flag]} on ${aclResources[key]})`;
