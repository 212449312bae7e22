// Whether a server is to make the user that somebody logs in as.
import type { Rights } from '../../ports/rights.ts';
import type { HostUser, Target } from '../../ports/servers.ts';
import { makesHostUsers } from '../made-users.ts';

/** For a request that opens something on the server; empty where it makes none. */
export function hostUserOf(
  { options, principals }: Pick<Rights, 'options' | 'principals'>,
  { subKind, labels }: Pick<Target, 'subKind' | 'labels'>,
): { readonly hostUser?: HostUser } {
  const mode = options.createHostUser;
  if (mode === 'off' || !makesHostUsers(subKind, labels)) return {};
  return {
    hostUser: { mode, groups: principals('host_groups', labels), sudoers: principals('host_sudoers', labels) },
  };
}
