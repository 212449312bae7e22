// Who may see which events, and list and open which recordings, which are the audit log's session ends: rules, and the note that somebody did.
import { type AuditEvent, EVENTS_MOST, FOUND_PLACES_MOST, type FoundRecording } from '../../../contract/audit.ts';
import { Failure } from '../../../contract/failure.ts';
import type { LiveSession } from '../../../contract/live-sessions.ts';
import type { CommandMark, RecordingSummary, SharedMark, TransferMark } from '../../../contract/recordings.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Who } from '../../ports/who.ts';
import type { EventQuery, Events } from '../../store/store.ts';
import { commandText } from '../command-marks.ts';
import type { Audit } from './audit.ts';
import { participantsFor } from './participants.ts';

/** Types of events that end a session with a recording. */
const SESSION_ENDS = ['session.end', 'windows.desktop.session.end', 'db.session.end', 'app.session.end'] as const;
/** Pages read for one answer where conditions leave out most of what they hold. */
const READS_MOST = 20;
/** A reader who opens a recording again within this time is not noted again: a player makes many calls. */
const NOTED_FOR_MS = 600_000;
/** Reader and recording pairs remembered at once. */
const NOTED_MOST = 10_000;
const SID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Recordings that one text search asks about: those that a person may not see, and those that hold the words but not the text, count. */
const ASKED_MOST = 500;

/** Things shared with a desktop in one session that are told, at most. */
const SHARED_MOST = 1000;
const CLOCKS_MS = 1000;
const sharedActions: ReadonlyMap<string, SharedMark['action']> = new Map([
  ['desktop.clipboard.send', 'send'],
  ['desktop.clipboard.receive', 'receive'],
  ['desktop.directory.share', 'share'],
  ['desktop.directory.read', 'read'],
  ['desktop.directory.write', 'write'],
]);

/** Files copied during one session that are told, at most. */
const TRANSFERS_MOST = 1000;
/** Programs of one session that are answered: all that are written down. */
const COMMANDS_MOST = 1000;

