// Databases as sessions, guards and protocols need them.
import type { Writable } from 'node:stream';
import type { GuardEffect, StatementKind } from '../../contract/guards.ts';
import type { Guard } from './rights.ts';
import type { ReachedClient } from './sessions.ts';
import type { Shell, Size } from './shell.ts';
import type { Who } from './who.ts';

/** A database server as sessions and protocols need it. */
export interface DatabaseTarget {
  readonly name: string;
  readonly protocol: string;
  /** As people wrote it. */
  readonly uri: string;
  readonly host: string;
  readonly port: number;
  /** Name that its certificate has. */
  readonly serverName: string;
  /** PEM: who vouches for it. Null: the cluster's own authority. */
  readonly authorities: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly type: string;
  /** The user of the person's own that is made there for their sessions; null: none is. */
  readonly made: MadeUser | null;
  /** It holds databases that roles name, beside its users. */
  readonly namesDatabases: boolean;
  /** Of RDS or Aurora: where in AWS it is. Null: the gateway logs in by its certificate. */
  readonly rds: RdsPlace | null;
}
interface RdsPlace {
  readonly region: string;
  readonly accountId: string;
}
/** How the gateway logs in to databases of RDS. */
export interface RdsLogins {
  /** PEM: who vouches for the servers of a region. Throws ConnectError. */
  authorities(region: string): Promise<string>;
  /** What is shown as a password, for a quarter of an hour. Throws ConnectError. */
  password(to: RdsPlace & { readonly host: string; readonly port: number; readonly dbUser: string }): Promise<string>;
}

/** A database user that is there for the sessions of one person. */
interface MadeUser {
  readonly name: string;
  /** Roles of the database that it gets. */
  readonly roles: readonly string[];
  /** As whom, and in which database, the gateway makes it. */
  readonly admin: { readonly dbUser: string; readonly dbName: string };
}

/** Which database is used, and as whom there. */
export interface DatabaseAccess {
  readonly database: DatabaseTarget;
  readonly dbUser: string;
  /** '' where there are none to name. */
  readonly dbName: string;
}

/** What a statement does, read from its grammar. */
export interface StatementFacts {
  readonly kinds: ReadonlySet<StatementKind>;
  /** As they are written, in any part of it; `schema` is '' where none is. */
  readonly tables: readonly { readonly schema: string; readonly name: string }[];
  /** Names of columns, without their tables. */
  readonly columns: ReadonlySet<string>;
  /** It may read or write columns that it does not name. */
  readonly allColumns: boolean;
  /** Databases can say how they would go about it. */
  readonly isPlanned: boolean;
  /** Columns whose values do more than stand in its answer, or in a table, as they are: in conditions, calls, orders. */
  readonly used: Pick<StatementFacts, 'columns' | 'allColumns'>;
  /** By which names columns stand in its answer where these are not their own. */
  readonly aliases: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of the functions that it calls. */
  readonly functions: ReadonlySet<string>;
  /** It gives something another name, or another schema. */
  readonly renames: boolean;
  /** What it takes up of statements before it: prepared ones and cursors by their names, or what the server has said about them. */
  readonly takesUp: readonly string[];
  /** Of a Redis command: its name, alone and with its subcommand, in small letters, and its keys; null: it may be about any. */
  readonly command?: { readonly names: readonly string[]; readonly keys: readonly string[] | null };
}
/** Columns whose values nobody in the session may see. */
export interface Masked {
  /** Those that the statement is about, as guards name them, such as `customers.card`. */
  readonly columns: readonly string[];
  /** What the person is told, a sentence for each guard. */
  readonly texts: readonly string[];
  /** Whether what stands in an answer under this name may be such a value. `of`: the table that it was read from, where the server says so. */
  hides(name: string, of?: StatementFacts['tables'][number]): boolean;
}

/** What becomes of a guarded statement, and what the person and the audit log read about it. */
export interface GuardMatch {
  readonly effect: GuardEffect;
  readonly guard: string;
  readonly role: string;
  readonly text: string;
  /** Of the guards that ask: whom each names as reviewers, where it names any. */
  readonly reviewers: readonly NonNullable<Guard['reviewers']>[];
}
/** How a database would go about a statement; `without`: why that is not known. One of them is ''. */
export interface Plan {
  readonly text: string;
  readonly without: string;
}
/** What became of a statement that waited. `by`: the reviewer; absent: nobody. `isCancelled`: by the client. */
export type Decision =
  | { readonly allowed: true; readonly by?: string; readonly reason?: string; readonly isForSession?: boolean }
  | { readonly allowed: false; readonly by?: string; readonly why: string; readonly isCancelled?: boolean };
