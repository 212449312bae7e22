// What the door for database clients knows of a protocol behind it.
import type { Duplex } from 'node:stream';
import type { DatabaseDoor } from './door.ts';

export interface Engine {
  /** As databases name what they speak. */
  readonly protocol: string;
  /** Tells a client that does not come in why, as its protocol does, and hangs up. */
  refuse(client: Duplex, why: string): void;
  /** From the first bytes within TLS on. Never throws: what fails is told to the client, and ends it. */
  serve(client: Duplex, door: DatabaseDoor): Promise<void>;
}
/** What is known of a client before TLS: the engine that it speaks, where it has said so. Null: there is nothing more to do. */
export type Greeted = {
  readonly speaks?: Engine;
  /** The number that it has been given as a connection, where the server speaks first. */
  readonly number?: number;
} | null;
