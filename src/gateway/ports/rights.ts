// What a set of roles gives one person.
import type { Acl, RuleResource, Verb } from '../../contract/acl.ts';
import type { DeviceTrustMode } from '../../contract/device-trust.ts';
import type { GuardedKind } from '../../contract/guards.ts';
import type { Mode } from '../../contract/live-sessions.ts';
import type { Expression } from '../../contract/predicate.ts';
import type { GuardSource } from '../../contract/role-document.ts';

/** Resource kinds that carry labels and are selected by roles. */
export type LabelledKind =
  | 'node'
  | 'app'
  | 'db'
  | 'db_service'
  | 'windows_desktop'
  | 'kube_cluster'
  | 'user_group'
  | 'remote_cluster';

/** Principals other than OS logins: what a role's key of this name gives on the resources it selects. */
export type PrincipalKey =
  | 'db_users'
  | 'db_names'
  | 'db_roles'
  | 'host_groups'
  | 'host_sudoers'
  | 'kubernetes_users'
  | 'kubernetes_groups'
  | 'windows_desktop_logins'
  | 'aws_role_arns'
  | 'azure_identities'
  | 'gcp_service_accounts';

/** What a server's kernel tells of a session: programs that ran, files that they opened, where they connected. */
export type KernelKind = 'command' | 'disk' | 'network';

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
  /** They are in an access list, or own one, and see those. */
  readonly inLists?: boolean;
}