/** A statement that a guard asks about. */
export interface Question {
  readonly text: string;
  /** The text is all of it. */
  readonly isWhole: boolean;
  /** Of one that was prepared: how many parameters it is executed with; undefined: none was, or that is not known. */
  readonly parameters?: number | undefined;
  readonly facts: readonly StatementFacts[] | null;
  /** What is hidden in its answer; null: nothing. */
  readonly masked: Masked | null;
  plan(): Promise<Plan>;
  /** It begins to wait: the client is told this. */
  waits(text: string): void;
}
/** Null in `refused`: it goes on. */
export interface Answered {
  readonly refused: string | null;
  readonly isCancelled: boolean;
}

/** What a protocol tells the session of that it relays for. Nothing throws. */
export interface Statements {
  readonly sid: string;
  /** Whether guards are about what is done here. */
  readonly isGuarded: boolean;
  /** What guards say of a statement: the strictest of those that are about it. Null for what cannot be read: the strictest of all. */
  judge(facts: readonly StatementFacts[] | null): GuardMatch | null;
  /** Columns that guards mask here, as they name them. Of one pattern that is not among those that a session began with, it is ended. */
  readonly masks: readonly string[];
  /** What is hidden in the answer to these statements; null: nothing. */
  masked(facts: readonly StatementFacts[]): Masked | null;
  /**
   * A guard asks about a statement: resolves once somebody has decided. It is in the audit log then, begun or blocked. `signal`: the client does
   * not want it any more.
   */
  ask(question: Question, signal: AbortSignal): Promise<Answered>;
  /** A guard keeps a statement from the database. */
  blocked(text: string, match: GuardMatch, parameters?: number): void;
  /** Asked now and then about a statement whose answer takes its time: how many of its rows have passed; null: nobody counts them. */
  counted(rowsSoFar: () => number | null): void;
  /**
   * The client has sent a statement, or executes one that was prepared. `warned`: a guard has said something about it; `masked`: what is hidden
   * in its answer. `parameters`: as in `Question`.
   */
  begun(text: string, warned?: GuardMatch | null, masked?: Masked | null, parameters?: number): void;
  /** The database has answered a statement; `rows` is null where nobody has counted. */
  answered(text: string, rows: number | null): void;
  /** The database refused the statement that began last, or one before it. */
  failed(text: string, error: string, parameters?: number): void;
  /** Why the client may not go on in another database of the server; null: it may. */
  mayUse(dbName: string): string | null;
  /** It has gone on there. */
  uses(dbName: string): void;
  /** Something else that the audit log has a code for. */
  note(code: string, fields: Readonly<Record<string, unknown>>): void;
  /** Whether the client may be read on: the audit log has kept up. */
  readonly hasRoom: boolean;
  /** Calls once there is room again. */
  onRoom(listener: () => void): void;
  /** Something went by that is not read: idleness counts from now. */
  active(): void;
  /** What the client or the database sent cannot be read: the session is ended. */
  malformed(payload: Uint8Array): void;
  /** Client or database are gone. `error`: '' when in good order. */
  gone(error: string): void;
}

/** A database, for a client that speaks its protocol. */
export interface OpenDatabase extends DatabaseAccess {
  readonly who: Who;
  /** Id of the device that this very session was proven with, where roles ask for that. */
  readonly device?: string;
  /** Bytes are passed on that nobody reads: there is nothing to record. */
  readonly isUnread?: boolean;
  /** Connects to the database, with a certificate that lives so long, ms. `noteMade`: as in PromptRequest. Throws ConnectError. */
  reach(ttlMs: number, noteMade: PromptRequest['noteMade']): Promise<ReachedClient>;
}

/** What a session gives a prompt that is to be its shell. */
export interface PromptRequest {
  readonly size: Size;
  /** What a certificate may live from now on, ms. Throws Failure denied once the web session is over. */
  ttlMs(): number;
  /** A user is ready that was made for the session, and may not log in before this resolves. */
  noteMade(): Promise<void>;
  /** Leave to use this database of the server; resolves once the session has begun. Throws Failure denied. */
  begin(dbName: string): Promise<Statements>;
  /**
   * Hands a file to the browser of the person whose session it is. Resolves, once that fetches it, with where to write it: destroyed when
   * nobody reads on, and to be destroyed where it does not come to its end. Throws Failure unavailable.
   */
  hand(file: HandedFile, signal: AbortSignal): Promise<Writable>;
}
export interface HandedFile {
  readonly name: string;
  /** Media type. */
  readonly type: string;
}

/** A database as a prompt in a terminal. */
export interface DatabasePrompt extends DatabaseAccess {
  /** Reaches the database. Throws ConnectError. */
  open(request: PromptRequest): Promise<Shell>;
}
