// What is kept, as the services see it. Two engines (SQLite, PostgreSQL) stand behind these doors and one contract suite holds both.
import type { Expression } from '../../contract/predicate.ts';
import type { LabelledKind, Selection, Traits } from '../ports/rights.ts';

export type ResourceKind =
  | LabelledKind
  | 'role'
  | 'cluster_alert'
  | 'windows_desktop_service'
  | 'lock'
  | 'token'
  | 'github'
  | 'oidc'
  | 'saml'
  | 'trusted_cluster'
  | 'integration'
  | 'plugin'
  | 'cluster_auth_preference'
  | 'ui_config'
  | 'snippet'
  | 'workspace'
  | 'tunnel'
  | 'bot_instance'
  | 'access_request'
  | 'agent'
  | 'device'
  | 'telemetry'
  | 'access_list'
  | 'login_rule'
  | 'discovery_config';

/** A stored resource. The columns are what lists sort and search by; `spec` is the rest, as JSON. */
export interface Resource {
  readonly kind: ResourceKind;
  /** Unique within its kind. For a server: its uuid. */
  readonly name: string;
  /** Servers: hostname. Others: the name or friendly name. */
  readonly title: string;
  readonly description: string;
  /** Servers, databases, desktops: host:port. Applications: public address. */
  readonly address: string;
  /** Databases: type. Servers: subKind. */
  readonly subtype: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Further words that `search` finds. */
  readonly words: readonly string[];
  readonly spec: unknown;
  /** Grows by one with each change. */
  readonly revision: number;
  readonly created: Date;
  readonly updated: Date;
  readonly expires: Date | null;
}
export type NewResource = Omit<Resource, 'revision' | 'created' | 'updated'>;

export type SortField = 'name' | 'title' | 'address' | 'description' | 'subtype';

export interface ResourceQuery {
  readonly limit: number;
  /** Opaque key from the previous page, '' or absent for the first. A key of another sort is refused: Failure bad_request. */
  readonly startKey?: string;
  /** Resources passed over before the first of the page: a whole number from 0. The cost grows with it. */
  readonly offset?: number;
  /** AND over keywords, each a case-insensitive substring of a searchable value. */
  readonly search?: string;
  /** Parsed predicate. */
  readonly query?: Expression;
  readonly sort?: { readonly field: SortField; readonly descending: boolean };
  /** null = no filter by rights: only for the gateway's own use. */
  readonly selection: Selection | null;
  /** Whether totalCount is wanted. */
  readonly count: boolean;
}
interface ResourcePage {
  readonly items: readonly Resource[];
  readonly startKey: string;
  readonly totalCount: number;
}

export interface LabelSet {
  readonly labels: Readonly<Record<string, string>>;
  readonly count: number;
  /** The first in the order of the alphabet. */
  readonly title: string;
}
export interface Resources {
  get(kind: ResourceKind, name: string): Promise<Resource | null>;
  /** Those that exist among these names, by name. */
  named(kind: ResourceKind, names: readonly string[]): Promise<readonly Resource[]>;
  list(kind: ResourceKind, query: ResourceQuery): Promise<ResourcePage>;
  /** The sets of labels that resources of a kind carry, each once, by their first title; at most 20,000. */
  labelSets(kind: ResourceKind): Promise<readonly LabelSet[]>;
  /** Throws Failure exists. */
  create(resource: NewResource): Promise<Resource>;
  /** Creates or replaces. With `revision`: throws Failure changed when the stored one differs, not_found when there is none. */
  put(resource: NewResource, revision?: number): Promise<Resource>;
  /** Many at once, in one transaction per 1,000. */
  putMany(resources: readonly NewResource[]): Promise<void>;
  /** False when there was none. */
  delete(kind: ResourceKind, name: string): Promise<boolean>;
}

/** Traits that login rules made, and the names of these rules. */
interface RuledTraits {
  readonly traits: Traits;
  readonly rules: readonly string[];
}

