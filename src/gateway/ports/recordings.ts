// What a session is recorded to, and where recordings are kept.
import type { ApplicationRequest } from './applications.ts';
import type { Size } from './shell.ts';

/** How long recordings are kept. */
export interface RetentionRules {
  /** After the end of the session, ms; 0 = for ever. */
  readonly keepMs: number;
  /** Of sessions on servers with the label instead; where several fit, the longest counts. */
  readonly labels: readonly { readonly name: string; readonly value: string; readonly keepMs: number }[];
  /** Of all recordings: above it the oldest go; 0 = as many as there are. */
  readonly mostBytes: number;
}

/** What a client did: a statement of a database's when it began, and, by its number, what the database answered; an application's request. */
export type Told =
  | {
      readonly kind: 'statement';
      readonly text: string;
      /** Of one that was prepared: how many parameters it was executed with. Their values are not kept. */
      readonly parameters?: number;
    }
  /** A statement that goes on: `rows` have passed so far, null where nobody counts them; `took` microseconds. */
  | { readonly kind: 'progress'; readonly statement: number; readonly took: number; readonly rows: number | null }
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
  /** What others said of the statement that began last: that it waits, who has allowed or refused it. A sentence. */
  | { readonly kind: 'review'; readonly text: string }
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
  /** What is recorded: what a terminal showed, or what a desktop's server drew. */
  readonly kind: 'terminal' | 'desktop';
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
   * names. 'rdp' and 'vnc': a desktop, by what it speaks; `size` is that of its screen, pixels.
   */
  readonly proto: 'ssh' | 'db' | 'kube' | 'app' | 'rdp' | 'vnc';
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
