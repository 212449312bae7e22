// What a protocol is handed with a client that has shown who it is.
import type { TLSSocket } from 'node:tls';
import type { DatabaseTarget, StatementFacts, Statements } from '../../../ports/databases.ts';
import type { ReachedClient } from '../../../ports/sessions.ts';
import type { DialPorts } from './dial.ts';

/** How a database is dialled: how long the certificate lives, ms, and whether it may be on the gateway's own machine. */
export interface How {
  readonly ttlMs: number;
  readonly own: boolean;
}
/** The first time for a session. */
export interface FirstHow extends How {
  /**
   * A user is ready that was made for the session, and may not log in before this resolves: from then on, whatever becomes of the gateway, it is
   * let go of.
   */
  noteMade(): Promise<void>;
}
export type Dialled = TLSSocket;
/** What statements do, one after the other. */
type Facts = readonly StatementFacts[] | null;
/** What the client asks for. */
interface Wanted {
  readonly dbUser: string;
  readonly dbName: string;
  /** Connects to the database. Throws ConnectError. */
  reach(how: FirstHow): Promise<ReachedClient>;
}
/** The way into one database for one person. */
export interface DatabaseDoor {
  readonly database: DatabaseTarget;
  readonly ports: DialPorts;
  /** Database users that roles name; `*`: any. */
  readonly users: readonly string[];
  /** What the gateway shows a database that asks for a password beside the certificate. */
  password(dbUser: string): Promise<string>;
  /** What the statements of a text do, where guards ask; null where that cannot be told. Never rejects, and never throws. */
  readonly readStatement: (protocol: string, text: string) => Facts | Promise<Facts>;
  /** Hears of trouble that nobody waits for. */
  readonly report: (problem: string, error: unknown) => void;
  /** Begins the session. Throws Failure and ConnectError with a sentence for the person. */
  begin(wanted: Wanted): Promise<Statements>;
}
