// As whom a run logs in where, and how much of that it has to say.
import type { CommandRunAsked } from '../../../contract/command-run.ts';
import type { Node } from '../../../contract/nodes.ts';

/** Servers that a run names with their logins: more would not fit an address. Up to so many, exactly what was seen is run. */
export const NAMED_MOST = 120;

/** The login on a server: what was chosen for it, else the one for all where it offers that, else its first; '' = it offers none. */
export const loginFor = (node: Node, login: string, chosen: Readonly<Record<string, string>>): string =>
  chosen[node.id] ?? (node.sshLogins.includes(login) ? login : (node.sshLogins[0] ?? ''));

/** What a run says of its logins; of many servers only where they differ from what most have. Null: they differ on too many. */
export function loginsOf(
  nodes: readonly Node[],
  login: string,
  chosen: Readonly<Record<string, string>>,
): Pick<CommandRunAsked, 'login' | 'logins'> | null {
  const all = nodes.map(node => [node.id, loginFor(node, login, chosen)] as const);
  if (all.length <= NAMED_MOST) return { logins: Object.fromEntries(all) };
  const [most] = [...Map.groupBy(all, ([, own]) => own)].toSorted(([, one], [, other]) => other.length - one.length);
  const others = all.filter(([, own]) => own !== most?.[0]);
  return others.length > NAMED_MOST ? null : { login: most?.[0] ?? '', logins: Object.fromEntries(others) };
}
