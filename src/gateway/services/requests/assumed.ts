// What somebody is with the access lists that they are in and the access requests that they use: asked at every call and again and again of what runs, so that nothing outlives its end.
import type { Grant, Rights, RightsUser } from '../../ports/rights.ts';
import type { Assumed, Barring } from '../../ports/who.ts';
import type { Resources } from '../../store/store.ts';
import { grantOf, readRequest } from './stored.ts';

export interface AssumedParts {
  readonly resources: Pick<Resources, 'named'>;
  readonly rights: { rightsOf(user: RightsUser, grants: readonly Grant[]): Promise<Rights> };
  /** The same person with what access lists give them. */
  readonly listed: <User extends RightsUser & { readonly created: Date }>(user: User) => Promise<User>;
  readonly barring: Barring;
  readonly clock?: () => Date;
}
export function createAssumed(parts: AssumedParts): Assumed {
  const { resources, rights, listed, barring, clock = () => new Date() } = parts;
  async function grantsOf(user: { readonly id: string }, requests: readonly string[]): Promise<readonly Grant[]> {
    if (requests.length === 0) return [];
    const now = clock();
    const found = (await resources.named('access_request', requests)).flatMap(row => readRequest(row) ?? []);
    const grants = found.flatMap(one => (one.userId === user.id ? (grantOf(one, now) ?? []) : []));
    const kept: Grant[] = [];
    for (const grant of grants) {
      // A lock on the request, or on a role that it gives, takes away what it gives; the person is not held back from the rest.
      const locked = await barring({ user: '', roles: grant.roles, accessRequests: [grant.request] }, null);
      if (locked === null) kept.push(grant);
    }
    return kept;
  }
  return async (own, requests) => {
    const user = await listed(own);
    const grants = await grantsOf(user, requests);
    const whole = grants.flatMap(({ roles, things }) => (things === null ? roles : []));
    return {
      roles: grants.length === 0 ? user.roles : [...new Set([...user.roles, ...whole])],
      traits: user.traits,
      rights: await rights.rightsOf(user, grants),
      grants,
    };
  };
}
