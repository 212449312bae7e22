// Servers, and who opens shells on them.
import type { Duplex } from 'node:stream';
import type { AwsPlace } from '../../contract/nodes.ts';
import type { Shell, Size } from './shell.ts';

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
  /** A machine of EC2 that is reached through AWS; absent: the gateway dials it, or its tunnel. */
  readonly aws?: AwsPlace;
}

/** How machines of EC2 are reached through AWS. */
export interface Instances {
  /** Lets whoever holds the key (one line) log in there, for a minute. Throws ConnectError. */
  introduce(to: AwsPlace, login: string, publicKey: string): Promise<void>;
  /** Throws ConnectError. */
  open(to: AwsPlace, host: string, port: number): Promise<Duplex>;
}

export interface OpenRequest {
  readonly user: string;
  readonly sid: string;
  readonly login: string;
  readonly size: Size;
  /** The certificate lives at most this long, ms. */
  readonly ttlMs: number;
  /** What the roles put on the certificate beside that, by name. */
  readonly certExtensions?: Readonly<Record<string, string>>;
  /** The server makes the login's user for this where it has none; absent: it does not. */
  readonly hostUser?: HostUser;
  /** Run by the login's shell instead of it: without a terminal, and with nothing to read. */
  readonly command?: string;
  /** What a person's own SSH client wants of it beyond that. */
  readonly wish?: ProgramWish;
}
/** A user that a server makes for a session. */
export interface HostUser {
  /** Whether it goes once nobody needs it. */
  readonly mode: 'drop' | 'keep';
  readonly groups: readonly string[];
  /** What sudo lets it do: lines of sudoers without its name in front. */
  readonly sudoers: readonly string[];
}
/** How a program is to run for a person's own SSH client. Without a terminal it reads what is written; an empty command is the login's shell. */
export interface ProgramWish {
  /** Kind of its terminal, such as `xterm-256color`; null: it has none. */
  readonly term: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** The host's own file transfer in place of the command. */
  readonly subsystem?: 'sftp';
  /** Opens a way to the person's agent; absent: none is lent. */
  readonly agent?: () => Promise<Duplex>;
  /** The person's display; absent: none is lent. */
  readonly display?: LentDisplay;
}
/** A person's display, on which programs of a server show windows. */
export interface LentDisplay {
  /** For one program, and then no more. */
  readonly single: boolean;
  readonly screen: number;
  /** What the person's client wants to see of whoever comes to the display. */
  readonly cookie: Buffer;
  /** Opens a way to it. Rejects with a sentence where the person may no longer lend it. */
  open(): Promise<Duplex>;
  /** Hears once whether the server goes along: null, or why not. */
  answered(refusal: string | null): void;
}

/** Who has connected to a port that is listened at on a server, as the server says. */
interface Caller {
  readonly address: string;
  readonly port: number;
}
/** What streams through a server to somewhere that it reaches, and from whoever reaches it. */
export interface Forwarder {
  /** Connects from the server to host:port. Rejects with a sentence. */
  connect(host: string, port: number): Promise<Duplex>;
  /**
   * Listens at the server, which may choose the port for 0; answers the port. `came` takes what comes, or rejects: then it is refused. Rejects with
   * a sentence.
   */
  listen(host: string, port: number, came: (from: Caller, take: () => Duplex) => Promise<void>): Promise<number>;
  /** Listens there no more. Rejects with a sentence. */
  unlisten(host: string, port: number): Promise<void>;
  /** Hears once that the server is gone. */
  onGone(listener: () => void): void;
  close(): void;
}

/** Opens shells on servers: SSH and this machine each implement it. Throws ConnectError. */
export interface Connector {
  open(target: Target, request: OpenRequest): Promise<Shell>;
  /** For ports of what the server reaches; absent where there is no server in between. Throws ConnectError. */
  forwarder?(target: Target, request: Omit<OpenRequest, 'size' | 'command' | 'wish'>): Promise<Forwarder>;
}
