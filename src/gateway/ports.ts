// The small doors between the gateway's rooms: types only. A service implements one and is handed the others it needs,
// so that no service folder imports another.
import type { Duplex } from 'node:stream';
import type { Acl, RuleResource, Verb } from '../contract/acl.ts';
import type { WebConfig } from '../contract/config.ts';
import type { GuardEffect, StatementKind } from '../contract/guards.ts';
import type { LiveSession, Mode } from '../contract/live-sessions.ts';
import type { LockSubject } from '../contract/locks.ts';
import type { Expression } from '../contract/predicate.ts';
import type { GuardSource } from '../contract/role-document.ts';

/** Resource kinds that carry labels and are selected by roles. */
export type LabelledKind = 'node' | 'app' | 'db' | 'db_service' | 'windows_desktop' | 'kube_cluster' | 'user_group';

/** Principals other than OS logins: what a role's key of this name gives on the resources it selects. */
export type PrincipalKey =
  | 'db_users'
  | 'db_names'
  | 'db_roles'
  | 'kubernetes_users'
  | 'kubernetes_groups'
  | 'windows_desktop_logins'
  | 'aws_role_arns';

/** label key -> allowed values. Values are literals, globs with `*`, or `^regular expressions$`. */
export type LabelSelector = Readonly<Record<string, readonly string[]>>;

/** One role's choice of resources: both halves must hold; a deny rule fires on either. */
export interface SelectorRule {
  readonly labels: LabelSelector | null;
  readonly expression: Expression | null;
}

/** What a person's roles select of one kind: any of `allow`, and none of `deny`. Empty `allow` selects nothing. */
export interface Selection {
  readonly allow: readonly SelectorRule[];
  readonly deny: readonly SelectorRule[];
  /** What expressions may name of the person. */
  readonly user: RightsUser;
  /** Conditions of rules on listing this kind, beside the labels: any of `allow`, none of `deny`. Absent: no rule has any. */
  readonly rules?: {
    /** Null: allowed without a condition. */
    readonly allow: readonly Expression[] | null;
    readonly deny: readonly Expression[];
  };
}

/** Whose rights they are. */
export interface RightsUser {
  readonly name: string;
  readonly roles: readonly string[];
  readonly traits: Traits;
}

/** Trait name as role templates spell it (`logins`, `db_users`…) -> values. */
export type Traits = Readonly<Record<string, readonly string[]>>;

/** What a rule's `where` may look at. */
export interface Subject {
  readonly resource?: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  /** Users who took part in the recording or session. */
  readonly participants?: readonly string[];
}

/** The strictest last. */
export const keyPolicies = ['none', 'hardware_key', 'hardware_key_touch'] as const;
export type KeyPolicy = (typeof keyPolicies)[number];

/** One way to meet a role's demand for others in a session: so many people of whom the filter holds, each in one of the modes. */
export interface JoinPolicy {
  readonly name: string;
  /** Over `user.spec.roles` and `user.name`. Null: everybody counts. */
  readonly filter: Expression | null;
  readonly modes: readonly Mode[];
  readonly count: number;
  /** What happens to a running session that it is no longer met in. */
  readonly onLeave: 'pause' | 'terminate';
}
/** What a role demands of its holders' sessions: that one of the policies is met. */
export interface JoinDemand {
  readonly role: string;
  readonly policies: readonly JoinPolicy[];
}

/** What roles let a person do inside a Kubernetes cluster. Kinds are the plurals of requests, such as `pods`. */
export interface KubernetesRights {
  /** `namespace` is '' for objects that are in none. */
  permits(request: {
    readonly verb: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  }): boolean;
  /** How much of a kind is reached by a request that names no object. `namespace` null: in all of them. */
  reach(of: {
    readonly verb: string;
    readonly kind: string;
    readonly namespace: string | null;
  }): 'all' | 'some' | 'none';
}

/** A guard of a role: which statements it is about, and what becomes of them. */
export interface Guard extends Omit<GuardSource, 'db_labels'> {
  readonly role: string;
}

