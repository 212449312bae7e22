// Running sessions, and what they have reached, as others see them.
import type { LiveSession } from '../../contract/live-sessions.ts';
import type { LockSubject } from '../../contract/locks.ts';
import type { LabelledKind, Rights } from './rights.ts';
import type { Who } from './who.ts';

/** What a session, or something else that lasts, has reached: where its labels are, and why roles do not lead there any more. */
export interface Reached {
  readonly kind: LabelledKind;
  readonly name: string;
  /** What locks may name beside its person. */
  readonly subject?: Pick<LockSubject, 'login' | 'desktop'>;
  /** The web session that it lasts no longer than; absent: it outlives that. */
  readonly webSessionId?: string;
  /** `labels` are null where it was taken out of the list. Null: they do. */
  refusal(rights: Rights, labels: Readonly<Record<string, string>> | null): string | null;
}

/** Something that lasts and is no session of its own, such as a watch: judged as one is while it lasts. */
export interface Passage {
  readonly who: Who;
  /** Ids of the devices of the second factor that it was opened with. */
  readonly devices: readonly string[];
  readonly reached: Reached;
  /** Of a server: what locks may name beside its person. */
  readonly subject?: Pick<LockSubject, 'login' | 'server'>;
  /** Ends it, with the reason in words. */
  end(why: string): void;
}

/** A connection to what a client uses, and that client. */
export interface ReachedClient {
  /** Hangs up on what is used. Calling it again does nothing. */
  close(): void;
  /** Tells the client why it is over, as its protocol does, and hangs up on it. '' when there is nothing to tell. */
  farewell(why: string): void;
}

/** A running session as others see it. */
export interface SessionInfo {
  readonly session: LiveSession;
  readonly ownerId: string;
  readonly ownerRoles: readonly string[];
  /** Id of the agent that began it in its owner's place. */
  readonly agent?: string | undefined;
  /** Ids of the access requests that its owner used when it began. */
  readonly accessRequests: readonly string[];
  /** The web session, where somebody else began it in the owner's name: it ends with that. */
  readonly impersonatedIn?: string | undefined;
  /** Those that somebody who takes part used when they came. */
  readonly requestsOf?: ((participantId: string) => readonly string[]) | undefined;
  /** Ids of the devices of the second factor that it was opened with: of the web session's sign-in, and of its own proof. */
  readonly mfaDevices: readonly string[];
  /** Id of the trusted device that it was begun with; empty: with none. */
  readonly trustedDevice: string;
  /** Its pictures can be watched: it is recorded. */
  readonly showsPictures?: boolean | undefined;
  /** What it has reached, where that is no server. */
  readonly reached?: Reached | undefined;
}
