// People and deployments for tests of what a person may do: the contract's own defaults, with the named rights on top.
import * as z from 'zod/mini';
import type { AclFlag, AclKey } from '../contract/acl.ts';
import { aclFlags, aclKeys } from '../contract/acl.ts';
import { type WebConfig, webConfig } from '../contract/config.ts';
import { type UserContext, userContext } from '../contract/session.ts';

/** A right as a test spells it, such as `nodes.list`. */
export type Right = `${AclKey}.${AclFlag}`;

export const everyRight: readonly Right[] = aclKeys.flatMap(key =>
  (Object.keys(aclFlags) as AclFlag[]).map((flag): Right => `${key}.${flag}`),
);

/** A signed-in person with these rights and no others. */
export function person(rights: readonly Right[] = [], more: Partial<UserContext> = {}): UserContext {
  const acl: Record<string, Record<string, boolean>> = {};
  for (const right of rights) {
    const [key = '', flag = ''] = right.split('.');
    acl[key] = { ...acl[key], [flag]: true };
  }
  const parsed = z.parse(userContext, {
    authType: 'local',
    userName: 'ada',
    userAcl: acl,
    cluster: {
      name: 'main',
      lastConnected: '2026-01-01T00:00:00Z',
      status: 'online',
      nodeCount: 1,
      publicURL: 'main:443',
      authVersion: '1',
      proxyVersion: '1',
    },
  });
  return { ...parsed, ...more };
}

/** A deployment with the contract's defaults. */
export const deployment = (more: Partial<WebConfig> = {}): WebConfig => ({
  ...z.parse(webConfig, {}),
  proxyCluster: 'main',
  ...more,
});