export interface UserRecord {
  /** A uuid that no other user ever has: what is kept about a person is kept under it. The name is only shown. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly traits: Traits;
  /** What login rules made of `traits` at the last sign-in, which counts in their place. Absent: no rule was there. */
  readonly signInTraits?: Traits;
  /** Names of the rules that made them, in the order in which they were applied. Absent: none was there, or it was not noted yet. */
  readonly signInRules?: readonly string[];
  readonly authType: 'local' | 'github' | 'oidc' | 'saml';
  readonly isBot: boolean;
  readonly created: Date;
  /** Who a sign-in connector says it is: `kind/connector/subject`. Absent: a user of the gateway's own. */
  readonly identity?: string;
  /** Absent: never. Written by `signedIn` alone. */
  readonly lastSignIn?: Date;
}
/** Whoever came by a connector is there for as long as a web session of theirs lives; their row waits for them to come back. */
export interface Users {
  get(name: string): Promise<UserRecord | null>;
  byId(id: string): Promise<UserRecord | null>;
  /** Also one who came by a connector and is not there now. */
  known(name: string): Promise<UserRecord | null>;
  /** Those that there are of these names. */
  named(names: readonly string[]): Promise<readonly UserRecord[]>;
  list(): Promise<readonly UserRecord[]>;
  /** In place of one of the name who came by a connector and is not there now. Throws Failure exists. */
  create(user: UserRecord): Promise<void>;
  /** Replaces the user of this id. Throws Failure not_found. */
  update(user: UserRecord): Promise<void>;
  /** With everything that is theirs alone: password, devices, codes, web sessions, links, preferences. False when there was none. */
  /** Notes when somebody signed in. */
  /** `at`: null leaves when that was. `ruled`: what login rules made, and which; null: there are none. */
  signedIn(id: string, at: Date | null, ruled: RuledTraits | null): Promise<void>;
  delete(id: string): Promise<boolean>;
}

/** By the user's id. */
export interface Passwords {
  /** argon2id string, or null when there is none. */
  get(userId: string): Promise<string | null>;
  set(userId: string, hash: string): Promise<void>;
  remove(userId: string): Promise<void>;
}

/** Failed sign-ins by name, known or not. Bounded: rows older than a day are dropped. */
export interface Attempts {
  get(name: string): Promise<{ readonly failures: number; readonly lockedUntil: Date | null } | null>;
  /** Counts one failure; when `limit` is reached within `windowMs`, locks for `lockMs` and starts counting anew. */
  fail(
    name: string,
    now: Date,
    rule: { readonly limit: number; readonly windowMs: number; readonly lockMs: number },
  ): Promise<{ readonly failures: number; readonly lockedUntil: Date | null }>;
  clear(name: string): Promise<void>;
  /** Users who are locked, by name, with until when. */
  lockedUsers(now: Date): Promise<ReadonlyMap<string, Date>>;
}

export interface WebSession {
  /** SHA-256 of the cookie's sid, hex: the sid itself is never stored. */
  readonly id: string;
  readonly userId: string;
  /** SHA-256 of the bearer token, hex. */
  readonly bearer: string;
  readonly bearerExpires: Date;
  /** Token before the last renewal, still good until `previousUntil`. */
  readonly previousBearer: string | null;
  readonly previousUntil: Date | null;
  readonly created: Date;
  readonly expires: Date;
  readonly lastActive: Date;
  /** Id of the device of the second factor that opened it; empty: none did. */
  readonly mfaDevice: string;
  /** host:port and browser that it was opened from; empty for those of before this was kept. */
  readonly remoteAddr: string;
  readonly userAgent: string;
  /** Ids of the access requests that it uses, also of those that give nothing any more. */
  readonly accessRequests: readonly string[];
  /** Id of the trusted device that it has proven to be of; empty: of none. */
  readonly trustedDevice: string;
  /** Id of whoever acts as the user; empty: the user does. */
  readonly impersonator: string;
}
export interface WebSessions {
  create(session: WebSession): Promise<void>;
  get(id: string): Promise<WebSession | null>;
  /** A user's that last at `now`, the newest first. */
  listOf(userId: string, now: Date): Promise<readonly WebSession[]>;
  /** Replaces the whole row, all but the device. False when it is gone. */
  update(session: WebSession): Promise<boolean>;
  /** It is of that trusted device from now on. False when it is gone. */
  trust(id: string, device: string): Promise<boolean>;
  /** Those of a trusted device are of none from now on. */
  distrust(device: string): Promise<void>;
  deleteOfDevice(device: string): Promise<number>;
  /** Notes that its person did something then; never an earlier time than the one that is kept. */
  active(id: string, at: Date): Promise<void>;
  delete(id: string): Promise<boolean>;
  /** Ends a user's sessions, all or all but one, in one step. */
  deleteOf(userId: string, exceptId?: string): Promise<number>;
  /** Drops those that ended before `now`. */
  prune(now: Date): Promise<number>;
}

