// File transfers in a session whose roles demand others in it: asked for by whoever types, approved by as many as may be there, done once.
import { randomUUID } from 'node:crypto';
import { Failure } from '../../../contract/failure.ts';
import type { FileRequest } from '../../../contract/terminal.ts';
import type { JoinDemand } from '../../ports/rights.ts';
import { createScope, type FileAct, type FilePlace, type Granted, type Scope } from './files/scope.ts';
import { type Attendee, lackOf } from './policy/attendance.ts';

/** Requests of one session that nobody has decided or used yet. */
const REQUESTS_MOST = 10;

interface FileRequestsParts {
  readonly sid: string;
  /** Where the session is. */
  readonly place: FilePlace;
  readonly ownerId: string;
  readonly demands: () => readonly JoinDemand[];
  readonly attendees: () => readonly Attendee[];
  readonly tell: (event: FileEvent) => void;
}
interface FileEvent {
  readonly event: 'file_transfer_request' | 'file_transfer_request_approve' | 'file_transfer_request_deny';
  readonly [field: string]: unknown;
}
interface Asked {
  readonly id: string;
  readonly by: Attendee;
  readonly transfer: FileRequest;
  /** Name of the server that it is copied to. */
  readonly hostname: string;
  readonly scope: Scope;
  /** Ids of users. */
  readonly approvers: Set<string>;
  approved: boolean;
}
/** What was approved of something that is about to be done. */
export interface ApprovedAct extends Granted {
  /** Aborted when the session is ended, not when its shell just exits. */
  readonly signal: AbortSignal;
}
export interface FileRequests {
  /** The session was ended, with that sentence: so is what was approved in it and still runs. */
  end(why: string): void;
  /**
   * Null, or what whoever asked is told: a denial of a request that nobody else has heard of, with the reason. `hostname`: of the server that
   * it is copied to.
   */
  ask(by: Attendee, transfer: FileRequest, hostname?: string): FileEvent | null;
  /** Approves or denies; the requester takes it back. Why not, or null. */
  decide(by: Attendee, id: string, approves: boolean): string | null;
  /** What was approved for this person of that: a transfer once. Null: nothing. */
  take(userId: string, id: string, act: FileAct): ApprovedAct | null;
  /** What somebody who comes must hear of. */
  pending(): readonly FileEvent[];
}

export function createFileRequests({ sid, place, ownerId, demands, attendees, tell }: FileRequestsParts): FileRequests {
  const asked = new Map<string, Asked>();
  const ending = new AbortController();

  const approversOf = ({ approvers }: Asked): readonly Attendee[] =>
    attendees().filter(({ userId }) => approvers.has(userId));
  const eventOf = (event: FileEvent['event'], one: Asked): FileEvent => ({
    event,
    sid,
    requestID: one.id,
    requester: one.by.user,
    approvers: [...new Set(approversOf(one).map(({ user }) => user))],
    location: one.transfer.location,
    ...(one.transfer.filename !== '' && { filename: one.transfer.filename }),
    download: one.transfer.download,
    ...(one.transfer.reach && { reach: one.transfer.reach }),
    ...(one.transfer.act && { act: one.transfer.act }),
    ...(one.transfer.to && { to: { ...one.transfer.to, hostname: one.hostname } }),
  });

  return {
    end: why => ending.abort(new Failure('denied', why)),
    ask(by, transfer, hostname = '') {
      const scope = createScope([transfer], place);
      const one: Asked = { id: randomUUID(), by, transfer, hostname, scope, approvers: new Set(), approved: false };
      const refused = (message: string): FileEvent => ({ ...eventOf('file_transfer_request_deny', one), message });
      if (demands().length === 0) return refused('This session asks nobody before a file transfer.');
      if (by.mode !== 'peer') return refused('Only who types in this session asks for file transfers.');
      // What was approved of whole folders stands until the session ends, or others need its place.
      const stands = asked.size < REQUESTS_MOST ? undefined : [...asked.values()].find(({ approved }) => approved);
      if (stands) asked.delete(stands.id);
      if (asked.size >= REQUESTS_MOST) return refused(`There are ${REQUESTS_MOST} file transfer requests already.`);
      asked.set(one.id, one);
      tell(eventOf('file_transfer_request', one));
      return null;
    },
    decide(by, id, approves) {
      const one = asked.get(id);
      if (!one) return 'There is no such file transfer request any more.';
      const isOwn = by.userId === one.by.userId;
      if (by.mode === 'observer' || (isOwn && approves)) return 'You may not decide about this file transfer.';
      if (!approves) {
        asked.delete(id);
        tell(eventOf('file_transfer_request_deny', one));
        return null;
      }
      if (one.approved) return null;
      one.approvers.add(by.userId);
      tell(eventOf('file_transfer_request', one));
      const lack = lackOf(demands(), ownerId, approversOf(one));
      if (lack) return null;
      one.approved = true;
      tell(eventOf('file_transfer_request_approve', one));
      return null;
    },
    take(userId, id, act) {
      const one = asked.get(id);
      const granted = one?.approved === true && one.by.userId === userId ? one.scope.take(act) : null;
      if (!one || !granted) return null;
      if (one.scope.isSpent) asked.delete(id);
      return { ...granted, signal: ending.signal };
    },
    pending: () =>
      [...asked.values()].filter(({ approved }) => !approved).map(one => eventOf('file_transfer_request', one)),
  };
}
