// What a terminal connection needs of the runtime it lives in, and what it tells whoever shows the terminal.
import type { PromptFile } from '../contract/prompt-files.ts';
import type { SessionState, TerminalParams } from '../contract/terminal.ts';
import type { ConnectionState, Refusal } from './reconnection.ts';
import type { FileEvent, Latency, Participant, SessionDetails } from './terminal-frames.ts';

/** The part of WebSocket that is used. */
export interface Socket {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  /** Bytes handed to `send` that the network has not taken yet. */
  readonly bufferedAmount: number;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number): void;
}

export interface TerminalConnectionPorts {
  /** Address of the socket for these parameters (refusal.ts terminalAddress). */
  address(params: TerminalParams, token: string): string;
  /** A bearer token that is good now; asked anew for each try. Throws ApiError where another try may help, anything else where none will. */
  token(): string | Promise<string>;
  connect(address: string): Socket;
  /** Why an upgrade was refused, which a socket does not tell (refusal.ts explainRefusal). Never throws. */
  explainRefusal(address: string): Promise<Refusal>;
  readonly clock: {
    /** Milliseconds since any fixed moment. */
    now(): number;
    /** Runs once after so many milliseconds; the answer cancels it. */
    after(ms: number, run: () => void): () => void;
  };
  /** Calls when the network or the person comes back; the answer stops that. */
  onWake(run: () => void): () => void;
}

/** What is optional is for whoever shows it. */
export interface TerminalConnectionEvents {
  state(state: ConnectionState): void;
  session(details: SessionDetails): void;
  /** The screen must be cleared: what follows repeats the session from an earlier point, `offset` bytes into it. */
  reset(offset: number): void;
  /** Output in order; `end` is how far into the session's output it reaches, bytes. */
  output(bytes: Uint8Array, end: number): void;
  /** Somebody came or went, or the session has another state: everybody who takes part now. A gateway may not say how it stands. */
  presence?(now: { readonly parties: readonly Participant[]; readonly sessionState?: SessionState | undefined }): void;
  /** Somebody asks for a file transfer, or it was decided. */
  file?(told: FileEvent): void;
  /** The prompt of a database hands a file to this side. */
  handed?(file: PromptFile): void;
  /** Another participant chose this size. */
  resized?(cols: number, rows: number): void;
  latency?(latency: Latency): void;
  /**
   * This session asks for a hardware key: the challenge as JSON, and the answer as JSON. Rejects with a sentence. `onGone`
   * calls when the connection has gone, and the question with it. Absent: none can be given.
   */
  prove?(challenge: string, onGone: (run: () => void) => void): Promise<string>;
  /** The gateway says something in words: why it refuses, or that it did not do what was asked. */
  notice(text: string): void;
}
