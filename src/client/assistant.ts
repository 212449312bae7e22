// The client's side of the assistant's socket: frames of text, and why it ended.
import * as z from 'zod/mini';
import { type AssistantAction, type AssistantMessage, assistantMessage, assistantPath } from '../contract/assistant.ts';
import { ApiError } from '../contract/failure.ts';
import { readJson } from '../contract/json.ts';
import { closeCodes } from '../contract/terminal.ts';
import type { Socket, TerminalConnectionPorts } from './terminal-ports.ts';

/** A socket of text. */
type TextSocket = Pick<Socket, 'onopen' | 'onmessage' | 'onclose' | 'close'> & { send(text: string): void };
export interface AssistantPorts extends Pick<TerminalConnectionPorts, 'token' | 'explainRefusal'> {
  connect(address: string): TextSocket;
}
export interface AssistantConnection {
  /** Said as soon as the socket is open. */
  say(frame: string): void;
  /** Ends it; nothing is heard any more. */
  close(): void;
}

/** Opens the socket of a conversation, or of something outside of one. `over` hears once why it ended, '' = as it should. */
export function openAssistant(
  clusterId: string,
  of: { readonly conversation_id: string } | { readonly action: AssistantAction },
  ports: AssistantPorts,
  on: { message(message: AssistantMessage): void; over(why: string): void },
): AssistantConnection {
  let socket: TextSocket | null = null;
  let isOpen = false;
  let isOver = false;
  const waiting: string[] = [];

  function finish(why: string): void {
    if (isOver) return;
    isOver = true;
    if (socket) {
      socket.onmessage = socket.onclose = null;
      socket.close(closeCodes.normal);
    }
    on.over(why);
  }
  async function open(): Promise<void> {
    const query = Object.entries({ access_token: await ports.token(), ...of })
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    if (isOver) return;
    const address = `${assistantPath.replace(':clusterId', encodeURIComponent(clusterId))}?${query}`;
    const opened = ports.connect(address);
    socket = opened;
    opened.onopen = () => {
      isOpen = true;
      for (const frame of waiting.splice(0)) opened.send(frame);
    };
    opened.onmessage = ({ data }) => {
      const read = z.safeParse(assistantMessage, typeof data === 'string' ? readJson(data) : undefined);
      // What a newer gateway says is not for this client.
      if (read.success) on.message(read.data);
    };
    opened.onclose = async ({ code, reason }) => {
      // A browser does not say why it was refused: the same address is asked without an upgrade.
      if (!isOpen) return finish((await ports.explainRefusal(address)).text);
      finish(code === closeCodes.normal ? '' : reason || 'The connection to the assistant was lost.');
    };
  }
  open().catch((error: unknown) =>
    finish(error instanceof ApiError || error instanceof Error ? error.message : 'The assistant cannot be reached'),
  );
  return {
    say(frame) {
      if (isOpen) socket?.send(frame);
      else waiting.push(frame);
    },
    close() {
      on = { message: () => undefined, over: () => undefined };
      finish('');
    },
  };
}
