// Things of the gateway as rows that can be picked.
import type { ListedSession } from '../src/contract/live-sessions.ts';
import type { Node } from '../src/contract/nodes.ts';
import type { Thing } from './command.ts';

/** Root first, then as the gateway ordered them. */
export function loginsInOrder(logins: readonly string[]): string[] {
  return [...logins.filter(login => login === 'root'), ...logins.filter(login => login !== 'root')];
}

/** What is wrong with an OS login, or undefined. The gateway decides whether a role allows it. */
export function wrongLogin(typed: string): string | undefined {
  if (typed === '') return 'A login has at least one character';
  if (typed.length > 255) return 'A login has at most 255 characters';
  return /[\s@\p{Cc}]/u.test(typed) ? 'A login has no spaces and no @' : undefined;
}

/** A server as a thing. */
export function serverThing(node: Node): Thing {
  const labels = node.tags.map(tag => `${tag.name}: ${tag.value}`);
  return {
    kind: 'server',
    id: node.id,
    title: node.hostname,
    detail: [node.tunnel ? 'tunnel' : node.addr, ...labels].filter(part => part !== '').join('  '),
    logins: loginsInOrder(node.sshLogins),
  };
}

/** A running session as a thing. Nobody may join one that offers no mode. */
export function sessionThing(session: ListedSession): Thing {
  const name = session.server_hostname || session.kubernetes_cluster_name || session.desktop_name || session.id;
  const users = [...new Set(session.parties.map(party => party.user))].join(', ');
  return {
    kind: 'session',
    id: session.id,
    title: session.login === '' ? name : `${session.login}@${name}`,
    detail: [users, session.id].filter(part => part !== '').join('  '),
    modes: session.participantModes,
  };
}