export interface OneTimeToken {
  /** SHA-256 of the token, hex. */
  readonly id: string;
  readonly kind:
    | 'invite'
    | 'password'
    | 'privilege'
    | 'first_admin'
    | 'recovery_password'
    | 'recovery_device'
    | 'download';
  /** Empty for a link that makes its own user. */
  readonly userId: string;
  readonly expires: Date;
}
export interface OneTimeTokens {
  create(token: OneTimeToken): Promise<void>;
  get(id: string): Promise<OneTimeToken | null>;
  /** Deletes and answers it, once: of two callers, one gets null. */
  take(id: string): Promise<OneTimeToken | null>;
  deleteOf(userId: string): Promise<number>;
}

export interface MfaDevice {
  readonly id: string;
  readonly userId: string;
  /** Unique among the user's. */
  readonly name: string;
  readonly kind: 'totp' | 'webauthn';
  /** Authenticator app: the shared secret, sealed. Hardware key: the public key, base64url. */
  readonly secret: string;
  /** Hardware key: the credential's id, base64url. No two devices of a store have the same. */
  readonly credentialId: string | null;
  /** A hardware key that signs in by itself. */
  readonly isPasswordless: boolean;
  /** What only ever grows: the time step of the last code, or the key's signature counter. */
  readonly progress: number;
  readonly added: Date;
  readonly lastUsed: Date;
}
export interface OwnedDevice {
  readonly id: string;
  readonly name: string;
  readonly user: string;
}
export interface MfaDevices {
  /** The oldest first. */
  list(userId: string): Promise<readonly MfaDevice[]>;
  byCredential(credentialId: string): Promise<MfaDevice | null>;
  /** Those of these ids, with their owners' names; null: the first 1000 of all, by owner and name. */
  owned(ids: readonly string[] | null): Promise<readonly OwnedDevice[]>;
  /** Throws Failure exists when the user has a device of the name, or anybody this credential. */
  create(device: MfaDevice): Promise<void>;
  /**
   * Notes a use. False when the progress does not grow (a code that was used already, a copied key) or the device is gone: of two callers
   * with the same progress, one hears false.
   */
  advance(id: string, progress: number, now: Date): Promise<boolean>;
  delete(id: string): Promise<boolean>;
  deleteOf(userId: string): Promise<void>;
}

/** By the user's id. */
export interface RecoveryCodes {
  /** Replaces the whole set. */
  replace(userId: string, hashes: readonly string[], created: Date): Promise<void>;
  has(userId: string, hash: string): Promise<boolean>;
  /** Uses one up: false when there is none such, so of two callers one hears false. */
  take(userId: string, hash: string): Promise<boolean>;
  left(userId: string): Promise<{ readonly count: number; readonly created: Date | null }>;
}

/** What was asked of somebody, until it is answered. */
export interface StoredChallenge {
  /** SHA-256 of the challenge, hex. */
  readonly id: string;
  /** Empty where it is not known yet who answers. */
  readonly userId: string;
  readonly purpose: string;
  /** What exactly it is for: a token, a session. */
  readonly scope: string;
  readonly expires: Date;
}
export interface Challenges {
  /** Drops those that ended before `now`. */
  create(challenge: StoredChallenge, now: Date): Promise<void>;
  /** Looks at one that stays. */
  get(id: string): Promise<StoredChallenge | null>;
  /** Deletes and answers it, once: of two callers, one gets null. */
  take(id: string): Promise<StoredChallenge | null>;
  /** Puts another in the place of the one of its id, as long as that has this purpose. False when it has not: of two callers, one is told so. */
  change(purpose: string, to: StoredChallenge): Promise<boolean>;
}

/** By the user's id. */
export interface StoredPreferences {
  get(userId: string): Promise<unknown | null>;
  put(userId: string, value: unknown): Promise<void>;
}

