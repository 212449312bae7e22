// Web applications as sessions and protocols need them.
import type { Who } from './who.ts';

/** A web application as sessions and protocols need it. */
export interface ApplicationTarget {
  readonly name: string;
  /** As people wrote it. */
  readonly uri: string;
  /** Host name by which browsers know it; '' where it has none. */
  readonly publicAddr: string;
  readonly labels: Readonly<Record<string, string>>;
  /** ARN of the role that the AWS console is used as. */
  readonly awsRole?: string;
  /** Who somebody is in the API of a cloud: a managed identity of Azure, or a service account of Google Cloud. */
  readonly cloudIdentity?: string;
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
  /** Bytes are passed on that nobody reads: there is nothing to record. */
  readonly isUnread?: boolean;
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
  /** Something went through what is open: idleness counts from now. */
  active(): void;
  /** So many bytes came back over a connection that is over, which had no requests. */
  carried(bytes: number): void;
}
