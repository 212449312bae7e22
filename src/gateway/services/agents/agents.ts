// Agents for every door: delegating, renewing, stopping and deleting them, and what one may do at this very moment. An agent is its person with
// fewer rights: it has none that she has not now, and it ends with her.
import { randomBytes } from 'node:crypto';
import { AGENT_MS, type Agent, agentKinds, type createAgent, type renewAgent } from '../../../contract/agents.ts';
import type { BodyOf } from '../../../contract/call.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { Failure } from '../../../contract/failure.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { ListedPeople } from '../../ports/listed.ts';
import type { Rights, RightsUser } from '../../ports/rights.ts';
import type { Barring, Who } from '../../ports/who.ts';
import type { Resources, UserRecord, Users } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { digest, newSecret, sameSecret } from '../secrets.ts';
import { agentResource, readAgent, type StoredAgent, shownAgent, stateOf } from './stored.ts';

/** Agents of one person. */
const OWN_MOST = 20;
/** Calls of one agent that come at the same moment are counted one after the other. */
const TRIES_MOST = 200;
const ID_BYTES = 8;
const UNKNOWN = 'this agent token is not known here: it was mistyped, renewed, or its agent was deleted';
const NONE = 'there is no such agent';
const NO_ROLE = 'None of your roles lets you delegate agents (spec.options.agents: ask, or allow).';

export interface AgentParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'create' | 'put' | 'delete'>;
  readonly users: Pick<Users, 'byId'>;
  readonly rights: {
    delegated(user: RightsUser, given: Pick<StoredAgent, 'roles' | 'kinds' | 'labels' | 'logins'>): Promise<Rights>;
  };
  /** What access lists give its person counts for the agent too, for as long as it does for them. */
  readonly listed: Pick<ListedPeople, 'person'>;
  readonly barring: Barring;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  readonly clock?: () => Date;
}
interface Made {
  readonly agent: Agent;
  readonly token?: string;
}
/** An agent that makes a call. */
interface CallingAgent {
  readonly who: Who;
  /** Each command and statement waits for its person. */
  readonly asks: boolean;
}
export interface Agents {
  /** One's own, and everybody's for whoever may lock people; the newest first. */
  list(who: Who): Promise<readonly Agent[]>;
  /** The token is answered this once. Throws Failure denied, bad_request, exists, limited. */
  add(who: Who, wanted: BodyOf<typeof createAgent>): Promise<Made>;
  /** Throws Failure denied, not_found. */
  renew(who: Who, id: string, wanted: BodyOf<typeof renewAgent>): Promise<Made>;
  /** Throws Failure not_found, also for one that this person may not see. */
  stop(who: Who, id: string): Promise<void>;
  remove(who: Who, id: string): Promise<void>;
  /** The agent of this token. Throws Failure signed_out. */
  ofToken(token: string): Promise<{ readonly id: string; readonly name: string; readonly owner: string }>;
  /** Uses up one of its calls. Throws Failure denied with why it may make none. */
  begin(
    id: string,
    call: { readonly tool: string; readonly reason: string; readonly remoteAddr: string },
  ): Promise<CallingAgent>;
  /** The same call as its agent may go on with it now. Throws Failure denied. */
  again(calling: CallingAgent): Promise<CallingAgent>;
  /** What an agent of this person is now, or why it may not go on. */
  now(id: string, user: UserRecord): Promise<Pick<Who, 'roles' | 'rights'> | string>;
}