export interface StoredConversation {
  readonly id: string;
  /** '' until it has one. */
  readonly title: string;
  readonly created: Date;
}
interface StoredMessage {
  readonly type: string;
  readonly created: Date;
  readonly payload: string;
}
/** Conversations with the assistant, by the id of the user whose they are: nobody else's are ever found. */
export interface Conversations {
  /** False when the user has `most` already. */
  create(userId: string, conversation: StoredConversation, most: number): Promise<boolean>;
  /** The newest first. */
  list(userId: string): Promise<readonly StoredConversation[]>;
  get(userId: string, id: string): Promise<StoredConversation | null>;
  /** False when there is none such. */
  title(userId: string, id: string, title: string): Promise<boolean>;
  /** With what stands in it. False when there is none such. */
  delete(userId: string, id: string): Promise<boolean>;
  /** What stands in a conversation, in order. Whose it is, is the caller's to have asked. */
  messages(conversation: string): Promise<readonly StoredMessage[]>;
  /** Adds from a place on; nothing where the conversation is gone. */
  add(conversation: string, position: number, messages: readonly StoredMessage[]): Promise<void>;
}

/** Which notifications each person has read, by the user's id. */
export interface NotificationReads {
  of(userId: string): Promise<ReadonlySet<string>>;
  /** Those that are there already stay as they are. */
  add(userId: string, keys: readonly string[], at: Date): Promise<void>;
  /** Drops those that were read before. */
  prune(before: Date): Promise<void>;
}

/** A kept audit event: `raw` is the whole event as the wire shows it. */
export interface StoredEvent {
  readonly uid: string;
  readonly time: Date;
  readonly type: string;
  readonly code: string;
  readonly user: string;
  readonly sid: string;
  readonly raw: Readonly<Record<string, unknown>>;
}
export interface EventQuery {
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
  readonly startKey?: string;
  /** Empty = all types. */
  readonly types: readonly string[];
  /** Types that are left out. */
  readonly except?: readonly string[];
  readonly descending: boolean;
  /** Words that must all stand in the raw event, case-insensitive. */
  readonly search?: string;
  /** Only events in which this user took part: `user` or `participants`. */
  readonly participant?: string;
  /** And only events in which one of these users took part. */
  readonly amongst?: readonly string[];
}
/** The audit log: appended to, read, never changed. Each row carries the hash of the one before it. */
export interface Events {
  /** Resolves when committed. `mayWait`: it may share a commit with what comes within some milliseconds. */
  append(event: StoredEvent, mayWait?: boolean): Promise<void>;
  search(query: EventQuery): Promise<{ readonly events: readonly StoredEvent[]; readonly startKey: string }>;
  /** Counts in equal slices of the time range, oldest first. Of each slice a bounded number is looked at; `isPart`: there are more. */
  count(
    query: Pick<EventQuery, 'from' | 'to' | 'types' | 'except' | 'search' | 'participant'>,
    slices: number,
  ): Promise<readonly { readonly count: number; readonly isPart: boolean }[]>;
  /** The event that ended a session, if it has ended. */
  endOf(sid: string): Promise<StoredEvent | null>;
  /** The event that began a session in a database. */
  startOf(sid: string): Promise<StoredEvent | null>;
  /** That a database user was made ready for the session; null for one without. */
  madeUserOf(sid: string): Promise<StoredEvent | null>;
  /** The event that told of a session's recording in the bucket. */
  uploadOf(sid: string): Promise<StoredEvent | null>;
  /** The highest `ei` among a session's events; -1 when it has none. */
  lastIndexOf(sid: string): Promise<number>;
  /** Where each chain ends now. */
  heads(): Promise<readonly ChainHead[]>;
  /** Events of one chain after a position, in the order in which they were kept. */
  after(chain: string, position: number, limit: number): Promise<readonly ChainedEvent[]>;
  /** Walks the hash chains, which must hold what `anchored` says of earlier times; answers the first row that does not fit, or null. */
  verify(anchored?: readonly ChainHead[]): Promise<{ readonly seq: number; readonly problem: string } | null>;
}
/** Where a chain of the audit log ends, or ended. */
export interface ChainHead {
  readonly chain: string;
  /** How many events it has. */
  readonly length: number;
  /** SHA-256 of the last of them, hex. */
  readonly hash: string;
}
/** An event at its place in a chain. */
export interface ChainedEvent {
  /** From 1 without a gap. */
  readonly position: number;
  readonly code: string;
  readonly time: Date;
  /** The whole event, as JSON on one line. */
  readonly json: string;
}

