// What a running session in a database hears of its statements: each is in the audit log, and counts as activity.

import { speaksOf } from '../../../contract/guards.ts';
import type {
  Answered,
  DatabaseAccess,
  Decision,
  GuardMatch,
  Masked,
  Question,
  Statements,
} from '../../ports/databases.ts';
import type { Told } from '../../ports/recordings.ts';
import type { Guard, Rights } from '../../ports/rights.ts';
import type { Who } from '../../ports/who.ts';
import type { DatabaseAudit } from './database-audit.ts';
import type { EndKind } from './participant.ts';
import { maskedIn, matchGuards } from './policy/guards.ts';
import { databaseRefusal } from './policy/rules.ts';
import type { Review, StatementReviews } from './reviews.ts';

/** Most of a packet that the audit log gets, bytes. */
const PAYLOAD_MOST_BYTES = 64;
/** Statements whose answers are awaited; what is answered behind more of them is recorded without its time. */
const OPEN_MOST = 1000;
/** Of the last statement, what lists of running sessions show, characters. */
const LAST_MOST_CHARACTERS = 200;
/** A statement whose answer takes this long is told to go on, and then each time it has taken twice as long, ms. */
const GOES_ON_MS = 10_000;
/** Parameters of an execution that the audit log lists. */
const PARAMETERS_MOST = 100;
/** Statements that are allowed for the session. */
const ALLOWED_MOST = 1000;

export interface StatementParts extends DatabaseAccess {
  readonly sid: string;
  readonly who: Pick<Who, 'user' | 'userId'>;
  readonly databaseAudit: DatabaseAudit;
  readonly reviews: Pick<StatementReviews, 'ask'>;
  /** The life of the session. */
  readonly life: {
    readonly over: boolean;
    active(): void;
    end(kind: EndKind, text: string): Promise<void>;
    readonly done: Promise<void>;
  };
  /** What the person's roles say now. */
  readonly rights: () => Rights;
  /** Writes to the session's recording, where statements are what is recorded; null: they are not. */
  readonly record: ((told: Told) => void) | null;
  readonly report: (problem: string, error: unknown) => void;
  readonly gone: Statements['gone'];
}
export interface SessionStatements extends Statements {
  /** The last one, as lists show it. */
  readonly last: string;
  /** The database that is used now. */
  readonly access: DatabaseAccess;
  /** The session is over: nothing waits any more. */
  ended(): void;
  /** The person's roles have changed: what waits is judged anew, and a session that was relayed unread cannot go on where guards count now. */
  follow(): void;
}

/** What the audit log has of columns whose values are hidden. */
const maskFields = (masked: Masked | null): { readonly masked?: readonly string[] } =>
  masked && masked.columns.length > 0 ? { masked: masked.columns } : {};
/** Parameters as the audit log has them: one for each, without their values, which may be anybody's secrets. */
function parameterFields(count = 0): { readonly db_query_parameters?: readonly string[] } {
  if (count === 0) return {};
  const listed = Array.from({ length: Math.min(count, PARAMETERS_MOST) }, () => '?');
  return { db_query_parameters: count > PARAMETERS_MOST ? [...listed, `… ${count} in all`] : listed };
}
const guardFields = ({ guard, role, effect }: GuardMatch): Readonly<Record<string, string>> => ({
  guard,
  guard_role: role,
  guard_effect: effect,
});

