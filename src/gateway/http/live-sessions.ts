// Sessions that are running: whoever may join or list them sees them.
import { Failure } from '../../contract/failure.ts';
import { endSession, getSession, type ListedSession, listSessions } from '../../contract/live-sessions.ts';
import { OK } from '../../contract/shapes.ts';
import type { SessionInfo, Who } from '../ports.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveLiveSessions(serve: Serve, { sessions }: Services): void {
  /** None for whoever may not see it. */
  function seen(who: Who, running: SessionInfo | null): ListedSession[] {
    if (!running) return [];
    const participantModes = [...sessions.modesFor(who, running.session.id)];
    return sees(who, running, participantModes.length > 0) ? [{ ...running.session, participantModes }] : [];
  }
  function find(who: Who, sid: string): ListedSession & { readonly isOwn: boolean } {
    const running = sessions.get(sid);
    const [session] = seen(who, running);
    if (!session) throw new Failure('not_found', 'session not found');
    return { ...session, isOwn: running?.ownerId === who.userId };
  }

  serve(listSessions, (_asked, who) => ({ sessions: sessions.list().flatMap(running => seen(who, running)) }));
  serve(getSession, ({ params }, who) => ({ sessions: [find(who, params.sid)] }));

  serve(endSession, ({ params }, who) => {
    const { isOwn, participantModes } = find(who, params.sid);
    const mayEnd = isOwn || participantModes.includes('moderator');
    if (!mayEnd) throw new Failure('denied', 'access denied: only its owner or a moderator may end a session');
    if (!sessions.end(params.sid, `The session was ended by ${who.user}.`))
      throw new Failure('not_found', 'session not found');
    return OK;
  });
}

/** One's own, those one may join, and those that a rule lets one list. */
function sees(who: Who, { session, ownerId }: SessionInfo, joinable: boolean): boolean {
  if (ownerId === who.userId || joinable) return true;
  const subject = {
    // Whoever owns it takes part, also while nobody is attached.
    participants: [...new Set([session.owner, ...session.parties.map(({ user }) => user)])],
    resource: { name: session.id, labels: {} },
  };
  return who.rights.may('ssh_session', 'list', subject) || who.rights.may('session_tracker', 'list', subject);
}