/** All that a set of roles gives one person. Computed from the store at every call, never from what the browser sends. */
export interface Rights {
  readonly acl: Acl;
  /**
   * Whether a rule gives the verb; deny beats allow. A condition that cannot be decided allows nothing, and denies. Without a subject: whether
   * the verb could be given for some, where those who serve the resource ask again for each; elsewhere such a condition counts as undecided.
   */
  may(resource: RuleResource, verb: Verb, subject?: Subject): boolean;
  /** What the roles' labels select. */
  selection(kind: LabelledKind): Selection;
  /** What a list of the kind shows: what labels select, and the conditions of rules on listing leave. */
  listing(kind: LabelledKind | 'windows_desktop_service'): Selection;
  /** Whether rules give the verb whatever it is about: none has a condition. */
  isFree(resource: RuleResource, verb: Verb): boolean;
  /** Names one of whom has taken part in whatever the conditions of rules could allow. Null: anybody. */
  participants(resource: RuleResource, verb: Verb): readonly string[] | null;
  selects(kind: LabelledKind, labels: Readonly<Record<string, string>>): boolean;
  /** OS logins allowed on a server with these labels: root first, then by name. Empty when the server is not selected. */
  logins(labels: Readonly<Record<string, string>>): readonly string[];
  /** Principals allowed on a resource with these labels, by name; `*` stands for any. Empty when it is not selected. */
  principals(key: PrincipalKey, labels: Readonly<Record<string, string>>): readonly string[];
  /** What may be done inside a Kubernetes cluster with these labels. */
  kubernetes(labels: Readonly<Record<string, string>>): KubernetesRights;
  /** Ways this person may join a session whose owner holds these roles. */
  joinModes(ownerRoles: readonly string[], kind: 'ssh' | 'k8s'): readonly Mode[];
  /** Who must be in this person's sessions beside them: what each of these roles demands must be met. */
  joinDemands(kind: 'ssh' | 'k8s'): readonly JoinDemand[];
  /** What is guarded in sessions with a database that has these labels: guards of all roles count, whichever lets the person in. */
  guards(labels: Readonly<Record<string, string>>): readonly Guard[];
  /** What may be asked for beyond one's own roles, and whether it must be. */
  readonly requests: {
    readonly strategy: { readonly type: 'optional' | 'always' | 'reason'; readonly prompt: string };
    /** Which of these roles may be requested. */
    roles(names: readonly string[]): readonly string[];
    /** Whether any could be: spares reading all names for those who may request none. */
    readonly anyRoles: boolean;
    readonly suggestedReviewers: readonly string[];
    readonly searchAsRoles: readonly string[];
  };
  readonly options: {
    /** Longest life of a web session and of a certificate, ms. */
    readonly maxSessionTtlMs: number;
    readonly recordSsh: 'strict' | 'best_effort';
    /** What runs in a session is also asked of the server's kernel, where the server is prepared for that. */
    readonly recordCommands: boolean;
    /** Most sessions at once per person; 0 = no limit. */
    readonly maxSessions: number;
    readonly portForwarding: boolean;
    readonly sshFileCopy: boolean;
    readonly forwardAgent: boolean;
    /** What is reached may be at loopback and link-local addresses of the gateway's machine. */
    readonly reachLoopback: boolean;
    /** Disconnect after this long without input, ms; 0 = never. */
    readonly clientIdleTimeoutMs: number;
    /** A session begins, and is joined, only with a second factor of its own. */
    readonly sessionFactor: boolean;
    /** Where private keys must be kept: anything but `none` keeps browsers out, which keep none in hardware. */
    readonly keyPolicy: KeyPolicy;
    /** A session ends with the web session it was opened from. */
    readonly disconnectExpired: boolean;
    /** While locks cannot be read: whether those that are known count (best effort), or nobody gets on (strict). Null: as the cluster has it. */
    readonly locking: 'strict' | 'best_effort' | null;
  };
}

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

