// What the prompt asks of a database's protocol. An engine talks to its database through the gateway's own relay, so that rights and audit
// are those of any client.
import type { Duplex } from 'node:stream';
import type { Engine } from '../engine.ts';
import type { Syntax } from './statement-end.ts';

/** A column of an answer. */
export interface AnswerColumn {
  readonly name: string;
  /** Its values are numbers: they stand on the right. */
  readonly isNumber: boolean;
}
/** Null stands for the database's own NULL. */
export type AnswerRow = readonly (string | null)[];
export interface Answer {
  /** Empty for a statement that has no rows. */
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly AnswerRow[];
  /** The database has more rows than were asked for. */
  readonly hasMore: boolean;
  /** What the database says that it did, such as `INSERT 0 1`. */
  readonly tag: string;
}
export type TakeRows = (columns: readonly AnswerColumn[], rows: readonly AnswerRow[]) => Promise<void>;
/** The database refused a statement. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  /** What is shown of it, line by line. */
  readonly lines: readonly string[];
  /** The database's own, such as an SQLSTATE; '' where there is none. */
  readonly code: string;
  constructor(lines: readonly string[], code = '') {
    super(lines[0] ?? 'the statement failed');
    this.lines = lines;
    this.code = code;
  }
}
export interface PromptConnection {
  /** What speaks there, such as `PostgreSQL 17.2`. */
  readonly about: string;
  /** What stands behind the database's name in the prompt: it says whether a transaction is open. */
  readonly mark: string;
  /** Runs one statement and reads at most so many rows of its answer. Throws StatementError; anything else has ended the connection. */
  run(text: string, rowsMost: number): Promise<Answer>;
  /**
   * Runs one statement and hands on every row of its answer, some at a time: the next are read once `take` has resolved. Answers the tag.
   * Throws as `run` does, and what `take` throws.
   */
  export(text: string, take: TakeRows): Promise<string>;
  /**
   * Runs one behind which the database goes on to speak by itself, and hands on each line that it says: no more is read before `take` has
   * resolved. Resolves with a line for why no more come: it was stopped, or so many lines have come. Throws as `run` does. Null: the statement
   * is none of those; absent: the database has none.
   */
  follow?(text: string, linesMost: number, take: (line: string) => Promise<void>): Promise<string> | null;
  /** The longest that a statement may take, ms; 0: as long as the database lets it. Throws as `run` does. */
  limitTime(ms: number): Promise<void>;
  /** Stops the statement that runs, in the database. */
  cancel(): void;
  close(): void;
}
export interface Connecting {
  readonly dbUser: string;
  readonly dbName: string;
  /** The longest that a statement may take, ms. */
  readonly timeoutMs: number;
  /** A line that the database says beside an answer. */
  readonly onNotice: (text: string) => void;
  /** The connection is over; '' when in good order. */
  readonly onEnd: (why: string) => void;
}
/** One statement behind a backslash command, and what stands above its answer. */
interface ListStatement {
  readonly title: string;
  readonly text: string;
}
/** A backslash command that the database answers. */
export interface ListCommand {
  /** Without the backslash. */
  readonly name: string;
  /** As help writes it; '' where it takes none. */
  readonly argument: string;
  readonly does: string;
  statements(argument: string): readonly ListStatement[];
}
export interface PromptEngine {
  readonly syntax: Syntax;
  readonly lists: readonly ListCommand[];
  /** Whether a person can go to another database of the server, and so by which statement nobody can. */
  readonly hasDatabases: boolean;
  /** What relays it for any client. */
  relay(): Engine;
  /** A client; `open` answers a new connection to the relay, which is the client's to end. Throws StatementError. */
  connect(open: () => Duplex, as: Connecting): Promise<PromptConnection>;
}
