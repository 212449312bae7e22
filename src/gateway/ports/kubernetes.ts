// Kubernetes clusters and their containers as sessions and protocols need them.
import type { Rights } from './rights.ts';
import type { Reached, ReachedClient } from './sessions.ts';
import type { Shell, Size } from './shell.ts';
import type { Who } from './who.ts';

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

/** What a request is about, as roles name it; null: it names none, and may be about any. */
export interface GuardedRequest {
  readonly verb: string;
  /** Plural; '' where it is about no kind: no guard is about those. */
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string | null;
}

/** A request that guards may be about, and whose it is. */
export interface RequestWish {
  readonly who: Pick<Who, 'user' | 'userId' | 'webSessionId'> & { readonly rights: Pick<Rights, 'guards'> };
  readonly access: {
    readonly cluster: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
    readonly kubeUser: string;
  };
  readonly request: GuardedRequest & { readonly path: string };
}
/** What a guard that asks needs of it. */
export interface AskedRequest {
  /** What is sent with it, where something is; it is read once. */
  body(): Promise<Buffer>;
  /** Holds the wait, so that policy can end it; the answer takes it out. */
  hold(end: (why: string) => void): () => void;
  /** The client does not want it any more. */
  readonly signal?: AbortSignal | undefined;
}
/** What came of it. `fields`: what the audit log has of the guard. */
export interface Guarded {
  /** Null: it is sent. */
  readonly refused: string | null;
  /** What the client is told of one that is sent; '' for nothing. */
  readonly warning: string;
  readonly fields: Readonly<Record<string, string>>;
}
export interface RequestGuards {
  /** Resolves once it is decided. Rejects as `body` does. */
  judge(wish: RequestWish, asked: AskedRequest): Promise<Guarded>;
  /** Why what lasts may not go on where guards are these; null: it may. */
  refusal(rights: Pick<Rights, 'guards'>, labels: Readonly<Record<string, string>>, of: GuardedRequest): string | null;
}
