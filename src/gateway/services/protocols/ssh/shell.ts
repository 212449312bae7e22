// A shell or command on another machine: one session channel, with a pty or without, seen through the gateway's Shell.

import type { Client, ClientChannel } from 'ssh2';
import type { ReachedStream } from '../../../ports/reach.ts';
import type { OutputStream, Shell, ShellExit } from '../../../ports/shell.ts';
import { wordsOf } from './reasons.ts';
import { limitAhead, ping, sendSignal, terminateAll } from './ssh2-private.ts';

/** Input that the host has not taken yet; beyond it the program there is not reading and memory would grow. */
const INPUT_MOST_BYTES = 16 * 1024 * 1024;
/** A host that does not answer our goodbye is dropped after this. */
const GOODBYE_MS = 1_000;

interface Opened {
  readonly client: Client;
  readonly socket: ReachedStream;
  readonly channel: ClientChannel;
  /** The host in words. */
  readonly where: string;
  /** Hanging up ends what runs in a terminal; what has none must be told to end. */
  readonly hasTerminal: boolean;
}

/** Takes over a connected client and its open channel. The connection ends with the shell. */
export function createShell({ client, socket, channel, where, hasTerminal }: Opened): Shell {
  const { stderr } = channel;
  let output: ((bytes: Uint8Array, from: OutputStream) => void) | undefined;
  let exited: ((exit: ShellExit) => void) | undefined;
  let gone: (() => void) | undefined;
  let exit: ShellExit | undefined;
  let lost: string | undefined;
  let signal: string | null = null;
  let code: number | null = null;
  let closing = false;
  let connected = true;
  let goodbye: NodeJS.Timeout | undefined;

  function hangUp(): void {
    if (goodbye) return;
    goodbye = setTimeout(() => socket.destroy(), GOODBYE_MS);
    const isRunning = !hasTerminal && code === null && signal === null && connected;
    if (isRunning) terminateAll(client, channel, () => client.end());
    channel.close();
    if (!isRunning) client.end();
  }
  function finish(error: string | null): void {
    if (exit) return;
    exit = { code, signal, error };
    hangUp();
    exited?.(exit);
  }

  channel.pause();
  stderr.pause();
  limitAhead(channel);
  channel.on('exit', (status: number | null, name?: string) => {
    code = status;
    signal = name ?? null;
    gone?.();
  });
  // Emitted after the last byte was read, so no output is overtaken. Errors are read to their end as well.
  let open = 2;
  const closed = (): void => {
    open -= 1;
    if (open > 0) return;
    const ended = code !== null || signal !== null;
    finish(ended || closing ? null : (lost ?? `${where} closed the session without saying how the program ended`));
  };
  channel.on('close', closed);
  stderr.on('close', closed);
  channel.on('error', (error: Error) => {
    lost ??= `the session on ${where} broke: ${wordsOf(error)}`;
  });
  stderr.on('error', () => undefined);
  client.on('error', error => {
    lost ??= `the connection to ${where} was lost: ${wordsOf(error)}`;
  });
  client.on('close', () => {
    connected = false;
    clearTimeout(goodbye);
    lost ??= `the connection to ${where} was lost`;
    // A paused channel would never come to its end: whoever hung up does not want the rest.
    if (closing) finish(null);
  });

  return {
    write(bytes) {
      if (exit || closing || !channel.writable) return;
      if (channel.writableLength + bytes.length > INPUT_MOST_BYTES) {
        finish(`the program on ${where} does not read its input (${INPUT_MOST_BYTES / 1_048_576} MiB are waiting)`);
        return;
      }
      channel.write(bytes);
    },
    input: {
      write: bytes => exit !== undefined || closing || !channel.writable || channel.write(bytes),
      end: () => channel.end(),
      onRoom: listener => void channel.on('drain', listener),
    },
    signal(name) {
      if (!exit && !closing) sendSignal(client, channel, name);
    },
    resize({ cols, rows }) {
      if (!exit && !closing) channel.setWindow(rows, cols, 0, 0);
    },
    pause() {
      channel.pause();
      stderr.pause();
    },
    resume() {
      if (!output) return;
      channel.resume();
      stderr.resume();
    },
    onOutput(listener) {
      output = listener;
      const hear = (from: OutputStream) => (bytes: Buffer) => {
        if (!exit && !closing) listener(bytes, from);
      };
      channel.removeAllListeners('data').on('data', hear('stdout')).resume();
      stderr.removeAllListeners('data').on('data', hear('stderr')).resume();
    },
    onExit(listener) {
      exited = listener;
      if (exit) queueMicrotask(() => exit && listener(exit));
    },
    onGone(listener) {
      gone = listener;
      if (code !== null || signal !== null) listener();
    },
    roundTrip() {
      if (exit || closing || !connected) return Promise.reject(new Error(`the session on ${where} has ended`));
      return ping(client);
    },
    close() {
      if (exit || closing) return;
      closing = true;
      hangUp();
      if (!connected) finish(null);
    },
  };
}
