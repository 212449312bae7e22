// What the command line and a gateway's admin socket agree on: the answers, which are plain JSON, and who is asking.
import type { Hold } from './holds.ts';
import type { AppliedResource } from './resource-documents.ts';

/** Header that names the OS user of the command line, for the audit log. */
export const ADMIN_USER_HEADER = 'x-postern-user';

/** What the program says that finds the admin socket of a data folder. */
export type DoorAnswer =
  | {
      /** Path of the Unix socket. */
      readonly socket: string;
      /** A gateway runs on the folder; otherwise the program itself serves the socket. */
      readonly running: boolean;
    }
  | {
      /** The settings cannot be used, rather than the folder. */
      readonly mistyped: boolean;
      readonly problems: readonly string[];
    };

/** What each call answers. */
export interface AdminAnswers {
  readonly probe: {
    readonly addr: string;
    readonly hostKey: { readonly type: string; readonly fingerprint: string; readonly publicKey: string };
  };
  readonly server: {
    readonly id: string;
    readonly hostname: string;
    readonly addr: string;
    readonly subKind: string;
    /** The machine that this very gateway runs on. */
    readonly own: boolean;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly alert: { readonly name: string; readonly severity: number; readonly message: string; readonly link: string };
  readonly invite: { readonly user: string; readonly link: string; readonly expires: string };
  readonly passwords: { readonly accepted: boolean };
  /** With any problem nothing was changed. */
  readonly applied: {
    readonly problems: readonly string[];
    readonly resources: readonly AppliedResource[];
    /** What is kept and not enforced yet, and in a dry run who gains and loses what by roles, a sentence each. */
    readonly notes: readonly string[];
  };
  readonly declared: {
    readonly kind: string;
    readonly name: string;
    readonly title: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly origin: string;
  };
  readonly document: { readonly content: string };
  readonly check: { readonly ok: boolean; readonly problem: string };
  /** Recordings that were removed, or would be, and how many a hold spared. */
  readonly expired: {
    readonly removed: readonly { readonly sid: string; readonly bytes: number; readonly why: string }[];
    readonly held: number;
  };
  readonly hold: Hold;
}