/** A place that a person, or another list, has in an access list. */
export interface AccessListPlace {
  /** Name of the list. */
  readonly list: string;
  readonly relation: 'member' | 'owner';
  /** `list`: whoever is a member of that list has the place. */
  readonly kind: 'user' | 'list';
  readonly name: string;
  readonly added: Date;
  /** Null: it lasts. */
  readonly expires: Date | null;
  readonly reason: string;
  readonly addedBy: string;
}
/** A review of a list that was made. `review` is JSON. */
interface AccessListReview {
  readonly id: string;
  readonly list: string;
  readonly time: Date;
  readonly reviewer: string;
  readonly review: unknown;
}
/** Who has which place in access lists, and how lists were reviewed; the lists themselves are resources. */
export interface AccessLists {
  /** Every place that somebody has: their own, and those of lists whose members they are, through any number of lists. What counts of it is not asked here. */
  above(user: string): Promise<readonly AccessListPlace[]>;
  /** The places in these lists; null: in all. */
  places(lists: readonly string[] | null): Promise<readonly AccessListPlace[]>;
  /** When the first place ends that ends after this moment; null: none does. */
  nextEnd(after: Date): Promise<Date | null>;
  /** Every place that a list has in another. */
  nested(): Promise<readonly AccessListPlace[]>;
  /** Adds one, or replaces the one that is there. */
  put(place: AccessListPlace): Promise<void>;
  /** False when there was none. */
  remove(place: Pick<AccessListPlace, 'list' | 'relation' | 'kind' | 'name'>): Promise<boolean>;
  /** The owners of a list from now on; those that it had keep what is known of them. */
  own(list: string, owners: readonly AccessListPlace[]): Promise<void>;
  /** Takes away every place in a list, every place of it in others, and its reviews. Answers how many members it had. */
  forget(list: string): Promise<number>;
  /** The newest first. */
  reviews(list: string, limit: number): Promise<readonly AccessListReview[]>;
  addReview(review: AccessListReview): Promise<void>;
}

/** Places of running sessions, for counting each person's over all gateways. A gateway says again and again which of its own still run. */
export interface SessionPlaces {
  /** Takes a place unless the user has `most` or more that count at `now`. `others`: how many those are, without this one. */
  take(
    place: { readonly sid: string; readonly userId: string; readonly gateway: string; readonly until: Date },
    most: number,
    now: Date,
  ): Promise<{ readonly taken: boolean; readonly others: number }>;
  /** The places that this gateway still has, which count until `until`; all its others go: the answer names their sessions. */
  keep(gateway: string, sids: readonly string[], until: Date): Promise<readonly string[]>;
  release(sid: string): Promise<void>;
  /** Drops those that no longer count, and answers their sessions: of several gateways, one hears of each. */
  prune(now: Date): Promise<readonly string[]>;
}

/** Small things kept once: the cluster's name, its keys. */
export interface Settings {
  get(key: string): Promise<unknown | null>;
  put(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  /** Answers what is stored afterwards: of two callers with different values, both get the first one's. */
  putIfAbsent(key: string, value: unknown): Promise<unknown>;
  /** Stores `value` where `before` is stored, as `get` answered it; null: where nothing is. Answers whether it did. */
  replace(key: string, before: unknown, value: unknown): Promise<boolean>;
}

/** Short texts between the gateways of one store. Some may be lost: whoever depends on one also looks for itself, later. */
export interface Announcements {
  /** Tells all who listen, oneself included: at most 7,999 bytes. Throws Failure unavailable. */
  send(text: string): Promise<void>;
  /** Answers the function that ends it; `listener` must not throw. While the database is away nothing is heard. */
  listen(listener: (text: string) => void): Promise<() => void>;
}

export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /**
   * Runs `work` while no other of these runs, here or in another gateway of the store: for changes that must not take away the last way in,
   * which are checked first. Inside of one it just runs.
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Statements that wait for their turn now, by queue. */
  waiting(): Readonly<Record<string, number>>;
  readonly resources: Resources;
  readonly users: Users;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly webSessions: WebSessions;
  readonly oneTimeTokens: OneTimeTokens;
  readonly mfaDevices: MfaDevices;
  readonly recoveryCodes: RecoveryCodes;
  readonly challenges: Challenges;
  readonly preferences: StoredPreferences;
  readonly conversations: Conversations;
  readonly notificationReads: NotificationReads;
  readonly accessLists: AccessLists;
  readonly sessionPlaces: SessionPlaces;
  readonly events: Events;
  readonly settings: Settings;
  /** Null where one gateway has the store for itself. */
  readonly announcements: Announcements | null;
  close(): Promise<void>;
}
