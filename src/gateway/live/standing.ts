// Running sessions against the rights of now: they end when their owner may no longer have them, and show out who may no longer join.
import type { Rights, SessionInfo } from '../ports.ts';
import type { Sessions } from '../services/identity/web-sessions.ts';
import type { RightsSource } from '../services/rights/source.ts';
import type { Broker } from '../services/sessions/party.ts';
import type { Resource, Store } from '../store/store.ts';
import { openChecks } from './checks.ts';

export interface StandingParts {
  readonly sessions: Pick<Broker, 'list' | 'end' | 'showOut'>;
  readonly store: { readonly users: Pick<Store['users'], 'get'>; readonly resources: Pick<Store['resources'], 'get'> };
  readonly rights: Pick<RightsSource, 'rightsOf'>;
  readonly identity: { readonly sessions: Pick<Sessions, 'onEnded'> };
}
/** What one check has read: every user and every server once, however many sessions they have. */
interface Now {
  /** Null when there is no such user (any more). */
  rightsOf(user: string): Promise<Rights | null>;
  server(id: string): Promise<Resource | null>;
}

/** Deleting a user is noticed at once on this gateway, all else by the next check. You must dispose it. */
export function openStanding(parts: StandingParts, failed: (error: unknown) => void): { dispose(): void } {
  const { sessions, store } = parts;

  const read = (): Now => ({
    rightsOf: once(async name => {
      const user = await store.users.get(name);
      return user && parts.rights.rightsOf(user);
    }),
    server: once(id => store.resources.get('node', id)),
  });

  async function check({ session, ownerRoles }: SessionInfo, now: Now): Promise<void> {
    const { id, owner, login, server_hostname: host } = session;
    const rights = await now.rightsOf(owner);
    if (rights === null) {
      sessions.end(id, `The session was ended: user ${owner} was deleted.`);
      return;
    }
    // A server that was taken out of the list keeps its sessions: nobody's rights have changed.
    const server = await now.server(session.server_id);
    if (server && !rights.logins(server.labels).includes(login)) {
      sessions.end(id, `The session was ended: ${owner} may no longer log in to ${host} as ${login}.`);
      return;
    }
    for (const { id: party, user, mode } of session.parties) {
      if (user === owner || mode === undefined) continue;
      const modes = (await now.rightsOf(user))?.joinModes(ownerRoles, 'ssh') ?? [];
      if (!modes.includes(mode)) sessions.showOut(id, party, 'You may no longer take part in this session.');
    }
  }

  const checks = openChecks(async () => {
    const now = read();
    for (const running of sessions.list()) await check(running, now);
  }, failed);
  parts.identity.sessions.onEnded(checks.now);
  return checks;
}

/** Asks for each key once. */
function once<Value>(ask: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const asked = new Map<string, Promise<Value>>();
  return key => {
    const answer = asked.get(key) ?? ask(key);
    asked.set(key, answer);
    return answer;
  };
}