/** How long recordings are kept. */
export interface RetentionRules {
  /** After the end of the session, ms; 0 = for ever. */
  readonly keepMs: number;
  /** Of sessions on servers with the label instead; where several fit, the longest counts. */
  readonly labels: readonly { readonly name: string; readonly value: string; readonly keepMs: number }[];
  /** Of all recordings: above it the oldest go; 0 = as many as there are. */
  readonly mostBytes: number;
}

/** Who acts on something: somebody signed in, with their rights, or the gateway's own machine (`rights` null), which may do all. */
export interface Actor {
  readonly user: string;
  readonly rights: Rights | null;
}

/** Fields every audit event gets by itself: uid, time, cluster_name, and ei unless it is given. The rest is by code. */
export interface AuditEntry {
  readonly code: string;
  readonly [field: string]: unknown;
}

/** Resolves when the event is committed. Rejects when it could not be kept. */
export interface AuditLog {
  emit(entry: AuditEntry): Promise<void>;
}

/**
 * What has changed in the store, told after it was committed: whoever judged by it judges anew. Names and ids only, so that a listener
 * reads the present state and never acts on an old one.
 */
export type Change =
  /** A role was created, replaced or has run out. */
  | { readonly kind: 'roleChanged'; readonly role: string }
  | { readonly kind: 'roleRemoved'; readonly role: string }
  /** A user was created, or has other roles or traits. */
  | { readonly kind: 'userChanged'; readonly user: string }
  | { readonly kind: 'userRemoved'; readonly user: string }
  /** A server was added, or has another name, address, host key or labels. `server` is its id. */
  | { readonly kind: 'serverChanged'; readonly server: string }
  | { readonly kind: 'serverRemoved'; readonly server: string }
  /** A lock was made, changed or taken away. `lock` is its name. */
  | { readonly kind: 'lockChanged'; readonly lock: string }
  /** Web sessions ended before their time, because of a sign-out, a deleted user or a new password. */
  | { readonly kind: 'webSessionsEnded' }
  /** Somebody asks for a headless sign-in, or was answered. */
  | { readonly kind: 'headlessChanged' }
  /** A session began, is over or stands otherwise, or somebody came or went. */
  | { readonly kind: 'sessionChanged'; readonly sid: string }
  /** A session at a server is over, and the audit log has its end: its recording can be listed. */
  | { readonly kind: 'sessionEnded'; readonly sid: string };

/** The event bus of changes (services/changes). */
export interface Changes {
  /** Tells all listeners. Never throws: a listener that fails is reported and the others still hear. */
  emit(change: Change): void;
  /** Answers the function that ends the subscription. A listener may be async; its failure is reported. */
  subscribe(listener: (change: Change) => unknown): () => void;
}

/** Runs once after so many milliseconds; the answer cancels it. */
export type After = (ms: number, run: () => void) => () => void;

export interface Size {
  /** Columns, cells. */
  readonly cols: number;
  /** Rows, cells. */
  readonly rows: number;
}

/** Where a program wrote what it printed. A terminal has one place only: all of it is `stdout`. */
export type OutputStream = 'stdout' | 'stderr';

/** A running shell or command somewhere: on this machine or in a channel of an SSH connection. */
export interface Shell {
  write(bytes: Uint8Array): void;
  resize(size: Size): void;
  /** Stop and resume reading: backpressure reaches the program that prints. */
  pause(): void;
  resume(): void;
  /** At most one listener each; output never arrives after exit. */
  onOutput(listener: (bytes: Uint8Array, from: OutputStream) => void): void;
  onExit(listener: (exit: ShellExit) => void): void;
  /** At most one listener: the program is gone, and no more comes than what it printed already. Told at once when it was gone before. */
  onGone(listener: () => void): void;
  /** Measures a round trip to the host, ms. */
  roundTrip(): Promise<number>;
  /** Hang up. `onExit` follows. Calling it again does nothing. */
  close(): void;
}
export interface ShellExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Set when the connection broke rather than the program ending. */
  readonly error: string | null;
  /** It was never opened: `error` is the whole sentence. */
  readonly unopened?: boolean;
}

