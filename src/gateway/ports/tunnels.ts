// Machines that dial in, and what keeps them apart: between the SSH port, which speaks to them, and the ways out, which use them.
import type { Duplex } from 'node:stream';

/** A connection that a machine has dialled in with and proven its key on. */
export interface DialledConnection {
  /** host:port. */
  readonly remoteAddr: string;
  /** A stream to what the machine leads to by that name. Throws ConnectError unreachable. */
  open(path: string): Promise<Duplex>;
  /** Cuts it: nothing is waited for. Calling it again does nothing. */
  hangUp(): void;
}
/** What is told of such a connection while it lasts. */
export interface ConnectionEvents {
  /** It offers to lead there; false refuses it. */
  offers(path: string): boolean;
  withdraws(path: string): void;
  over(): void;
}
export interface TunnelGate {
  /** Null: nobody dials in with this Ed25519 key, as it goes over the wire. Asked more than once for one connection. */
  judge(key: Buffer): Promise<((connection: DialledConnection) => ConnectionEvents) | null>;
}

/** Where another gateway's tunnel port is, and who dials it. */
interface DialParts {
  readonly host: string;
  readonly port: number;
  /** The public key that must be shown there, as it goes over the wire. */
  readonly hostKey: Buffer;
  /** As OpenSSH keeps it. */
  readonly privateKey: string;
  /** The name that is offered. */
  readonly path: string;
  /** Somebody comes for it. */
  readonly take: (stream: Duplex) => void;
}
export interface Dialled {
  /** Resolves when the connection is over, with why. Never rejects. */
  readonly over: Promise<string>;
  hangUp(): void;
}
/** Resolves once the name is offered there. Rejects with a sentence. You must hang up. */
export type Dial = (parts: DialParts) => Promise<Dialled>;
