// Sessions that are running: whoever may join or list them sees them (contract/api.md 6).
import { Failure } from '../../contract/failure.ts';
import { endSession, type ListedSession, listSessions } from '../../contract/live-sessions.ts';
import { OK } from '../../contract/shapes.ts';
import type { SessionInfo, Who } from '../ports.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveLiveSessions(serve: Serve, { sessions }: Services): void {
  serve(listSessions, (_asked, who) => ({
    sessions: sessions.list().flatMap((running): ListedSession[] => {
      const participantModes = [...sessions.modesFor(who, running.session.id)];
      return sees(who, running, participantModes.length > 0) ? [{ ...running.session, participantModes }] : [];
    }),
  }));

  serve(endSession, ({ params }, who) => {
    const running = sessions.get(params.sid);
    const participantModes = running ? sessions.modesFor(who, params.sid) : [];
    if (!running || !sees(who, running, participantModes.length > 0))
      throw new Failure('not_found', 'session not found');
    const mayEnd = running.session.owner === who.user || participantModes.includes('moderator');
    if (!mayEnd) throw new Failure('denied', 'access denied: only its owner or a moderator may end a session');
    if (!sessions.end(params.sid, who.user)) throw new Failure('not_found', 'session not found');
    return OK;
  });
}

/** One's own, those one may join, and those that a rule lets one list. */
function sees(who: Who, { session }: SessionInfo, joinable: boolean): boolean {
  if (session.owner === who.user || joinable) return true;
  const subject = {
    participants: [...new Set(session.parties.map(({ user }) => user))],
    resource: { name: session.id, labels: {} },
  };
  return who.rights.may('ssh_session', 'list', subject) || who.rights.may('session_tracker', 'list', subject);
}
