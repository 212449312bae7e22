// People's own SSH clients on servers: what the SSH port asks of the sessions, and what those tell it.
import type { Duplex } from 'node:stream';
import type { ProgramEnd } from '../../contract/terminal.ts';
import type { Forwarder, LentDisplay, ProgramWish, Target } from './servers.ts';
import type { OutputStream, Size } from './shell.ts';
import type { Who } from './who.ts';

/** A channel of a client. No method may throw; after `ended` none is called. */
export interface ClientChannel {
  /** Copy the bytes: their memory is used again. */
  output(bytes: Uint8Array, from: OutputStream): void;
  /** Given to the channel and not yet taken by the client, bytes. */
  bufferedBytes(): number;
  /** One listener: call it whenever something was taken. */
  onDrain(listener: () => void): void;
  /** Says a sentence to the person, apart from what runs. */
  say(text: string): void;
  /** What runs reads again: bytes that waited may be given to it. */
  room(): void;
  /** `exit` is null where it did not come to its end, and `why` says so then, in a sentence for the person. */
  ended(exit: ProgramEnd | null, why: string): void;
}
/** What a channel may do with what runs. Every method is safe after the end: it then does nothing. */
export interface ClientSession {
  /** False: write no more until `room`. */
  write(bytes: Buffer): boolean;
  /** Nothing more is written. */
  end(): void;
  resize(size: Size): void;
  signal(name: string): void;
  /** The client has closed the channel, or is gone. */
  close(): void;
}
/** What a client asks for. */
export interface ClientWish extends Omit<ProgramWish, 'display'> {
  /** Absent: the client lends none. Null: it wanted to, and was refused. */
  readonly display?: Omit<LentDisplay, 'answered'> | null;
}
/** Where somebody goes, and as whom. */
export interface ClientPlace {
  readonly who: Who;
  readonly target: Target;
  readonly login: string;
  /** Id of the device that this very session was proven with, where roles ask for that. */
  readonly device?: string;
}
export interface ServerClients {
  /** The server that a person means by id or name. Throws Failure not_found, bad_request. */
  target(who: Who, name: string): Promise<Target>;
  /**
   * A shell or, where `line` is not '', a program: in a terminal, which others may join, or without. What copies files needs the right to.
   * Throws Failure denied, unavailable, and ConnectError, each with a sentence.
   */
  open(
    place: ClientPlace,
    asked: { readonly line: string; readonly wish: ClientWish; readonly size: Size },
    channel: ClientChannel,
  ): Promise<ClientSession>;
  /** Whether ports may be forwarded there is looked at for each. `end` ends them all; `over` hears why they were ended. */
  forwards(place: ClientPlace, over: (why: string) => void): ClientForwards;
}
export interface ClientForwards {
  /** Throws Failure denied, ConnectError, Error, each with a sentence. */
  connect(host: string, port: number): Promise<Duplex>;
  /**
   * Listens at the server, which chooses the port for 0; answers the port. `came` hears of each whom roles let through, and takes it or rejects: then
   * it is refused at the server. Throws Failure denied, unavailable, Error, each with a sentence.
   */
  listen(host: string, port: number, came: Parameters<Forwarder['listen']>[2]): Promise<number>;
  /** Throws Error with a sentence. */
  unlisten(host: string, port: number): Promise<void>;
  end(): void;
}
