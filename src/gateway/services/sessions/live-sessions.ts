// Sessions that are running, for people: who sees one, and who may end it.
import { Failure } from '../../../contract/failure.ts';
import type { ListedSession } from '../../../contract/live-sessions.ts';
import type { SessionInfo, Who } from '../../ports.ts';
import type { Broker } from './participant.ts';

export interface LiveSessions {
  /** One's own, those that one may join, and those that a rule lets one list. */
  list(who: Who): readonly ListedSession[];
  /** Throws Failure not_found, also for one that this person may not see. */
  get(who: Who, sid: string): ListedSession;
  /** Whether anybody is on the desktop of this name. Who may ask is the caller's to check. */
  isDesktopActive(name: string): boolean;
  /** Ends it for everybody, which its owner and moderators may. Throws Failure not_found, denied. */
  end(who: Who, sid: string): void;
}

export function createLiveSessions(broker: Pick<Broker, 'list' | 'get' | 'modesFor' | 'end'>): LiveSessions {
  const notFound = (): Failure => new Failure('not_found', 'session not found');

  /** Null for whoever may not see it. */
  function seen(who: Who, running: SessionInfo): ListedSession | null {
    const modes = broker.modesFor(who, running.session.id);
    const isJoinable = modes.length > 0;
    if (!sees(who, running, isJoinable)) return null;
    const mayWatch = running.ownerId === who.userId || isJoinable;
    return {
      ...running.session,
      // Whoever may only see that it runs does not see what.
      ...(!mayWatch && { last_command: '' }),
      // What shows no terminal is seen and ended like any other, and joined by nobody.
      participantModes: running.session.command === '' ? [...modes] : [],
    };
  }
  function find(who: Who, sid: string): { readonly session: ListedSession; readonly isOwn: boolean } {
    const running = broker.get(sid);
    const session = running && seen(who, running);
    if (!session) throw notFound();
    return { session, isOwn: running.ownerId === who.userId };
  }

  return {
    list: who => broker.list().flatMap(running => seen(who, running) ?? []),
    get: (who, sid) => find(who, sid).session,
    isDesktopActive: name =>
      broker.list().some(({ session }) => session.kind === 'desktop' && session.desktop_name === name),
    end(who, sid) {
      const { isOwn } = find(who, sid);
      if (!isOwn && !broker.modesFor(who, sid).includes('moderator'))
        throw new Failure('denied', 'access denied: only its owner or a moderator may end a session');
      if (!broker.end(sid, `The session was ended by ${who.user}.`)) throw notFound();
    },
  };
}

function sees(who: Who, { session, ownerId }: SessionInfo, joinable: boolean): boolean {
  if (ownerId === who.userId || joinable) return true;
  const subject = {
    // Whoever owns it takes part, also while nobody is attached.
    participants: [...new Set([session.owner, ...session.parties.map(({ user }) => user)])],
    resource: { name: session.id, labels: {} },
  };
  return who.rights.may('ssh_session', 'list', subject) || who.rights.may('session_tracker', 'list', subject);
}
