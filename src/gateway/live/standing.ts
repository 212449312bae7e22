// Running sessions against the rights of now: they end when their owner may no longer have them, and show out who may no longer join.
import type { LiveSession } from '../../contract/live-sessions.ts';
import type { Rights, SessionInfo } from '../ports.ts';
import type { Sessions } from '../services/identity/web-sessions.ts';
import type { RightsSource } from '../services/rights/source.ts';
import type { Broker } from '../services/sessions/party.ts';
import type { Store } from '../store/store.ts';
import { openChecks } from './checks.ts';

export interface StandingParts {
  readonly sessions: Pick<Broker, 'list' | 'end' | 'showOut'>;
  readonly store: { readonly users: Pick<Store['users'], 'get'>; readonly resources: Pick<Store['resources'], 'get'> };
  readonly rights: Pick<RightsSource, 'rightsOf'>;
  readonly identity: { readonly sessions: Pick<Sessions, 'onEnded'> };
}

/** Deleting a user is noticed at once on this gateway, all else by the next check. You must dispose it. */
export function openStanding(parts: StandingParts, failed: (error: unknown) => void): { dispose(): void } {
  const { sessions, store } = parts;

  async function rightsOf(name: string): Promise<Rights | null> {
    const user = await store.users.get(name);
    return user && parts.rights.rightsOf(user);
  }
  /** A server that was taken out of the list keeps its sessions: nobody's rights have changed. */
  async function keepsLogin(rights: Rights, { server_id, login }: LiveSession): Promise<boolean> {
    const server = await store.resources.get('node', server_id);
    return server === null || rights.logins(server.labels).includes(login);
  }
  async function check({ session, ownerRoles }: SessionInfo, now: (user: string) => Promise<Rights | null>) {
    const { id, owner, login, server_hostname: host } = session;
    const rights = await now(owner);
    if (rights === null) {
      sessions.end(id, `The session was ended: user ${owner} was deleted.`);
      return;
    }
    if (!(await keepsLogin(rights, session))) {
      sessions.end(id, `The session was ended: ${owner} may no longer log in to ${host} as ${login}.`);
      return;
    }
    for (const { id: party, user, mode } of session.parties) {
      if (user === owner || mode === undefined) continue;
      const modes = (await now(user))?.joinModes(ownerRoles, 'ssh') ?? [];
      if (!modes.includes(mode)) sessions.showOut(id, party, 'You may no longer take part in this session.');
    }
  }

  const checks = openChecks(async () => {
    const known = new Map<string, Promise<Rights | null>>();
    const now = (user: string): Promise<Rights | null> => {
      const rights = known.get(user) ?? rightsOf(user);
      known.set(user, rights);
      return rights;
    };
    for (const running of sessions.list()) await check(running, now);
  }, failed);
  parts.identity.sessions.onEnded(checks.now);
  return checks;
}
