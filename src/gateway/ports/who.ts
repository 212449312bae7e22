// The person behind a call, and what may hold them back.
import type { WebConfig } from '../../contract/config.ts';
import type { LockSubject } from '../../contract/locks.ts';
import type { Grant, Rights, RightsUser, Traits } from './rights.ts';

/** The agent that works in a person's place, and why it does what it does now, as it says itself. */
export interface WorkingAgent {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

/** What is said of a trusted device. */
export interface DeviceFacts {
  readonly id: string;
  readonly osType: string;
  readonly assetTag: string;
  readonly credentialId: string;
}

/** A device that is there and enrolled by that user; null: it is not, whatever was begun with it. */
export type FindDevice = (device: string, userId: string) => Promise<DeviceFacts | null>;

/** The person behind a call: authenticated by cookie and bearer, with the rights their roles give right now. */
export interface Who {
  readonly user: string;
  /** What counts wherever it is asked whether something is theirs: the name may have been somebody else's before. */
  readonly userId: string;
  /** When the user was created: what is older and known by name only is not theirs. */
  readonly since: Date;
  readonly roles: readonly string[];
  readonly traits: Traits;
  readonly authType: 'local' | 'sso';
  readonly webSessionId: string;
  /** Id of the device of the second factor that opened the web session; empty: none did. */
  readonly mfaDevice: string;
  /** The trusted device that the web session is of; absent: of none. */
  readonly trustedDevice?: DeviceFacts | undefined;
  /** Of somebody from a root cluster: the device of the second factor that it has seen for this one request; absent: none. */
  readonly shownDevice?: string;
  /** Name of whoever acts as this user, as their roles let them; absent: the user does. */
  readonly impersonator?: string | undefined;
  /** What the access requests that the web session uses give now. */
  readonly grants: readonly Grant[];
  /** When the web session ends. */
  readonly expires: Date;
  /** Peer address, host:port, as the trusted proxy or the socket says. */
  readonly remoteAddr: string;
  readonly rights: Rights;
  /** An agent of this person asks, with rights of its own; absent: the person. */
  readonly agent?: WorkingAgent;
}

/** What the cluster asks for beside a password. */
export interface FactorSettings {
  readonly secondFactor: WebConfig['auth']['second_factor'];
  /** A passkey may take the place of name and password. */
  readonly allowPasswordless: boolean;
  /** Recovery codes are given out. */
  readonly recoveryCodes: boolean;
  /** Address that people type, such as `https://console.example.com`: hardware keys are bound to its host. */
  readonly publicUrl: string;
}

/** Why a lock that is in force holds somebody back, as they are told; or null. `locking`: as their roles have it. */
export type Barring = (subject: LockSubject, locking: Rights['options']['locking']) => Promise<string | null>;

/** What somebody is now, with access requests that they use. */
interface Present {
  /** Their own, those that access lists give, and those that requests give whole. */
  readonly roles: readonly string[];
  readonly traits: Traits;
  readonly rights: Rights;
  /** What counts of the requests: approved, of this person, not over and not locked. */
  readonly grants: readonly Grant[];
}
/** A person with the requests of these ids; those that give nothing are passed over. */
export type Assumed = (
  user: RightsUser & { readonly id: string; readonly created: Date },
  requests: readonly string[],
) => Promise<Present>;

/** Who acts on something: somebody signed in, with their rights, or the gateway's own machine (`rights` null), which may do all. */
export interface Actor {
  readonly user: string;
  readonly rights: Rights | null;
  /** What the access requests that they use give; absent: they use none. */
  readonly grants?: readonly Grant[];
  /** The trusted device that they are signed in from; absent: none. */
  readonly trustedDevice?: DeviceFacts | undefined;
}

/** Where a second factor cannot be shown through a root cluster. */
export const FACTOR_ELSEWHERE =
  'Your roles in this cluster ask for a hardware key for this, and it cannot be shown through your root cluster: sign in here.';

/** Whether an id is that of a visit, or of somebody from a root cluster: they begin with a slash, as no digest and no uuid does. */
export const isOfVisitor = (id: string): boolean => id.startsWith('/');

/** Somebody from a root cluster, as it has vouched for them with a request. */
export interface Visit {
  /** Name of the root. */
  readonly root: string;
  /** Id of the visit: one for each of their web sessions there. */
  readonly id: string;
  /** Theirs here. */
  readonly userId: string;
  /** Of the second factor that the root says they have shown for this one request; absent: none. */
  readonly device?: string;
}
/** What of web sessions is asked of people of this cluster and of visitors alike. */
export interface AskedSessions {
  authenticate(given: {
    readonly cookie: string | undefined;
    readonly bearer: string | undefined;
    readonly remoteAddr: string;
    readonly visit?: Visit | undefined;
  }): Promise<Who>;
  again(who: Pick<Who, 'userId' | 'webSessionId' | 'remoteAddr'>): Promise<Who>;
  over(session: Pick<Who, 'webSessionId' | 'userId' | 'trustedDevice'>): Promise<string | null>;
  active(webSessionId: string, agoMs?: number): void;
}
