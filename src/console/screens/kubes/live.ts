// What a cluster tells a page for as long as it is open: pods as they change, or the log of one container.
import * as z from 'zod/mini';
import { socketAddress } from '../../../client/refusal.ts';
import type { TerminalConnectionPorts } from '../../../client/terminal-ports.ts';
import { readJson } from '../../../contract/json.ts';
import { type PodsMessage, type PodsParams, podsMessage, podsPath } from '../../../contract/pods.ts';

/** Pause before the first try after a loss, and before the last of many, ms. */
const RETRY_LEAST_MS = 1000;
const RETRY_MOST_MS = 30_000;

export type LivePorts = Pick<TerminalConnectionPorts, 'token' | 'connect' | 'explainRefusal' | 'clock'>;
export interface LiveEvents {
  hear(message: PodsMessage): void;
  /** The connection was lost, and is tried again. */
  lost(): void;
  /** The last call: why there is no more; '' = it has come to its end. */
  over(why: string): void;
}

/** Listens until the answer is called, and again after each loss. */
export function openLive(
  { clusterId, name }: { readonly clusterId: string; readonly name: string },
  params: PodsParams,
  ports: LivePorts,
  on: LiveEvents,
): () => void {
  let socket: ReturnType<LivePorts['connect']> | null = null;
  let wait = RETRY_LEAST_MS;
  let cancel = (): void => undefined;
  let isOver = false;

  function finish(why: string): void {
    if (isOver) return;
    stop();
    on.over(why);
  }
  function stop(): void {
    isOver = true;
    cancel();
    if (socket) socket.onmessage = socket.onclose = null;
    socket?.close();
  }
  async function open(): Promise<void> {
    try {
      const path = podsPath.replace(':name', encodeURIComponent(name));
      const address = socketAddress(path, clusterId, params, await ports.token());
      if (isOver) return;
      let isOpen = false;
      socket = ports.connect(address);
      socket.onopen = () => {
        isOpen = true;
        wait = RETRY_LEAST_MS;
      };
      socket.onmessage = ({ data }) => {
        const read = z.safeParse(podsMessage, typeof data === 'string' ? readJson(data) : undefined);
        if (!read.success) return;
        if (read.data.over !== undefined) return finish(read.data.over);
        on.hear(read.data);
      };
      socket.onclose = async () => {
        if (isOpen) return again();
        // A browser does not say why it was refused: the same address is asked without an upgrade.
        const { status, text } = await ports.explainRefusal(address);
        if (status === 0 || status === 426 || status >= 500) again();
        else finish(text);
      };
    } catch (error) {
      finish(error instanceof Error ? error.message : String(error));
    }
  }
  function again(): void {
    if (isOver) return;
    on.lost();
    cancel = ports.clock.after(wait, () => void open());
    wait = Math.min(2 * wait, RETRY_MOST_MS);
  }
  void open();
  return stop;
}