export interface GrantedThing {
  readonly kind: LabelledKind;
  readonly name: string;
}
/** What an access request that was approved gives, as long as it lasts. */
export interface Grant {
  readonly request: string;
  readonly roles: readonly string[];
  /** Null: the roles are given whole; otherwise on these things alone. */
  readonly things: readonly GrantedThing[] | null;
  readonly ends: Date;
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
/** Why nobody meets any but the first. */
export const NO_HARDWARE_KEYS = 'Neither browsers nor the postern command line keep their keys in hardware.';
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

/** A guard of a role: which statements, or requests, it is about, and what becomes of them. */
export interface Guard extends Omit<GuardSource, 'db_labels' | 'kubernetes_labels'> {
  readonly role: string;
}

/** So many reviews of which the filter holds decide. 0: so many never do. */
export interface RequestThreshold {
  readonly name: string;
  /** Over `reviewer`, `request` and `review`; '' = all count. */
  readonly filter: string;
  readonly approve: number;
  readonly deny: number;
}
export interface RequestTerms {
  /** One set for each role that lets it be asked for: of each set one threshold must be met. */
  readonly thresholds: readonly (readonly RequestThreshold[])[];
  /** How long what is granted may last, ms. */
  readonly mostMs: number;
  /** What these roles say of a request; null: it takes more work than it may. */
  readonly annotations: Readonly<Record<string, readonly string[]>> | null;
}

/** All that a set of roles gives one person. Computed from the store at every call, never from what the browser sends. */
/** Kinds of sessions that roles let people join. */
export type JoinKind = 'ssh' | 'k8s' | 'desktop';

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
  /** Whether a database with these labels that makes users makes one for this person, who is used whatever `db_users` allow. What they deny counts. */
  ownDatabaseUser(labels: Readonly<Record<string, string>>): boolean;
  /** What may be done inside a Kubernetes cluster with these labels. */
  kubernetes(labels: Readonly<Record<string, string>>): KubernetesRights;
  /** Ways this person may join a session whose owner holds these roles. */
  joinModes(ownerRoles: readonly string[], kind: JoinKind): readonly Mode[];
  /** Who must be in this person's sessions beside them: what each of these roles demands must be met. */
  joinDemands(kind: 'ssh' | 'k8s'): readonly JoinDemand[];
  /** What is guarded in sessions with a resource of this kind that has these labels: guards of all roles count, whichever lets the person in. */
  guards(kind: GuardedKind, labels: Readonly<Record<string, string>>): readonly Guard[];
  /** What may be asked for beyond one's own roles, and whether it must be. */
  readonly requests: {
    readonly strategy: { readonly type: 'optional' | 'always' | 'reason'; readonly prompt: string };
    /** Which of these roles may be requested. */
    roles(names: readonly string[]): readonly string[];
    /** Whether any could be: spares reading all names for those who may request none. */
    readonly anyRoles: boolean;
    readonly suggestedReviewers: readonly string[];
    readonly searchAsRoles: readonly string[];
    /** On what terms a role may be asked for, whole or on single things; null: it may not. */
    terms(role: string, of: 'whole' | 'things'): RequestTerms | null;
  };
  /** Whose access requests may be reviewed. */
  readonly reviews: {
    /** Whether any could be. */
    readonly any: boolean;
    /** Whether a request for these roles may be: all of them count. */
    permits(request: {
      readonly roles: readonly string[];
      readonly reason: string;
      readonly annotations: Readonly<Record<string, readonly string[]>>;
    }): boolean;
    /** As which roles what is asked for is shown while it is reviewed. */
    readonly previewAsRoles: readonly string[];
  };
  /** As whom the person may act. */
  readonly impersonation: {
    /** Whether as anybody. */
    readonly any: boolean;
    /** Whether as this user, with the roles and traits that they have now. */
    permits(user: RightsUser): boolean;
  };
  readonly options: {
    /** Longest life of a web session and of a certificate, ms. */
    readonly maxSessionTtlMs: number;
    /** For shells and commands on servers. */
    readonly recordSsh: 'strict' | 'best_effort';
    /** For everything else that is recorded. */
    readonly recordOthers: 'strict' | 'best_effort';
    /** What is also asked of the server's kernel about a session, where the server is prepared for that. */
    readonly recordKernel: readonly KernelKind[];
    /** Most sessions at once per person; 0 = no limit. */
    readonly maxSessions: number;
    /** Most programs in containers and forwarded ports at once per person, over all clusters; 0 = no limit. */
    readonly maxKubernetesConnections: number;
    readonly portForwarding: boolean;
    readonly sshFileCopy: boolean;
    readonly forwardAgent: boolean;
    /** Programs of servers may show windows on the person's display. */
    readonly x11Forwarding: boolean;
    /** Whether servers make users that they do not have, and what becomes of those. */
    readonly createHostUser: 'off' | 'drop' | 'keep';
    /** Databases that have an administrator for it make a user of the person's own for their sessions; which of them is `ownDatabaseUser`. */
    readonly createDbUser: boolean;
    /** What is reached may be at loopback and link-local addresses of the gateway's machine. */
    readonly reachLoopback: boolean;
    /** Disconnect after this long without input, ms; 0 = never. */
    readonly clientIdleTimeoutMs: number;
    /** A session begins, and is joined, only with a second factor of its own. */
    readonly sessionFactor: boolean;
    /** Where private keys must be kept: anything but `none` keeps browsers out, which keep none in hardware. */
    readonly keyPolicy: KeyPolicy;
    /** A web session, and every certificate of it, counts only from the address that it began at. */
    readonly pinSourceIp: boolean;
    /** What is asked of the device that somebody signs in from; the cluster may ask for more. */
    readonly deviceTrust: DeviceTrustMode;
    /** Extensions that go on the certificates of sessions, by name. */
    readonly certExtensions: Readonly<Record<string, string>>;
    /** People may sign in to SAML service providers with their account of here. */
    readonly samlIdp: boolean;
    /** Whether agents may be delegated; `ask`: each of their commands and statements waits for their person. */
    readonly agents: 'off' | 'ask' | 'allow';
    /** A session ends with the web session it was opened from. */
    readonly disconnectExpired: boolean;
    /** While locks cannot be read: whether those that are known count (best effort), or nobody gets on (strict). Null: as the cluster has it. */
    readonly locking: 'strict' | 'best_effort' | null;
  };
}
