// The gateway's own SSH server, as calls and sockets see it.
import type { Duplex } from 'node:stream';
import type { Who } from './who.ts';

/** Somebody whom their command line has vouched for, and where they go. */
export interface Vouched {
  readonly who: Who;
  /** Name or id of the server. */
  readonly server: string;
  /** Id of the device that was shown for the one session that may begin; absent where roles ask for none. */
  readonly device?: string;
}
export interface SshDoor {
  /** For a key of one line. Throws Failure bad_request for one that is none, signed_out. */
  certificate(who: Who, publicKey: string): Promise<{ readonly certificate: string; readonly expires: string }>;
  /** Where clients connect, and what they pin. */
  access(): Promise<{
    readonly hostKey: string;
    readonly address: { readonly host: string; readonly port: number } | null;
  }>;
  /** Takes a connection of somebody's command line. */
  take(stream: Duplex, vouched: Vouched): void;
}
