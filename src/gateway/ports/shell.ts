// Something that prints, takes input and sizes, and ends.
export interface Size {
  /** Columns, cells. */
  readonly cols: number;
  /** Rows, cells. */
  readonly rows: number;
}

/** Where a program wrote what it printed. A terminal has one place only: all of it is `stdout`. */
export type OutputStream = 'stdout' | 'stderr';

/** A running shell or command somewhere: on this machine or in a channel of an SSH connection. */
export interface Shell {
  write(bytes: Uint8Array): void;
  resize(size: Size): void;
  /** Stop and resume reading: backpressure reaches the program that prints. */
  pause(): void;
  resume(): void;
  /** At most one listener each; output never arrives after exit. */
  onOutput(listener: (bytes: Uint8Array, from: OutputStream) => void): void;
  onExit(listener: (exit: ShellExit) => void): void;
  /** At most one listener: the program is gone, and no more comes than what it printed already. Told at once when it was gone before. */
  onGone(listener: () => void): void;
  /** What a program without a terminal reads; absent: nothing. */
  readonly input?: ProgramInput;
  /** Sends it a signal by its name without SIG, such as `INT`, where that can be done. */
  signal?(name: string): void;
  /** Measures a round trip to the host, ms. */
  roundTrip(): Promise<number>;
  /** Hang up. `onExit` follows. Calling it again does nothing. */
  close(): void;
}

/** A way into a program that reads at its own pace. */
export interface ProgramInput {
  /** False: write no more until there is room. Keep the bytes as they are until they have gone. */
  write(bytes: Uint8Array): boolean;
  /** Nothing more comes. */
  end(): void;
  /** One listener. */
  onRoom(listener: () => void): void;
}

export interface ShellExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Set when the connection broke rather than the program ending. */
  readonly error: string | null;
  /** It was never opened: `error` is the whole sentence. */
  readonly unopened?: boolean;
}
