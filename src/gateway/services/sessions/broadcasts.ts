// What one person types into several sessions at once: one entry in the audit log, from when to when, with all of them.
import { randomUUID } from 'node:crypto';
import { Failure } from '../../../contract/failure.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Who } from '../../ports/who.ts';
import type { Broker } from './participant.ts';

/** Broadcasts of one person that run at the same time: one for each window somebody may have open. */
const OWN_MOST = 10;
/** How often it is looked whether one has lost its sessions, ms. */
const LOOK_EVERY_MS = 5000;

interface Broadcast {
  readonly who: Who;
  readonly sessions: readonly { readonly sid: string; readonly title: string }[];
  readonly began: Date;
}
export interface Broadcasts {
  /** Answers its id. Throws Failure not_found for a session that does not run or in which this person does not type, bad_request for too many. */
  begin(who: Who, sids: readonly string[]): string;
  /** Throws Failure not_found, also for another person's. */
  end(who: Who, id: string): Promise<void>;
  /** Ends those that have no two sessions left. */
  look(): Promise<void>;
  /** Ends all. */
  close(): Promise<void>;
}

export function createBroadcasts(
  broker: Pick<Broker, 'get'>,
  audit: AuditLog,
  now: () => Date,
  report: (problem: string, error: unknown) => void,
): Broadcasts {
  const running = new Map<string, Broadcast>();
  let timer: NodeJS.Timeout | undefined;

  const typesIn = ({ user }: Who, sid: string) => {
    const session = broker.get(sid)?.session;
    return session?.parties.some(party => party.user === user && party.mode === 'peer') ? session : undefined;
  };
  async function finish(id: string): Promise<void> {
    const broadcast = running.get(id);
    if (broadcast === undefined) return;
    running.delete(id);
    if (running.size === 0) clearInterval(timer);
    const { who, sessions, began } = broadcast;
    await audit.emit({
      code: 'T2014I',
      user: who.user,
      user_id: who.userId,
      'addr.remote': who.remoteAddr,
      sids: sessions.map(({ sid }) => sid),
      servers: sessions.map(({ title }) => title),
      session_start: began.toISOString(),
      session_stop: now().toISOString(),
    });
  }
  async function look(): Promise<void> {
    for (const [id, { who, sessions }] of [...running])
      if (sessions.filter(({ sid }) => typesIn(who, sid)).length < 2) await finish(id);
  }
  return {
    begin(who, sids) {
      const sessions = [...new Set(sids)].map(sid => {
        const session = typesIn(who, sid);
        if (session === undefined) throw new Failure('not_found', 'session not found');
        return { sid, title: `${session.login}@${session.server_hostname}` };
      });
      if (sessions.length < 2) throw new Failure('bad_request', 'a broadcast needs two sessions');
      if ([...running.values()].filter(one => one.who.userId === who.userId).length >= OWN_MOST)
        throw new Failure('bad_request', `no more than ${OWN_MOST} broadcasts at the same time`);
      const id = randomUUID();
      if (running.size === 0)
        timer = setInterval(() => {
          look().catch((error: unknown) => report('the end of a broadcast could not be audited', error));
        }, LOOK_EVERY_MS).unref();
      running.set(id, { who, sessions, began: now() });
      return id;
    },
    async end(who, id) {
      if (running.get(id)?.who.userId !== who.userId) throw new Failure('not_found', 'broadcast not found');
      await finish(id);
    },
    look,
    async close() {
      for (const id of [...running.keys()]) await finish(id);
    },
  };
}
