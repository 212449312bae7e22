// Sessions that are running, for people: who sees one, and who may end it.
import { Failure } from '../../../contract/failure.ts';
import type { ListedSession, LiveSession, Mode } from '../../../contract/live-sessions.ts';
import type { SessionInfo } from '../../ports/sessions.ts';
import type { Who } from '../../ports/who.ts';
import { describe } from './describe.ts';
import type { FilesSession } from './files/connections.ts';
import type { Files } from './files/files.ts';
import type { Broker } from './participant.ts';
import { modesOf } from './policy/rules.ts';

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

interface Found {
  readonly session: ListedSession;
  readonly mayEnd: boolean;
}
interface LiveSessionPorts {
  readonly broker: Pick<Broker, 'list' | 'get' | 'modesFor' | 'end'>;
  /** Connections for files, which are sessions that nobody joins. */
  readonly files: Pick<Files, 'list' | 'forbid'>;
  readonly clusterName: string;
}

export function createLiveSessions({ broker, files, clusterName }: LiveSessionPorts): LiveSessions {
  const notFound = (): Failure => new Failure('not_found', 'session not found');

  /** Null for whoever may not see it. */
  function seen(who: Who, running: SessionInfo): ListedSession | null {
    // Each time it is asked for it is put together anew.
    const { session, ownerId, reached, showsPictures } = running;
    const modes = broker.modesFor(who, session.id);
    const isJoinable = modes.length > 0;
    if (!sees(who, { session, ownerId }, isJoinable)) return null;
    const mayWatch = ownerId === who.userId || isJoinable;
    return {
      ...session,
      // Whoever may only see that it runs does not see what.
      ...(!mayWatch && { last_command: '' }),
      // What shows nothing is seen and ended like any other, and joined by nobody.
      participantModes: showsTerminal({ session, reached })
        ? [...modes]
        : showsPictures
          ? modes.filter(isWatching)
          : [],
    };
  }
  function seenFiles(who: Who, running: FilesSession): Found | null {
    const owner = { ownerId: running.who.userId, ownerRoles: running.who.roles };
    const modes = modesOf(who, owner);
    const session = describeFiles(running, clusterName);
    if (!sees(who, { ...owner, session }, modes.length > 0)) return null;
    return {
      session: { ...session, participantModes: [] },
      mayEnd: owner.ownerId === who.userId || modes.includes('moderator'),
    };
  }
  const ofFiles = (who: Who): readonly Found[] => files.list().flatMap(one => seenFiles(who, one) ?? []);
  function find(who: Who, sid: string): Found {
    const running = broker.get(sid);
    const session = running && seen(who, running);
    if (!session) {
      const found = ofFiles(who).find(one => one.session.id === sid);
      if (!found) throw notFound();
      return found;
    }
    return { session, mayEnd: running.ownerId === who.userId || broker.modesFor(who, sid).includes('moderator') };
  }

  return {
    list: who => [
      ...broker.list().flatMap(running => seen(who, running) ?? []),
      ...ofFiles(who).map(({ session }) => session),
    ],
    get: (who, sid) => find(who, sid).session,
    isDesktopActive: name =>
      broker.list().some(({ session }) => session.kind === 'desktop' && session.desktop_name === name),
    end(who, sid) {
      const { session, mayEnd } = find(who, sid);
      if (!mayEnd) throw new Failure('denied', 'access denied: only its owner or a moderator may end a session');
      const why = `The session was ended by ${who.user}.`;
      if (session.kind === 'file') files.forbid(sid, why);
      else if (!broker.end(sid, why)) throw notFound();
    },
  };
}

/** A connection for files as lists show it: its owner is there, and nobody else. */
const describeFiles = ({ sid, who, target, login, since, lastUsed }: FilesSession, clusterName: string): LiveSession =>
  describe({
    kind: 'file',
    sid,
    owner: who.user,
    login,
    target,
    size: { cols: 0, rows: 0 },
    started: since,
    lastInput: lastUsed,
    clusterName,
    moderated: false,
    state: 'running',
    seats: [{ participant: { id: sid }, who, mode: 'peer', lastActive: lastUsed }],
  });

function sees(who: Who, { session, ownerId }: Pick<SessionInfo, 'session' | 'ownerId'>, joinable: boolean): boolean {
  if (ownerId === who.userId || joinable) return true;
  const subject = {
    // Whoever owns it takes part, also while nobody is attached.
    participants: [...new Set([session.owner, ...session.parties.map(({ user }) => user)])],
    resource: { name: session.id, labels: {} },
  };
  return who.rights.may('ssh_session', 'list', subject) || who.rights.may('session_tracker', 'list', subject);
}

/** Pictures are watched, and nothing else. */
const isWatching = (mode: Mode): boolean => mode === 'observer';

/** A shell of a server or of a container: what people's own clients run elsewhere is not shown here. */
const showsTerminal = ({ session, reached }: Pick<SessionInfo, 'session' | 'reached'>): boolean =>
  session.command === '' && (!reached || (reached.kind === 'kube_cluster' && session.server_id !== ''));
