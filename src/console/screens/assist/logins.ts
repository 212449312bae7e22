// As whom a proposed command may run: one login for all of its servers.
import type { Node } from '../../../contract/nodes.ts';

/** Logins that may do everything: offered last. */
const rootLike: ReadonlySet<string> = new Set(['root', 'administrator', 'admin', 'ec2-user', 'ubuntu', 'debian']);

/** Those that every server offers: the preferred ones first, in their order, those like root last. */
export function sharedLogins(
  nodes: readonly Pick<Node, 'sshLogins'>[],
  preferred: readonly string[],
): readonly string[] {
  const [first, ...others] = nodes;
  const shared = [...new Set(first?.sshLogins ?? [])].filter(login =>
    others.every(({ sshLogins }) => sshLogins.includes(login)),
  );
  const rank = (login: string): number => {
    const at = preferred.indexOf(login);
    return at >= 0 ? at : preferred.length + (rootLike.has(login.toLowerCase()) ? 1 : 0);
  };
  return shared.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
}
