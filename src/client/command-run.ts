// The client's side of one command on many servers: one connection for the whole run, which ends with it.
import * as z from 'zod/mini';
import {
  type CommandRunAsked,
  commandRunPath,
  type RunEnded,
  type RunHost,
  type RunOutput,
  runEnded,
  runHosts,
  runOutput,
} from '../contract/command-run.ts';
import { decodeFrame, encodeFrame, frameTypes } from '../contract/envelope.ts';
import { ApiError } from '../contract/failure.ts';
import { closeCodes } from '../contract/terminal.ts';
import { socketAddress } from './refusal.ts';
import { jsonOf, readSession, textOf } from './terminal-frames.ts';
import type { TerminalConnectionPorts } from './terminal-ports.ts';

/** Path and query of the socket. The bearer token stands in it, so it is nothing to log or to show. */
const commandRunAddress = (clusterId: string, params: CommandRunAsked, token: string): string =>
  socketAddress(commandRunPath, clusterId, params, token);
/** Longest address that every server on the way takes, characters. */
const ADDRESS_MOST_CHARACTERS = 14_000;

export type RunPorts = Pick<TerminalConnectionPorts, 'token' | 'connect' | 'explainRefusal'>;

export interface RunEvents {
  /** Some of the run's servers, before anything else; `total` is how many there will be. */
  hosts(hosts: readonly RunHost[], total: number): void;
  /** It runs there, as the session `sid`. */
  began(nodeId: string, sid: string): void;
  output(nodeId: string, type: RunOutput['type'], bytes: Uint8Array): void;
  ended(ended: RunEnded): void;
  /** The run asks for a hardware key, once: the challenge as JSON, and the answer as JSON. Rejects with a sentence. */
  prove(challenge: string, onGone: (run: () => void) => void): Promise<string>;
  /** The last call: '' when every server has ended, else why the run did not go on. */
  over(why: string): void;
}

/** Starts the command; the answer stops it everywhere. What goes wrong is told by `over`, once. */
export function startRun(clusterId: string, params: CommandRunAsked, ports: RunPorts, on: RunEvents): { stop(): void } {
  let socket: ReturnType<RunPorts['connect']> | null = null;
  let isOver = false;
  let said = '';
  let gone = (): void => undefined;

  function finish(why: string): void {
    if (isOver) return;
    isOver = true;
    gone();
    if (socket) {
      socket.onmessage = socket.onclose = null;
      socket.close(closeCodes.normal);
    }
    on.over(why);
  }
  async function open(): Promise<void> {
    const address = commandRunAddress(clusterId, params, await ports.token());
    if (isOver) return;
    if (address.length > ADDRESS_MOST_CHARACTERS)
      return finish('That is more than one run can name: choose the servers by a shorter query.');
    let isOpen = false;
    socket = ports.connect(address);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      isOpen = true;
    };
    socket.onmessage = ({ data }) => {
      try {
        hear(new Uint8Array(data as ArrayBuffer));
      } catch {
        finish('The gateway said something that is not understood.');
      }
    };
    socket.onclose = async ({ code, reason }) => {
      // A browser does not say why it was refused: the same address is asked without an upgrade.
      if (!isOpen) return finish((await ports.explainRefusal(address)).text);
      finish(code === closeCodes.normal ? '' : said || reason || 'The connection was lost: the run was stopped.');
    };
  }
  function hear(bytes: Uint8Array): void {
    const { type, payload } = decodeFrame(bytes);
    if (type === frameTypes.raw) {
      const { node_id, type: kind, payload: output } = z.parse(runOutput, jsonOf(payload));
      on.output(
        node_id,
        kind,
        Uint8Array.from(atob(output), letter => letter.charCodeAt(0)),
      );
    } else if (type === frameTypes.session) {
      const session = readSession(payload)?.session;
      if (session) on.began(session.server_id, session.id);
    } else if (type === frameTypes.close) on.ended(z.parse(runEnded, jsonOf(payload)));
    else if (type === frameTypes.error) said = textOf(payload);
    else if (type === frameTypes.webauthn) void prove(textOf(payload));
    else if (type === frameTypes.audit) {
      const hosts = z.safeParse(runHosts, jsonOf(payload)).data;
      if (hosts) on.hosts(hosts.hosts, hosts.total);
    }
  }
  async function prove(challenge: string): Promise<void> {
    try {
      const answer = await on.prove(challenge, run => {
        gone = run;
      });
      if (!isOver)
        socket?.send(encodeFrame(frameTypes.webauthn, new TextEncoder().encode(answer)) as Uint8Array<ArrayBuffer>);
    } catch (error) {
      finish(error instanceof Error ? error.message : 'The hardware key was not used');
    }
  }

  open().catch((error: unknown) =>
    finish(error instanceof ApiError || error instanceof Error ? error.message : 'The run could not be started'),
  );
  return { stop: () => finish('The run was stopped.') };
}
