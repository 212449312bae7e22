// Hears from the gateway what has changed, for as long as a console is open.

import * as z from 'zod/mini';
import { type ChangesMessage, changesMessage, changesPath, changingLists, overMessage } from '../contract/changes.ts';
import { readJson } from '../contract/json.ts';
import type { Socket } from './terminal-ports.ts';

type ChangesSocket = Pick<Socket, 'onopen' | 'onmessage' | 'onclose' | 'close'>;

export interface ChangesPorts {
  /** A bearer token that is good now. Throws where there is none. */
  readonly token: () => Promise<string>;
  readonly connect: (address: string) => ChangesSocket;
  /** Runs once after so many milliseconds; the answer cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** A list may show other rows now. */
  readonly onChange: (changed: ChangesMessage['changed']) => void;
  /** The session is over, and this is why. */
  readonly onOver: (why: string) => void;
  /** Nothing is heard for now: the session may be over, or the gateway is not reached. */
  readonly onLost: () => void;
}

/** Pause before the first try after a loss, and before the last of many, ms. */
const RETRY_LEAST_MS = 1000;
const RETRY_MOST_MS = 30_000;

/** Listens until the answer is called, and again after each loss. What may have been missed meanwhile is heard as changed. */
export function listenForChanges(ports: ChangesPorts): () => void {
  let socket: ChangesSocket | null = null;
  let pause = RETRY_LEAST_MS;
  let cancel = (): void => {};
  let isOver = false;

  function again(): void {
    socket = null;
    if (isOver) return;
    ports.onLost();
    cancel = ports.after(pause, () => void open());
    pause = Math.min(2 * pause, RETRY_MOST_MS);
  }
  async function open(): Promise<void> {
    const token = await ports.token().catch(() => null);
    if (isOver) return;
    if (token === null) return again();
    socket = ports.connect(`${changesPath}?access_token=${encodeURIComponent(token)}`);
    socket.onopen = () => {
      pause = RETRY_LEAST_MS;
      for (const changed of changingLists) ports.onChange(changed);
    };
    socket.onmessage = ({ data }) => {
      const said = typeof data === 'string' ? readJson(data) : undefined;
      const told = z.safeParse(changesMessage, said);
      const over = z.safeParse(overMessage, said);
      // What a newer gateway tells is not for this console.
      if (told.success) ports.onChange(told.data.changed);
      else if (over.success) ports.onOver(over.data.over);
    };
    socket.onclose = again;
  }
  void open();
  return () => {
    isOver = true;
    cancel();
    socket?.close();
  };
}