/** Ends the session when a statement is not in the audit log. */
export function createStatements(parts: StatementParts): SessionStatements {
  const { sid, databaseAudit, database, dbUser, life, report, gone } = parts;
  let { dbName } = parts;
  let last = '';
  let count = 0;
  /** `tellsMs`: it is told to go on once it has taken so long. */
  const open: { readonly text: string; readonly number: number; began: number; tellsMs: number }[] = [];
  let rowsSoFar: () => number | null = () => null;
  /** Runs while a statement is open: one for all of them, since most are over long before. */
  let watching: NodeJS.Timeout | null = null;

  const watchFor = (ms: number): void => {
    watching ??= setTimeout(goesOn, ms).unref();
  };
  function goesOn(): void {
    watching = null;
    const [first] = open;
    if (!first || life.over) return;
    const took = performance.now() - first.began;
    if (took >= first.tellsMs && waiting.size === 0) {
      parts.record?.({ kind: 'progress', statement: first.number, took: Math.round(took * 1000), rows: rowsSoFar() });
      first.tellsMs = 2 * took;
    }
    watchFor(Math.max(GOES_ON_MS, first.tellsMs - took));
  }
  /** Of the statement that the database answers now, for lists; '' while that is young. */
  function running(): string {
    const [first] = open;
    const seconds = first ? (performance.now() - first.began) / 1000 : 0;
    if (seconds * 1000 < GOES_ON_MS || waiting.size > 0) return '';
    const rows = rowsSoFar();
    return ` (goes on for ${Math.round(seconds)} s${rows === null ? '' : `, ${rows} rows so far`})`;
  }
  function begin(text: string, parameters: number | undefined): void {
    parts.record?.({ kind: 'statement', text, ...(parameters !== undefined && { parameters }) });
    watchFor(GOES_ON_MS);
    if (open.length >= OPEN_MOST) open.shift();
    open.push({ text, number: count, began: performance.now(), tellsMs: GOES_ON_MS });
    count += 1;
  }
  function over(text: string, rows: number | null, error: string): void {
    if (!parts.record) return;
    const at = open.findIndex(one => one.text === text);
    if (at < 0) return;
    const [{ number, began } = { number: count, began: performance.now() }] = open.splice(at, 1);
    const took = Math.round((performance.now() - began) * 1000);
    parts.record({ kind: 'answer', statement: number, took, rows, error });
  }
  /** The client has sent it. */
  function came(text: string, parameters?: number): void {
    life.active();
    last = text.slice(0, LAST_MOST_CHARACTERS);
    if (parts.record) begin(text, parameters);
  }
  let guardsOf: Rights | null = null;
  let held: readonly Guard[] = [];
  function guards(): readonly Guard[] {
    const rights = parts.rights();
    if (rights !== guardsOf)
      held = rights.guards('db', database.labels).filter(guard => speaksOf(guard, database.protocol));
    guardsOf = rights;
    return held;
  }
  const wasGuarded = guards().length > 0;
  const masksOf = (): readonly string[] => [
    ...new Set(guards().flatMap(({ effect, columns = [] }) => (effect === 'mask' ? columns : []))),
  ];
  const masks = masksOf();
  /** What waits for a review: judged anew when guards have changed. */
  const waiting = new Set<() => void>();
  /** What was allowed for the session: the statement, and by which guards it was asked about. */
  const allowed = new Map<string, { readonly by: string }>();
  const said = (text: string): void => parts.record?.({ kind: 'review', text });

  const hidden = (masked: Masked | null): void => {
    for (const text of masked?.texts ?? []) said(text);
  };
  function settled({ text, parameters, masked }: Question, match: GuardMatch, decision: Decision): Answered {
    const by = decision.by === undefined ? {} : { reviewer: decision.by };
    if (!decision.allowed) {
      const error = `${match.text}: ${decision.why}`;
      databaseAudit.note('TDB11W', {
        ...{ db_query: text, ...parameterFields(parameters), success: false, error },
        ...by,
        ...guardFields(match),
      });
      said(`not allowed: ${decision.why}`);
      over(text, null, error);
      return { refused: error, isCancelled: decision.isCancelled ?? false };
    }
    const last = open.findLast(one => one.text === text);
    if (last) last.began = performance.now();
    hidden(masked);
    databaseAudit.note('TDB02I', {
      ...{ db_query: text, ...parameterFields(parameters), success: true },
      ...by,
      ...guardFields(match),
      ...maskFields(masked),
    });
    return { refused: null, isCancelled: false };
  }
  async function ask(question: Question, signal: AbortSignal): Promise<Answered> {
    const { text, parameters, facts, isWhole } = question;
    came(text, parameters);
    let match = matchGuards(guards(), facts);
    if (match?.effect !== 'ask') throw new Error('a question that no guard asks');
    const key = (): string => JSON.stringify([text, match]);
    const known = allowed.get(key());
    if (known) {
      said(`allowed for the session by ${known.by}`);
      return settled(question, match, { allowed: true, by: known.by });
    }
    const asked = match;
    databaseAudit.note('TDB10I', { db_query: text, ...guardFields(asked) });
    said(`waits for a review: ${asked.text}`);
    const review: Review = parts.reviews.ask({
      sid,
      owner: parts.who,
      database,
      dbUser,
      dbName,
      text,
      isWhole,
      match: () => match ?? asked,
      plan: question.plan,
      waits: until =>
        question.waits(`${asked.text}: it waits for a reviewer until ${until.toISOString().slice(11, 16)} UTC`),
    });
    const rejudge = (): void => {
      const now = matchGuards(guards(), facts);
      if (life.over) review.settle({ allowed: false, why: 'the session was ended' });
      else if (now?.effect === 'block') review.settle({ allowed: false, why: `now ${now.text}` });
      else if (now?.effect !== 'ask') review.settle({ allowed: true, reason: 'no guard asks about it any more' });
      else {
        const isOther = JSON.stringify(now) !== JSON.stringify(match);
        match = now;
        if (isOther) review.changed();
      }
    };
    const cancel = (): void =>
      review.settle({ allowed: false, why: 'it was cancelled while it waited for a review', isCancelled: true });
    waiting.add(rejudge);
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    const decision = await review.decided;
    waiting.delete(rejudge);
    signal.removeEventListener('abort', cancel);
    if (decision.allowed) {
      const { by, reason = '', isForSession = false } = decision;
      const why = reason === '' ? {} : { reason };
      databaseAudit.note('TDB11I', {
        ...{ db_query: text, success: true, for_session: isForSession },
        ...(by !== undefined && { reviewer: by }),
        ...why,
        ...guardFields(asked),
      });
      said(by === undefined ? reason : `allowed ${isForSession ? 'for the session' : 'once'} by ${by}`);
      if (isForSession && by !== undefined && allowed.size < ALLOWED_MOST) allowed.set(key(), { by });
      life.active();
    }
    return settled(question, match, decision);
  }
  databaseAudit.onLost(error => {
    report(`session ${sid}: a statement is not in the audit log`, error);
    void life.end('forbidden', 'The session was ended: what is done in it cannot be written to the audit log.');
  });
  return {
    sid,
    get last() {
      return last + running();
    },
    get access() {
      return { database, dbUser, dbName };
    },
    ended() {
      if (watching) clearTimeout(watching);
      for (const rejudge of [...waiting]) rejudge();
    },
    follow() {
      for (const rejudge of [...waiting]) rejudge();
      const isOther = masksOf().some(pattern => !masks.includes(pattern));
      if ((!wasGuarded && guards().length > 0) || isOther)
        void life.end(
          'forbidden',
          `The session was ended: guards of your roles are about ${database.name} now. Connect again.`,
        );
    },
    mayUse: name => databaseRefusal(parts.rights(), { database, dbUser, dbName: name }),
    uses(name) {
      dbName = name;
      databaseAudit.uses(name);
    },
    get isGuarded() {
      return guards().length > 0;
    },
    judge: facts => matchGuards(guards(), facts),
    masks,
    masked: facts => maskedIn(guards(), facts),
    ask,
    blocked(text, match, parameters) {
      came(text, parameters);
      databaseAudit.note('TDB02W', {
        ...{ db_query: text, ...parameterFields(parameters), success: false, error: match.text },
        ...guardFields(match),
      });
      over(text, null, match.text);
    },
    begun(text, warned = null, masked = null, parameters = undefined) {
      came(text, parameters);
      hidden(masked);
      databaseAudit.note('TDB02I', {
        ...{ db_query: text, ...parameterFields(parameters), success: true },
        ...(warned && guardFields(warned)),
        ...maskFields(masked),
      });
    },
    counted(counter) {
      rowsSoFar = counter;
    },
    answered: (text, rows) => over(text, rows, ''),
    failed(text, error, parameters) {
      databaseAudit.note('TDB02W', { db_query: text, ...parameterFields(parameters), success: false, error });
      over(text, null, error);
    },
    note: databaseAudit.note,
    active: life.active,
    get hasRoom() {
      return databaseAudit.hasRoom;
    },
    onRoom: databaseAudit.onRoom,
    malformed(payload) {
      if (life.over) return;
      databaseAudit.note('TDB06I', {
        payload: Buffer.from(payload.subarray(0, PAYLOAD_MOST_BYTES)).toString('base64'),
      });
      void life.end('forbidden', `The session was ended: what was sent is not as ${database.protocol} writes it.`);
    },
    gone,
  };
}