/** A recording in which a text may stand. */
export interface TextCandidate {
  readonly sid: string;
  /** When the session began, ms since 1970. */
  readonly started: number;
}
interface TextSearch {
  readonly text: string;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly limit: number;
  readonly startKey?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

export interface AuditAccessParts<Candidate extends TextCandidate> {
  readonly audit: AuditLog & Pick<Audit, 'search' | 'count'>;
  readonly events: Pick<Events, 'endOf'>;
  /** The session of this id, while it runs. */
  readonly running: (sid: string) => LiveSession | null;
  /** What the recording itself says. */
  readonly summary: (sid: string) => Promise<Pick<RecordingSummary, 'participants' | 'started'> | null>;
  /** What was printed in recordings, whoever may see it. */
  readonly text: {
    find(
      text: string,
      query: { readonly from: number; readonly to: number; readonly after: TextCandidate | null },
    ): Promise<readonly Candidate[]>;
    hits(found: Candidate, text: string, most: number): Promise<readonly FoundRecording['places'][number][]>;
  };
  readonly clock: () => Date;
}
export interface AuditAccess {
  /** A page of the events that the rules let this person see. Throws Failure bad_request. */
  events(who: Who, query: EventQuery): ReturnType<Audit['search']>;
  /** How many there are in slices of a time range; none for whoever conditions keep some events from: a count would tell of them. */
  count(who: Who, ...asked: Parameters<Audit['count']>): ReturnType<Audit['count']>;
  /** All of them, a page at a time. Rejects as `events` does. */
  everyEvent(who: Who, query: Omit<EventQuery, 'limit' | 'startKey'>): AsyncIterable<readonly AuditEvent[]>;
  /** The same of recorded sessions that have ended. */
  recordings(who: Who, query: Omit<EventQuery, 'types'>): ReturnType<Audit['search']>;
  /** Recordings that this person may play in which a text stands, newest first; notes the access to each. Throws Failure bad_request. */
  searchText(who: Who, search: TextSearch): Promise<{ recordings: readonly FoundRecording[]; startKey: string }>;
  /** Files that the people of a session copied from or to its server while it ran: those whose events this person may read, oldest first. */
  transfers(
    who: Who,
    session: Pick<RecordingSummary, 'started' | 'durationMs' | 'participants' | 'serverId'>,
  ): Promise<TransferMark[]>;
  /** What was shared with a desktop in its session, without its content: those whose events this person may read, oldest first. */
  shared(
    who: Who,
    session: Pick<RecordingSummary, 'sid' | 'started' | 'durationMs' | 'desktop'>,
  ): Promise<SharedMark[]>;
  /**
   * Programs that the server's kernel saw start in a session, in order: those whose events this person may read. `commands` are what its
   * output tells of.
   */
  kernelCommands(who: Who, session: Pick<RecordingSummary, 'sid' | 'started' | 'commands'>): Promise<CommandMark[]>;
  /** Throws Failure not_found or denied; notes the access in the audit log before anything is shown. */
  openRecording(who: Who, sid: string): Promise<void>;
  /** The same of what shows nothing of its content: not noted. */
  checkRecording(who: Who, sid: string): Promise<void>;
}

export function createAuditAccess<Candidate extends TextCandidate>(parts: AuditAccessParts<Candidate>): AuditAccess {
  const { audit, clock } = parts;
  const noted = new Map<string, number>();

  /** The log is read on where conditions leave out what was found, up to a bound. */
  async function visible(who: Who, resource: 'event' | 'session', query: EventQuery): ReturnType<Audit['search']> {
    const names = who.rights.participants(resource, 'list');
    if (names?.length === 0) return { events: [], startKey: '' };
    const asked = { ...query, ...(names && { amongst: names }) };
    const events: AuditEvent[] = [];
    let startKey = query.startKey ?? '';
    for (let read = 0; read < READS_MOST; read++) {
      const page = await audit.search({ ...asked, startKey, limit: query.limit - events.length });
      events.push(...page.events.filter(event => maySee(who, event, 'list', resource)));
      startKey = page.startKey;
      if (startKey === '' || events.length >= query.limit) break;
    }
    return { events, startKey };
  }

  /** What tells whose a session was: the audit log or the running session; the recording itself where neither knows it. */
  async function told(sid: string): Promise<Fields | null> {
    const end = await parts.events.endOf(sid);
    if (end) return end.raw;
    const running = parts.running(sid);
    if (running)
      return {
        participants: [...new Set([running.owner, ...running.parties.map(({ user }) => user)])],
        session_start: running.created,
      };
    const summary = await parts.summary(sid);
    return summary && { participants: summary.participants, session_start: summary.started };
  }

  async function checkRecording(who: Who, sid: string): Promise<void> {
    const event = SID.test(sid) ? await told(sid) : null;
    if (event === null) throw new Failure('not_found', 'recording not found');
    if (!maySee(who, event, 'read', 'session')) throw new Failure('denied', 'access denied to this recording');
  }

  async function noteOpened(who: Who, sid: string): Promise<void> {
    const key = `${who.userId}\n${sid}`;
    const now = clock().getTime();
    if (now - (noted.get(key) ?? Number.NEGATIVE_INFINITY) < NOTED_FOR_MS) return;
    await audit.emit({ code: 'T2012I', sid, user: who.user, user_id: who.userId });
    noted.delete(key);
    noted.set(key, now);
    const oldest = noted.keys().next().value;
    if (noted.size > NOTED_MOST && oldest !== undefined) noted.delete(oldest);
  }

  return {
    events: (who, query) => visible(who, 'event', query),
    count: async (who, query, slices) => (who.rights.isFree('event', 'list') ? audit.count(query, slices) : []),
    async *everyEvent(who, query) {
      for (let startKey: string | undefined; startKey !== ''; ) {
        const page = await visible(who, 'event', { ...query, limit: EVENTS_MOST, ...(startKey && { startKey }) });
        yield page.events;
        startKey = page.startKey;
      }
    },
    recordings: (who, query) => visible(who, 'session', { ...query, types: SESSION_ENDS }),
    async searchText(who, { text, from, to, limit, startKey }) {
      const candidates = await parts.text.find(text, {
        from: from?.getTime() ?? 0,
        to: to?.getTime() ?? Number.MAX_SAFE_INTEGER,
        after: startKey ? readPlace(startKey) : null,
      });
      const recordings: FoundRecording[] = [];
      let last: Candidate | undefined;
      for (const candidate of candidates.slice(0, ASKED_MOST)) {
        last = candidate;
        const end = await parts.events.endOf(candidate.sid);
        if (!end || !maySee(who, end.raw, 'read', 'session')) continue;
        const places = await parts.text.hits(candidate, text, FOUND_PLACES_MOST);
        if (places.length === 0) continue;
        recordings.push({ event: end.raw as AuditEvent, places: [...places] });
        if (recordings.length >= limit) break;
      }
      await Promise.all(recordings.map(({ event }) => noteOpened(who, String(event.sid))));
      return { recordings, startKey: last && last !== candidates.at(-1) ? `${last.started}:${last.sid}` : '' };
    },
    async transfers(who, { started, durationMs, participants, serverId }) {
      const began = Date.parse(started);
      const { events } = await visible(who, 'event', {
        from: new Date(began),
        to: new Date(began + durationMs),
        types: ['scp'],
        descending: false,
        limit: TRANSFERS_MOST,
      });
      return events
        .filter(event => event.server_id === serverId && participants.includes(event.user ?? ''))
        .flatMap(event => transferOf(event, began) ?? []);
    },
    async shared(who, { sid, started, durationMs, desktop }) {
      if (desktop === undefined) return [];
      const began = Date.parse(started);
      const { events } = await visible(who, 'event', {
        from: new Date(began),
        // A clock that counts from the session's begin and the log's own are not the same.
        to: new Date(began + durationMs + CLOCKS_MS),
        types: [...sharedActions.keys()],
        search: sid,
        descending: false,
        limit: SHARED_MOST,
      });
      return events
        .filter(event => event.sid === sid && event.success !== false)
        .flatMap(event => sharedOf(event, began, durationMs) ?? []);
    },
    async kernelCommands(who, { sid, started, commands: [first] }) {
      const began = Date.parse(started);
      const { events } = await visible(who, 'event', {
        from: new Date(began),
        to: clock(),
        types: ['session.command'],
        search: sid,
        descending: false,
        limit: COMMANDS_MOST,
      });
      return events
        .filter(event => event.sid === sid)
        .map(event => commandOf(event, began))
        .map(mark => (first && mark.ms < first.ms ? { ...mark, source: 'startup' as const } : mark))
        .sort((one, other) => one.ms - other.ms);
    },
    async openRecording(who, sid) {
      await checkRecording(who, sid);
      await noteOpened(who, sid);
    },
    checkRecording,
  };
}

/** Throws Failure bad_request. */
function readPlace(startKey: string): TextCandidate {
  const [, started, sid = ''] = /^(\d{1,15}):([0-9a-f-]{36})$/.exec(startKey) ?? [];
  if (started === undefined)
    throw new Failure('bad_request', 'startKey: is not one that a search answered', { startKey: 'unknown' });
  return { started: Number(started), sid };
}

/** Whether the rules give the verb on this event, or on the recording that it ended. */
const maySee = (who: Who, event: Fields, verb: 'list' | 'read', resource: 'event' | 'session'): boolean =>
  who.rights.may(resource, verb, { participants: participantsFor(who, event) });

/** A program as it was started, with its arguments. */
function commandOf(event: AuditEvent, began: number): CommandMark {
  const { process_start: start, argv, program } = event as Fields;
  const words = Array.isArray(argv) ? argv.map(String) : [String(program ?? '')];
  return {
    ms: Math.max(0, Date.parse(typeof start === 'string' ? start : event.time) - began),
    text: commandText(words.map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')),
    source: 'kernel',
    status: null,
    endMs: null,
  };
}

/** Null when the event tells of no copy, such as one that was refused at the door. */
function transferOf(event: AuditEvent, began: number): TransferMark | null {
  const { action, path, attributes, exitCode, user = '' } = event as Fields & { readonly user?: string };
  if ((action !== 'download' && action !== 'upload') || typeof path !== 'string') return null;
  const { file_size: bytes } = (attributes ?? {}) as Fields;
  return {
    ms: Math.max(0, Date.parse(event.time) - began),
    user,
    action,
    path,
    bytes: typeof bytes === 'number' ? bytes : null,
    isFailed: exitCode !== '0',
  };
}

function sharedOf(
  event: Fields & Pick<AuditEvent, 'event' | 'time'>,
  began: number,
  durationMs: number,
): SharedMark | null {
  const action = sharedActions.get(event.event);
  if (action === undefined) return null;
  const { user, length, file_path: file, directory_name: directory } = event;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    ms: Math.min(durationMs, Math.max(0, Date.parse(event.time) - began)),
    user: text(user),
    action,
    name: text(file) || text(directory),
    bytes: typeof length === 'number' ? length : null,
  };
}
