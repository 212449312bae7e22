// The ways out of the gateway, and why one may fail.
import type { Duplex } from 'node:stream';
import type { AwsPlace } from '../../contract/nodes.ts';

/** A port of a target that is to be reached. */
interface Destination {
  /** Id of the target, which says by which way it is reached; '' where none is known yet. */
  readonly target: string;
  readonly host: string;
  readonly port: number;
  /** The tunnel that leads there; absent or null: the gateway dials it itself. */
  readonly way?: TunnelWay | null;
  /** A machine of EC2 that is reached through an instance connect endpoint of its network. */
  readonly aws?: AwsPlace;
}

/** What is behind a tunnel: which one, and what it is called there. */
export interface TunnelWay {
  readonly tunnel: string;
  readonly path: string;
}

/** A connection to a destination, however it got there. It emits `connect` once it is there. */
export interface ReachedStream extends Duplex {
  /** Ends it once what was written has gone out. */
  destroySoon(): void;
}

/** The ways out of the gateway (services/reach). A protocol asks for a stream and cannot tell which way it got. */
export interface Reach {
  /**
   * Starts connecting; failures come as `error` events of the stream, which you must destroy. The stream emits no `data` by itself: each
   * piece goes to `receive`, whose memory is used again when that returns.
   */
  open(to: Destination, receive: (bytes: Uint8Array) => void): ReachedStream;
  /**
   * Connects and answers a stream that is read as any other; you must destroy it. `own`: also to this machine itself and its link, where
   * services trust whoever is there. Throws ConnectError unreachable, not_permitted.
   */
  stream(to: Destination, own: boolean): Promise<Duplex>;
}

/** Why a shell could not be opened: each cause has its own sentence in the terminal and its own audit event. */
export type ConnectCause =
  | 'unreachable'
  | 'host_key_changed'
  | 'principal_refused'
  | 'no_such_login'
  | 'not_permitted'
  | 'failed';

export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  readonly reason: ConnectCause;
  /** For host_key_changed: the fingerprint that was pinned and the one that was shown. */
  readonly fingerprints: { readonly pinned: readonly string[]; readonly shown: string } | undefined;
  constructor(reason: ConnectCause, message: string, fingerprints?: { pinned: readonly string[]; shown: string }) {
    super(message);
    this.reason = reason;
    this.fingerprints = fingerprints;
  }
}