/** A server as the broker and the connectors need it. */
export interface Target {
  readonly id: string;
  readonly hostname: string;
  /** 'local' = the machine of the gateway. */
  readonly subKind: string;
  /** host:port for SSH. */
  readonly addr: string;
  /** Pinned host keys, OpenSSH one-line public keys. */
  readonly hostKeys: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** A database server as sessions and protocols need it. */
export interface DatabaseTarget {
  readonly name: string;
  readonly protocol: string;
  /** As people wrote it. */
  readonly uri: string;
  readonly host: string;
  readonly port: number;
  /** Name that its certificate has. */
  readonly serverName: string;
  /** PEM: who vouches for it. Null: the cluster's own authority. */
  readonly authorities: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly type: string;
  /** It holds databases that roles name, beside its users. */
  readonly namesDatabases: boolean;
}
/** Which database is used, and as whom there. */
export interface DatabaseAccess {
  readonly database: DatabaseTarget;
  readonly dbUser: string;
  /** '' where there are none to name. */
  readonly dbName: string;
}

/** A Kubernetes cluster as sessions and the audit log name it. */
export interface KubernetesTarget {
  readonly name: string;
  /** Where its API server is, as people wrote it. */
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
}
/** A cluster that is used, and as whom there. */
export interface KubernetesAccess {
  readonly cluster: KubernetesTarget;
  /** Whom the cluster takes the person for. */
  readonly kubeUser: string;
  readonly kubeGroups: readonly string[];
}
/** A container that somebody works in. */
export interface KubernetesContainer extends KubernetesAccess {
  readonly namespace: string;
  readonly pod: string;
  /** '' = the pod's only one, or its first. */
  readonly container: string;
}

/** What a session, or something else that lasts, has reached: where its labels are, and why roles do not lead there any more. */
export interface Reached {
  readonly kind: LabelledKind;
  readonly name: string;
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
  /** Ends it, with the reason in words. */
  end(why: string): void;
}
/** A program in a container, run by a client that is relayed. */
export interface OpenContainer extends KubernetesContainer {
  readonly who: Who;
  /** Id of the device that this very session was proven with, where roles ask for that. */
  readonly device?: string;
  /** What is run; '' = what runs there already. */
  readonly command: string;
  /** It has a terminal. */
  readonly terminal: boolean;
  readonly reached: Reached;
  /** Connects to the container. Throws ConnectError, and Failure for what the cluster refuses. */
  reach(): Promise<ReachedClient>;
}
/** What a relay tells the session of that runs a program in a container. Nothing throws. */
export interface ContainerSession {
  readonly sid: string;
  output(bytes: Uint8Array): void;
  /** The person typed, or sent, so many bytes. */
  input(bytes: number): void;
  resize(size: Size): void;
  /** The program has ended: '' in good order, else why. */
  exited(code: number | null, error: string): void;
  /** The connection is gone. */
  gone(error: string): void;
}

/** A container that a shell is to be opened in: its way in is judged. */
export interface EnteredContainer extends KubernetesContainer {
  readonly reached: Reached;
  /** Begins the shell. Throws ConnectError. */
  open(size: Size): Promise<Shell>;
}

/** A connection to what a client uses, and that client. */
export interface ReachedClient {
  /** Hangs up on what is used. Calling it again does nothing. */
  close(): void;
  /** Tells the client why it is over, as its protocol does, and hangs up on it. '' when there is nothing to tell. */
  farewell(why: string): void;
}
/** What a statement does, read from its grammar. */
export interface StatementFacts {
  readonly kinds: ReadonlySet<StatementKind>;
  /** As they are written, in any part of it; `schema` is '' where none is. */
  readonly tables: readonly { readonly schema: string; readonly name: string }[];
  /** Names of columns, without their tables. */
  readonly columns: ReadonlySet<string>;
  /** It may read or write columns that it does not name. */
  readonly allColumns: boolean;
}
/** What becomes of a guarded statement, and what the person and the audit log read about it. */
export interface Verdict {
  readonly effect: GuardEffect;
  readonly guard: string;
  readonly role: string;
  readonly text: string;
}

/** What a protocol tells the session of that it relays for. Nothing throws. */
export interface Statements {
  readonly sid: string;
  /** Whether guards are about what is done here. */
  readonly isGuarded: boolean;
  /** What guards say of a statement: the strictest of those that are about it. Null for what cannot be read: the strictest of all. */
  judge(facts: readonly StatementFacts[] | null): Verdict | null;
  /** A guard keeps a statement from the database. */
  blocked(text: string, verdict: Verdict): void;
  /** The client has sent a statement, or executes one that was prepared. `warned`: a guard has said something about it. */
  begun(text: string, warned?: Verdict | null): void;
  /** The database has answered a statement; `rows` is null where nobody has counted. */
  answered(text: string, rows: number | null): void;
  /** The database refused the statement that began last, or one before it. */
  failed(text: string, error: string): void;
  /** Why the client may not go on in another database of the server; null: it may. */
  mayUse(dbName: string): string | null;
  /** It has gone on there. */
  uses(dbName: string): void;
  /** Something else that the audit log has a code for. */
  note(code: string, fields: Readonly<Record<string, unknown>>): void;
  /** Whether the client may be read on: the audit log has kept up. */
  readonly hasRoom: boolean;
  /** Calls once there is room again. */
  onRoom(listener: () => void): void;
  /** What the client or the database sent cannot be read: the session is ended. */
  malformed(payload: Uint8Array): void;
  /** Client or database are gone. `error`: '' when in good order. */
  gone(error: string): void;
}

/** A database, for a client that speaks its protocol. */
export interface OpenDatabase extends DatabaseAccess {
  readonly who: Who;
  /** Id of the device that this very session was proven with, where roles ask for that. */
  readonly device?: string;
  /** Connects to the database, with a certificate that lives so long, ms. Throws ConnectError. */
  reach(ttlMs: number): Promise<ReachedClient>;
}
/** A web application as sessions and protocols need it. */
export interface ApplicationTarget {
  readonly name: string;
  /** As people wrote it. */
  readonly uri: string;
  /** Host name by which browsers know it; '' where it has none. */
  readonly publicAddr: string;
  readonly labels: Readonly<Record<string, string>>;
}
/** Which application is used, and from which web session: it lasts no longer than that. */
export interface ApplicationAccess {
  readonly application: ApplicationTarget;
  readonly webSessionId: string;
}
/** A request to an application, once it is over. */
export interface ApplicationRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** 0 where the application did not answer. */
  readonly status: number;
  /** Of the answer, with its head. */
  readonly bytes: number;
  /** Microseconds until its end. */
  readonly took: number;
}
/** A session in an application that is to begin. */
export interface OpenApplication {
  readonly who: Who;
  /** Id of the device that this very session was proven with, where roles ask for that. */
  readonly device?: string;
  readonly application: ApplicationTarget;
  /** Breaks off all that is open. Calling it again does nothing. */
  hangUp(): void;
}
/** What a protocol tells the session of that it passes requests on for. Nothing throws. */
export interface ApplicationSession {
  readonly sid: string;
  /** It is over, or told to end: nothing more is passed on. */
  readonly over: boolean;
  /** A request or a stream has begun; the answer is called when it is over. */
  opened(): () => void;
  requested(request: ApplicationRequest): void;
}