export function createAgents(parts: AgentParts): Agents {
  const { resources, users, rights, listed, barring, audit, changes, clock = () => new Date() } = parts;
  const tell = (): void => changes.emit({ kind: 'agentsChanged' });

  async function stored(id: string): Promise<StoredAgent | null> {
    const row = await resources.get('agent', id);
    return row && readAgent(row);
  }
  const isOverseer = (who: Who): boolean => who.rights.may('lock', 'create');
  async function seen(who: Who, id: string): Promise<StoredAgent> {
    const one = await stored(id);
    if (!one || (one.ownerId !== who.userId && !isOverseer(who))) throw new Failure('not_found', NONE);
    return one;
  }
  const all = async (): Promise<readonly StoredAgent[]> =>
    (await allOf(resources, 'agent')).flatMap(row => readAgent(row) ?? []);

  /** Reads and writes until nobody has written in between. */
  async function changed(
    read: () => Promise<StoredAgent>,
    change: (one: StoredAgent) => Partial<StoredAgent>,
  ): Promise<StoredAgent> {
    for (let tries = 0; tries < TRIES_MOST; tries += 1) {
      const one = await read();
      const next = { ...one, ...change(one) };
      try {
        await resources.put(agentResource(next), one.revision);
        tell();
        return next;
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'changed')) throw error;
      }
    }
    throw new Failure('limited', 'this agent makes more calls at once than can be counted');
  }
  const note = (code: string, by: Who, one: StoredAgent): Promise<unknown> =>
    audit.emit({
      code,
      user: by.user,
      user_id: by.userId,
      agent: one.name,
      agent_id: one.id,
      owner: one.owner,
      ...(code === 'TAG00I' || code === 'TAG01I' ? { expires: one.until, calls: one.calls } : {}),
      ...(code === 'TAG00I' ? { roles: one.roles, kinds: one.kinds, labels: one.labels, logins: one.logins } : {}),
    });
  const untilOf = (wanted: string): string =>
    new Date(clock().getTime() + (parseDuration(wanted) ?? AGENT_MS)).toISOString();

  /** What it is, given its person as they are now; a sentence: why it is nothing. */
  async function judged(
    one: StoredAgent,
    own: UserRecord | null,
  ): Promise<Pick<Who, 'roles' | 'rights' | 'traits'> | string> {
    const state = stateOf(one, clock());
    if (state === 'stopped') return `Agent ${one.name} was stopped.`;
    if (state === 'ended') return `The time of agent ${one.name} is up: its person can renew it.`;
    if (!own || own.id !== one.ownerId) return `The person of agent ${one.name} is no user any more.`;
    const user = await listed.person(own);
    const now = await rights.delegated(user, one);
    if (now.options.agents === 'off') return `No role of ${user.name} allows agents (any more).`;
    if (!one.roles.some(role => user.roles.includes(role)))
      return `${user.name} has none of the roles of agent ${one.name} (any more).`;
    const locked = await barring({ user: user.name, roles: user.roles, mfaDevices: [] }, now.options.locking);
    return locked ?? { roles: user.roles, rights: now, traits: user.traits };
  }
  async function calling(one: StoredAgent, reason: string, remoteAddr: string): Promise<CallingAgent> {
    const user = await users.byId(one.ownerId);
    const now = await judged(one, user);
    if (typeof now === 'string' || user === null) throw new Failure('denied', typeof now === 'string' ? now : NONE);
    const who: Who = {
      user: user.name,
      userId: user.id,
      since: user.created,
      authType: user.authType === 'local' ? 'local' : 'sso',
      // No web session: nothing of one can be reached with it.
      webSessionId: `agent:${one.id}`,
      mfaDevice: '',
      grants: [],
      expires: new Date(one.until),
      remoteAddr,
      agent: { id: one.id, name: one.name, reason },
      ...now,
    };
    return { who, asks: one.asks || now.rights.options.agents === 'ask' };
  }

  return {
    async list(who) {
      const now = clock();
      const oversees = isOverseer(who);
      return (await all())
        .filter(one => oversees || one.ownerId === who.userId)
        .map(one => shownAgent(one, who.userId, now))
        .toSorted((one, other) => (one.created < other.created ? 1 : -1));
    },
    async add(who, { for: life, roles: chosen, kinds, ...wanted }) {
      if (who.rights.options.agents === 'off') throw new Failure('denied', NO_ROLE);
      const own = await users.byId(who.userId);
      if (!own) throw new Failure('denied', 'People of another cluster delegate their agents there.');
      const user = await listed.person(own);
      const isNarrow = kinds !== undefined || Object.keys(wanted.labels).length > 0 || wanted.logins.length > 0;
      if (chosen === undefined && !isNarrow) {
        const text = 'name roles, kinds, labels or logins: an agent has fewer rights than its person';
        throw new Failure('bad_request', text, { roles: text });
      }
      const roles = [...new Set(chosen ?? user.roles)];
      const foreign = roles.find(role => !user.roles.includes(role));
      if (foreign !== undefined || roles.length === 0) {
        const text = foreign === undefined ? 'at least one role' : `you do not have role "${foreign}"`;
        throw new Failure('bad_request', `roles: ${text}`, { roles: text });
      }
      const before = (await all()).filter(({ ownerId }) => ownerId === who.userId);
      if (before.some(({ name }) => name === wanted.name))
        throw new Failure('exists', `you have an agent "${wanted.name}" already: renew it, or delete it first`);
      if (before.length >= OWN_MOST)
        throw new Failure('limited', `you have ${OWN_MOST} agents already: delete one first`);
      const secret = newSecret();
      const hasLabels = Object.keys(wanted.labels).length > 0;
      const one: StoredAgent = {
        ...wanted,
        id: `a${randomBytes(ID_BYTES).toString('hex')}`,
        created: clock(),
        revision: 0,
        ownerId: who.userId,
        owner: who.user,
        hash: digest(secret),
        roles,
        // What carries no labels is only there for an agent that labels narrow where it was named.
        kinds: [...new Set(kinds ?? (hasLabels ? (['server', 'database', 'cluster'] as const) : agentKinds))],
        isStopped: false,
        until: untilOf(life),
        used: 0,
        lastCall: null,
      };
      await resources.create(agentResource(one));
      await note('TAG00I', who, one);
      tell();
      return { agent: shownAgent(one, who.userId, clock()), token: `${one.id}.${secret}` };
    },
    async renew(who, id, { for: life, calls, newToken }) {
      if (who.rights.options.agents === 'off') throw new Failure('denied', NO_ROLE);
      const secret = newSecret();
      const one = await changed(
        async () => {
          const found = await seen(who, id);
          if (found.ownerId !== who.userId) throw new Failure('denied', 'only its person renews an agent');
          return found;
        },
        () => ({
          isStopped: false,
          until: untilOf(life),
          calls,
          used: 0,
          ...(newToken && { hash: digest(secret) }),
        }),
      );
      await note('TAG01I', who, one);
      return { agent: shownAgent(one, who.userId, clock()), ...(newToken && { token: `${id}.${secret}` }) };
    },
    async stop(who, id) {
      await note(
        'TAG02I',
        who,
        await changed(
          () => seen(who, id),
          () => ({ isStopped: true }),
        ),
      );
    },
    async remove(who, id) {
      const one = await seen(who, id);
      if (!(await resources.delete('agent', id))) throw new Failure('not_found', NONE);
      await note('TAG03I', who, one);
      tell();
    },
    async ofToken(token) {
      const [id = '', secret = ''] = token.split('.');
      const one = /^a[0-9a-f]{16}$/.test(id) ? await stored(id) : null;
      // Also takes as long for an id that there is none of.
      const fits = sameSecret(one?.hash ?? '', digest(secret));
      if (!one || !fits) throw new Failure('signed_out', UNKNOWN);
      return { id, name: one.name, owner: one.owner };
    },
    async begin(id, { tool, reason, remoteAddr }) {
      const one = await stored(id);
      if (!one) throw new Failure('denied', UNKNOWN);
      const call = await calling(one, reason, remoteAddr);
      await changed(
        async () => {
          const now = await stored(id);
          if (!now || now.isStopped) throw new Failure('denied', `Agent ${one.name} was stopped.`);
          if (now.used >= now.calls)
            throw new Failure(
              'denied',
              `Agent ${one.name} has made all of its ${now.calls} calls: its person can renew it.`,
            );
          return now;
        },
        now => ({ used: now.used + 1, lastCall: { at: clock().toISOString(), tool, reason } }),
      );
      return call;
    },
    async again({ who: { agent, remoteAddr } }) {
      const one = agent && (await stored(agent.id));
      if (!agent || !one) throw new Failure('denied', UNKNOWN);
      return calling(one, agent.reason, remoteAddr);
    },
    async now(id, user) {
      const one = await stored(id);
      return one ? judged(one, user) : 'The agent was deleted.';
    },
  };
}
