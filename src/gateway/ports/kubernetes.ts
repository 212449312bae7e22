// Kubernetes clusters and their containers as sessions and protocols need them.
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
