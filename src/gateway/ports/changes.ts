// What has changed in the store, told to whoever judged by it.
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
  /** A database or an application was taken out of the list. */
  | { readonly kind: 'tunnelledRemoved'; readonly of: 'db' | 'app'; readonly name: string }
  /** A lock was made, changed or taken away. `lock` is its name. */
  | { readonly kind: 'lockChanged'; readonly lock: string }
  /** A trusted device was registered, enrolled, changed, given up or removed. `device` is its id. */
  | { readonly kind: 'deviceChanged'; readonly device: string }
  /** Web sessions ended before their time, because of a sign-out, a deleted user or a new password. */
  | { readonly kind: 'webSessionsEnded' }
  /** Somebody asks for a headless sign-in, or was answered. */
  | { readonly kind: 'headlessChanged' }
  /** A statement waits for a review, or does no more. */
  | { readonly kind: 'reviewsChanged' }
  /** Somebody asks for access, or was answered, or what was given has ended early. */
  | { readonly kind: 'requestsChanged' }
  /** Somebody has read notifications. `user` is their id. */
  | { readonly kind: 'notificationsRead'; readonly user: string }
  /** Where desktops are found was written, changed or removed. */
  | { readonly kind: 'discoveryChanged' }
  /** A plugin was enrolled, changed or removed, or fares otherwise. */
  | { readonly kind: 'pluginsChanged' }
  /** An agent was made, stopped, renewed or deleted, or has made a call. */
  | { readonly kind: 'agentsChanged' }
  /** Somebody came into an access list or left one, or a list was made, changed, reviewed or deleted. */
  | { readonly kind: 'accessListsChanged' }
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
