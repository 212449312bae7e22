// Desktops as sessions and protocols need them.
import type { DesktopProtocol } from '../../contract/resources.ts';
import type { ReachedClient } from './sessions.ts';
import type { Size } from './shell.ts';
import type { Who } from './who.ts';

/** A desktop as sessions and protocols need it. */
export interface DesktopTarget {
  readonly name: string;
  readonly protocol: DesktopProtocol;
  /** host:port */
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** Which desktop is used, and as whom there. */
export interface DesktopAccess {
  readonly desktop: DesktopTarget;
  readonly login: string;
}

/** A session on a desktop that is to begin. */
export interface OpenDesktop extends DesktopAccess {
  readonly who: Who;
  /** Id of the device that this very session was proven with, where roles ask for that. */
  readonly device?: string;
  /** Of its screen, pixels. */
  readonly size: Size;
  /** Hears who watches, by name, whenever that is others. */
  watched(by: readonly string[]): void;
  /** Connects and logs in. Throws ConnectError, Failure denied. */
  reach(): Promise<ReachedClient>;
}

/** What is kept of a desktop at an address; of another one there is nothing. */
type DesktopPlace = Pick<DesktopTarget, 'name' | 'address'>;
/** Secrets of desktops that the gateway keeps. */
export interface DesktopSecrets {
  /** Null where none is kept. */
  password(of: DesktopPlace, login: string): Promise<string | null>;
  /** SHA-256 of the certificate that is trusted, hex; the first that is ever asked about is. */
  pin(of: DesktopPlace, shown: string): Promise<string>;
}

/** A directory that a client would share. */
export interface OfferedDirectory {
  readonly id: number;
  readonly name: string;
}
/** What a protocol tells the session of that it relays for. Nothing throws. */
export interface DesktopSession {
  readonly sid: string;
  readonly isRecorded: boolean;
  /** Whether the person's roles let text go between the clipboards, now. */
  readonly sharesClipboard: boolean;
  /** The server has drawn something. False: it may not be shown, the session is over. */
  drawn(bytes: Uint8Array): boolean;
  /** The person did something: idleness counts from now. */
  active(): void;
  /** Text of so many bytes went to the desktop, or came from it. */
  copied(way: 'send' | 'receive', length: number): void;
  /** A directory was offered and is not shared, and why. */
  notShared(directory: OfferedDirectory, error: string): void;
  /** One side is gone, or has said what cannot be read. `error`: '' when in good order. */
  gone(error: string): void;
}
