// What a protocol is handed with a client that has shown who it is.
import type { DatabaseTarget, ReachedDatabase, Statements } from '../../../ports.ts';
import type { DialPorts } from './dial.ts';

/** What the client asks for. */
interface Wanted {
  readonly dbUser: string;
  readonly dbName: string;
  /** Connects to the database. Throws ConnectError. */
  reach(how: { readonly ttlMs: number; readonly own: boolean }): Promise<ReachedDatabase>;
}
/** The way into one database for one person. */
export interface DatabaseDoor {
  readonly database: DatabaseTarget;
  readonly ports: DialPorts;
  /** Begins the session. Throws Failure and ConnectError with a sentence for the person. */
  begin(wanted: Wanted): Promise<Statements>;
}
