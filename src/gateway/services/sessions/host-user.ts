// Whether a server is to make the user that somebody logs in as.
import type { Rights } from '../../ports/rights.ts';
import type { HostUser, Target } from '../../ports/servers.ts';

/** The label of a server that makes users. */
const MAKING_LABEL = { name: 'users', value: 'made' } as const;

/** For a request that opens something on the server; empty where it makes none. */
export function hostUserOf(
  { options, principals }: Pick<Rights, 'options' | 'principals'>,
  { subKind, labels }: Pick<Target, 'subKind' | 'labels'>,
): { readonly hostUser?: HostUser } {
  const mode = options.createHostUser;
  if (mode === 'off' || subKind === 'local' || labels[MAKING_LABEL.name] !== MAKING_LABEL.value) return {};
  return {
    hostUser: { mode, groups: principals('host_groups', labels), sudoers: principals('host_sudoers', labels) },
  };
}
