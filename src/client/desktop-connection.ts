// One session on a desktop, from a client's side: asked for, answered, and begun again after a cut.
import * as z from 'zod/mini';
import {
  type DesktopMessage,
  type DesktopParams,
  desktopMessage,
  desktopSessionPath,
  desktopStreamPath,
} from '../contract/desktop-sessions.ts';
import { decodeFrame, encodeFrame, frameTypes } from '../contract/envelope.ts';
import { readJson } from '../contract/json.ts';
import { socketAddress } from './refusal.ts';
import type { TerminalConnectionPorts } from './terminal-ports.ts';

/** Pause before the first try after a loss, and before the last of many, ms. */
const RETRY_LEAST_MS = 1000;
const RETRY_MOST_MS = 15_000;

/** The part of WebSocket that is used. */
interface TextSocket {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number): void;
}
export interface DesktopConnectionPorts
  extends Pick<TerminalConnectionPorts, 'token' | 'explainRefusal' | 'clock' | 'onWake'> {
  connect(address: string): TextSocket;
  /** Hears who watches, by name, whenever that is others. */
  watched(by: readonly string[]): void;
  /** Asks for a hardware key: the challenge as JSON, and the answer as JSON. Rejects with a sentence. */
  prove(challenge: string, onGone: (run: () => void) => void): Promise<string>;
}
type ReadyDesktop = NonNullable<DesktopMessage['ready']>;
/** `stream` is the address of what is drawn, good for one socket. `over`: not begun again by itself. */
export type DesktopState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'asks'; readonly why: string }
  | { readonly kind: 'ready'; readonly session: ReadyDesktop; readonly stream: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'over'; readonly why: string };
export interface DesktopConnection {
  /** The password that was asked for. */
  answer(password: string): void;
  /** Ends the session. */
  close(): void;
}

/** `on` hears every change, and nothing once it has been closed. */
export function openDesktopConnection(
  { clusterId, name }: { readonly clusterId: string; readonly name: string },
  params: () => DesktopParams,
  ports: DesktopConnectionPorts,
  on: (state: DesktopState) => void,
): DesktopConnection {
  let socket: TextSocket | null = null;
  let wait = RETRY_LEAST_MS;
  let cancel = (): void => undefined;
  let isOver = false;
  let gone = (): void => undefined;

  const pathOf = (path: string, sid = ''): string =>
    path.replace(':name', encodeURIComponent(name)).replace(':sid', encodeURIComponent(sid));
  function stop(): void {
    isOver = true;
    cancel();
    unwake();
    gone();
    if (socket) socket.onmessage = socket.onclose = null;
    socket?.close();
  }
  function finish(why: string): void {
    if (isOver) return;
    stop();
    on({ kind: 'over', why });
  }
  function again(): void {
    if (isOver) return;
    gone();
    on({ kind: 'lost' });
    cancel = ports.clock.after(wait, () => void open());
    wait = Math.min(2 * wait, RETRY_MOST_MS);
  }
  async function prove(challenge: string, at: TextSocket): Promise<void> {
    try {
      const answer = await ports.prove(challenge, run => {
        gone = run;
      });
      if (socket === at) at.send(Uint8Array.from(encodeFrame(frameTypes.webauthn, new TextEncoder().encode(answer))));
    } catch (error) {
      if (socket === at) finish(error instanceof Error ? error.message : 'The hardware key was not used');
    }
  }
  async function ready(session: ReadyDesktop, at: TextSocket): Promise<void> {
    wait = RETRY_LEAST_MS;
    try {
      const stream = socketAddress(pathOf(desktopStreamPath, session.sid), clusterId, {}, await ports.token());
      if (socket === at && !isOver) on({ kind: 'ready', session, stream });
    } catch (error) {
      finish(error instanceof Error ? error.message : String(error));
    }
  }
  function hear(data: unknown, at: TextSocket): void {
    if (data instanceof ArrayBuffer) {
      const { type, payload } = decodeFrame(new Uint8Array(data));
      if (type === frameTypes.webauthn) void prove(new TextDecoder().decode(payload), at);
      return;
    }
    const read = z.safeParse(desktopMessage, typeof data === 'string' ? readJson(data) : undefined);
    if (!read.success) return;
    const { asks, ready: begun, watched, over } = read.data;
    if (watched) ports.watched(watched);
    if (over !== undefined) finish(over);
    else if (begun) void ready(begun, at);
    else if (asks !== undefined) on({ kind: 'asks', why: asks });
  }
  async function open(): Promise<void> {
    on({ kind: 'connecting' });
    try {
      const address = socketAddress(pathOf(desktopSessionPath), clusterId, params(), await ports.token());
      if (isOver) return;
      let isOpen = false;
      const opened = ports.connect(address);
      socket = opened;
      opened.binaryType = 'arraybuffer';
      opened.onopen = () => {
        isOpen = true;
      };
      opened.onmessage = ({ data }) => hear(data, opened);
      opened.onclose = async () => {
        if (isOpen) return again();
        // A browser does not say why it was refused: the same address is asked without an upgrade.
        const { status, text } = await ports.explainRefusal(address);
        if (status === 0 || status === 426 || status >= 502) again();
        else finish(text);
      };
    } catch (error) {
      finish(error instanceof Error ? error.message : String(error));
    }
  }
  const unwake = ports.onWake(() => {
    wait = RETRY_LEAST_MS;
  });
  void open();
  return {
    answer(password) {
      on({ kind: 'connecting' });
      socket?.send(JSON.stringify({ password }));
    },
    close: stop,
  };
}
