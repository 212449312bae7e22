// What a cluster tells a page for as long as it is open: pods as they change, or the log of one container.
import * as z from 'zod/mini';
import { socketAddress } from '../../../client/refusal.ts';
import type { TerminalConnectionPorts } from '../../../client/terminal-ports.ts';
import { readJson } from '../../../contract/json.ts';
import { type PodsMessage, type PodsParams, podsMessage, podsPath } from '../../../contract/pods.ts';

/** Pause before the first try after a loss, and before the last of many, ms. */
const RETRY_LEAST_MS = 1000;
const RETRY_MOST_MS = 30_000;

export interface LivePorts extends Pick<TerminalConnectionPorts, 'token' | 'connect' | 'explainRefusal' | 'clock'> {
  /** Asks for a hardware key: the challenge as JSON, and its answer. `onGone` calls when nobody waits for it any more. Rejects with a sentence. */
  readonly prove: (challenge: string, onGone: (run: () => void) => void) => Promise<string>;
}
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
  let endAsking = (): void => undefined;

  function finish(why: string): void {
    if (isOver) return;
    stop();
    on.over(why);
  }
  function stop(): void {
    isOver = true;
    cancel();
    endAsking();
    if (socket) socket.onmessage = socket.onclose = null;
    socket?.close();
  }
  /** Answers the gateway's question for a hardware key; whoever cancels has seen enough. */
  async function prove(challenge: string, asked: NonNullable<typeof socket>): Promise<void> {
    let isAsked = true;
    let gone = (): void => undefined;
    endAsking = () => {
      endAsking = () => undefined;
      isAsked = false;
      gone();
    };
    try {
      const answer = await ports.prove(challenge, run => {
        gone = run;
      });
      if (isAsked) asked.send(new TextEncoder().encode(answer));
    } catch (error) {
      if (isAsked) finish(error instanceof Error ? error.message : 'The hardware key was not used');
    }
  }
  async function open(): Promise<void> {
    try {
      const path = podsPath.replace(':name', encodeURIComponent(name));
      const address = socketAddress(path, clusterId, params, await ports.token());
      if (isOver) return;
      let isOpen = false;
      const opened = ports.connect(address);
      socket = opened;
      socket.onopen = () => {
        isOpen = true;
        wait = RETRY_LEAST_MS;
      };
      socket.onmessage = ({ data }) => {
        const read = z.safeParse(podsMessage, typeof data === 'string' ? readJson(data) : undefined);
        if (!read.success) return;
        if (read.data.over !== undefined) return finish(read.data.over);
        if (read.data.challenge) void prove(JSON.stringify(read.data.challenge), opened);
        else on.hear(read.data);
      };
      socket.onclose = async () => {
        endAsking();
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
