// The person behind a call, and what may hold them back.
import type { WebConfig } from '../../contract/config.ts';
import type { LockSubject } from '../../contract/locks.ts';
import type { Grant, Rights, RightsUser, Traits } from './rights.ts';

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
  /** What the access requests that the web session uses give now. */
  readonly grants: readonly Grant[];
  /** When the web session ends. */
  readonly expires: Date;
  /** Peer address, host:port, as the trusted proxy or the socket says. */
  readonly remoteAddr: string;
  readonly rights: Rights;
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
  /** Their own, and those that requests give whole. */
  readonly roles: readonly string[];
  readonly rights: Rights;
  /** What counts of the requests: approved, of this person, not over and not locked. */
  readonly grants: readonly Grant[];
}
/** A person with the requests of these ids; those that give nothing are passed over. */
export type Assumed = (user: RightsUser & { readonly id: string }, requests: readonly string[]) => Promise<Present>;

/** Who acts on something: somebody signed in, with their rights, or the gateway's own machine (`rights` null), which may do all. */
export interface Actor {
  readonly user: string;
  readonly rights: Rights | null;
}

/** Somebody from a root cluster, as it has vouched for them with a request. */
export interface Visit {
  /** Name of the root. */
  readonly root: string;
  /** Id of the visit: one for each of their web sessions there. */
  readonly id: string;
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
  over(session: Pick<Who, 'webSessionId' | 'userId'>): Promise<string | null>;
  active(webSessionId: string, agoMs?: number): void;
}