/** What a session gives a prompt that is to be its shell. */
export interface PromptRequest {
  readonly size: Size;
  /** What a certificate may live from now on, ms. Throws Failure denied once the web session is over. */
  ttlMs(): number;
  /** Leave to use this database of the server; resolves once the session has begun. Throws Failure denied. */
  begin(dbName: string): Promise<Statements>;
}
/** A database as a prompt in a terminal. */
export interface DatabasePrompt extends DatabaseAccess {
  /** Reaches the database. Throws ConnectError. */
  open(request: PromptRequest): Promise<Shell>;
}
/** A port of a target that is to be reached. */
interface Destination {
  /** Id of the target, which says by which way it is reached; '' where none is known yet. */
  readonly target: string;
  readonly host: string;
  readonly port: number;
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

/** What each certificate authority of the cluster vouches for: who trusts one of them trusts nothing else of ours. */
export type CertificatePurpose = 'people' | 'gateway' | 'databaseClients' | 'databaseServers';
/** What an X.509 certificate is to say. */
interface CertificateRequest {
  readonly name: string;
  readonly ends: Date;
  readonly for: 'client' | 'server';
  readonly uris?: readonly string[];
  /** Names and IP addresses. */
  readonly hosts?: readonly string[];
  /** PEM (SPKI), P-256. Absent: a key is made. */
  readonly publicKey?: string;
}
/** The certificate authorities (services/certificates). */
export interface CertificateSigner {
  /** Certificate of an authority, PEM. It is made at its first use; gateways that share a store have the same one. */
  authority(purpose: CertificatePurpose): Promise<string>;
  /** PEM each; `privateKey` is empty where the public key was given. Throws Failure bad_request for one that is none of P-256. */
  issue(
    purpose: CertificatePurpose,
    request: CertificateRequest,
  ): Promise<{ readonly certificate: string; readonly privateKey: string }>;
}

export interface OpenRequest {
  readonly user: string;
  readonly sid: string;
  readonly login: string;
  readonly size: Size;
  /** The certificate lives at most this long, ms. */
  readonly ttlMs: number;
  /** Run by the login's shell instead of it: without a terminal, and with nothing to read. */
  readonly command?: string;
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

/** Opens shells on servers: SSH and this machine each implement it. Throws ConnectError. */
export interface Connector {
  open(target: Target, request: OpenRequest): Promise<Shell>;
}

/** What is known of something that has a name on a host. */
export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Permissions, the lower twelve bits of stat(2). */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly modified: Date;
}
/** A file that is being written. */
export interface FileWriter {
  readonly facts: FileFacts;
  /** Resolves when there is room for more; bytes are the host's when `end` resolves. Copies nothing: leave the memory alone until then. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the host has all and the file is closed. Throws what any write failed with. */
  end(): Promise<void>;
}
/**
 * The files of a host as one login sees them. Paths are text as the protocol's `names.ts` has it; those that do not begin with `/` are
 * taken from the login's home. What fails throws Failure with a sentence that names the host and the path.
 */
export interface HostFiles {
  /** The path without links, `.` and `..`. */
  resolve(path: string): Promise<string>;
  /** Follows links. */
  facts(path: string): Promise<FileFacts>;
  /** Of a link itself. */
  itself(path: string): Promise<FileFacts>;
  /** Entries in the host's order, some at a time; links are not followed. */
  list(path: string): AsyncGenerator<readonly (FileFacts & { readonly name: string })[], void>;
  /** Where a link leads, as it says itself. */
  target(path: string): Promise<string>;
  /** Bytes of a file in order from one place to another. */
  read(path: string, from: number, to: number): AsyncGenerator<Buffer, void>;
  /** `new` fails where something has that name; `over` empties the file that is there; `on` keeps it, and writes from `at`. */
  write(
    path: string,
    how: { readonly as: 'new' | 'over' | 'on'; readonly mode: number; readonly at: number },
  ): Promise<FileWriter>;
  /** Permissions and owner. */
  change(path: string, to: Partial<Pick<FileFacts, 'mode' | 'uid' | 'gid'>>): Promise<void>;
  makeFolder(path: string): Promise<void>;
  removeFile(path: string): Promise<void>;
  /** Only an empty one. */
  removeFolder(path: string): Promise<void>;
  /** `replace`: what has the new name makes room, in one step where the host knows how. */
  rename(from: string, to: string, replace: boolean): Promise<void>;
  /** Hangs up. Calling it again does nothing. */
  close(): void;
  /** Resolves once the host cannot be asked any more. */
  readonly closed: Promise<void>;
}
/** Reaches the files of servers: SSH and this machine each implement it. Throws ConnectError. */
export interface FilesConnector {
  files(target: Target, request: Omit<OpenRequest, 'size'>): Promise<HostFiles>;
}

/** What a client did: a statement of a database's when it began, and, by its number, what the database answered; an application's request. */
export type Told =
  | { readonly kind: 'statement'; readonly text: string }
  | {
      readonly kind: 'answer';
      /** Number of the statement in the session, from 0 on. */
      readonly statement: number;
      /** Microseconds. */
      readonly took: number;
      /** Null where nobody has counted. */
      readonly rows: number | null;
      /** '' where it was not refused. */
      readonly error: string;
    }
  | ({ readonly kind: 'request' } & ApplicationRequest);
/** What one session's output is written to before anyone sees it. */
export interface Recorder {
  readonly mode: 'strict' | 'best_effort';
  /** Appends output. In strict mode it has been written to the recording when this returns; throws when it cannot be. */
  output(bytes: Uint8Array): void;
  /** Appends what a client did, in place of output. Throws as `output` does. */
  told(told: Told): void;
  resize(size: Size): void;
  /** Notes who came and went, for the player's marks. */
  presence(user: string, change: 'join' | 'leave'): void;
  /** Public half of the recording's own key, base64: kept in the audit log, so that a file signed anew by someone else is found. */
  readonly key: string;
  /** Seals: last chunk, chain head and signature. Rejects when that cannot be written: call it again, or `leave` it to the next start. */
  end(): Promise<RecordingSeal>;
  /** Gives up sealing: closes the file as it is, which the next start then seals. */
  leave(): Promise<void>;
  /** The audit log holds the end of the session: the next start need not look at this recording. */
  settle(): Promise<void>;
  /** Forgets a recording whose session never started. */
  discard(): Promise<void>;
}

/** What the audit log keeps about an ended recording (fields of session.end), so that a later change of the file is found. */
export interface RecordingSeal {
  readonly recording_key: string;
  /** SHA-256 over the whole chain, hex. */
  readonly recording_digest: string;
}

export interface RecordingHead {
  /** What is recorded: what a terminal showed. */
  readonly kind: 'terminal';
  readonly sid: string;
  readonly user: string;
  readonly login: string;
  readonly serverId: string;
  readonly hostname: string;
  readonly addr: string;
  readonly clusterName: string;
  readonly size: Size;
  readonly started: Date;
  /**
   * 'db' and 'kube': `hostname` and `login` are the database or the cluster, and the user there. 'app': an application, which `hostname`
   * names.
   */
  readonly proto: 'ssh' | 'db' | 'kube' | 'app';
}

/** A session that the gateway's death cut short, found and closed at the next start. */
export interface RecoveredRecording {
  readonly head: RecordingHead;
  readonly seal: RecordingSeal;
  /** False when its recording had been sealed and only the audit log did not know of the end yet. */
  readonly cut: boolean;
  readonly ended: Date;
  readonly participants: readonly string[];
  /** Bytes of output that are kept. */
  readonly bytes: number;
  /** Call when the audit log holds the end of the session. */
  settle(): Promise<void>;
}

/** A bucket that recordings are kept in. */
export interface BucketPlace {
  readonly name: string;
  /** In front of every key: empty, or ending in `/`. */
  readonly prefix: string;
  /** Null: Amazon's own. */
  readonly endpoint: string | null;
  /** Null: what the environment says. */
  readonly region: string | null;
}

/** Where recordings go. */
export interface RecordingStore {
  /** Throws when the recording cannot be started (disk full, folder gone). */
  open(head: RecordingHead, mode: 'strict' | 'best_effort'): Promise<Recorder>;
}

/** A running session as others see it. */
export interface SessionInfo {
  readonly session: LiveSession;
  readonly ownerId: string;
  readonly ownerRoles: readonly string[];
  /** Ids of the devices of the second factor that it was opened with: of the web session's sign-in, and of its own proof. */
  readonly mfaDevices: readonly string[];
  /** What it has reached, where that is no server. */
  readonly reached?: Reached | undefined;
}
