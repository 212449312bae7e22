// One command on many servers: so many at once, each as a session of its own; what one server refuses does not keep the others.
import { RUN_OUTPUT_MOST_BYTES, type RunEnded } from '../../../contract/command-run.ts';
import { Failure } from '../../../contract/failure.ts';
import type { LiveSession } from '../../../contract/live-sessions.ts';
import { ConnectError } from '../../ports/reach.ts';
import type { Target } from '../../ports/servers.ts';
import type { OutputStream } from '../../ports/shell.ts';
import type { Who } from '../../ports/who.ts';
import type { Broker, CommandListener, LiveCommand } from './participant.ts';
import { limitOf } from './policy/rules.ts';
import type { RunCommand } from './session-audit.ts';

export interface RunHost {
  readonly target: Target;
  readonly login: string;
}
interface RunRequest {
  readonly who: Who;
  /** The same person as they are now: servers are begun one after the other, and each by the rights of its moment. Throws Failure signed_out. */
  readonly again: (who: Who) => Promise<Who>;
  /** Id of the device that the whole run was proven with. */
  readonly device?: string;
  readonly command: RunCommand;
  readonly hosts: readonly RunHost[];
  readonly parallel: number;
}
/** Whoever watches a run. No method may throw. */
export interface RunListener {
  began(host: RunHost, session: LiveSession): void;
  /** Copy the bytes. */
  output(host: RunHost, bytes: Uint8Array, from: OutputStream): void;
  /** A sentence about this server alone. */
  said(host: RunHost, text: string): void;
  ended(host: RunHost, how: Omit<RunEnded, 'node_id'>): void;
  /** Trouble that is nobody's at the other end. */
  failed(error: unknown): void;
}
export interface CommandRun {
  /** Begins no more, and ends what runs. */
  stop(why: string): void;
  /** Stop and resume reading what all of them print. */
  pause(): void;
  resume(): void;
  /** Resolves when every server has ended. */
  readonly done: Promise<void>;
}

/** Servers that are worked on at once: never more than the sessions that this person may have. */
export const parallelOf = ({ who, parallel }: Pick<RunRequest, 'who' | 'parallel'>): number =>
  Math.min(parallel, limitOf(who.rights.options).most);

/** Runs it. Never throws: what goes wrong at a server is told as its end. */
export function runCommand(broker: Pick<Broker, 'run' | 'end'>, request: RunRequest, to: RunListener): CommandRun {
  const { device, command } = request;
  const waiting = [...request.hosts];
  const running = new Map<string, LiveCommand>();
  let stopped: string | null = null;
  let isPaused = false;

  async function runOn(host: RunHost): Promise<void> {
    let sid = '';
    /** Below 0: some was left out, and that was said. */
    let left = RUN_OUTPUT_MOST_BYTES;
    let ended: Omit<RunEnded, 'node_id'> = { code: null, signal: null, error: '' };
    const listener: CommandListener = {
      began(live) {
        sid = live.session.id;
        running.set(sid, live);
        to.began(host, live.session);
      },
      output(bytes, from) {
        if (left > 0) to.output(host, bytes.subarray(0, left), from);
        if (left >= 0 && bytes.length > left)
          to.said(host, `More than ${RUN_OUTPUT_MOST_BYTES / 1_048_576} MiB: the rest is in the recording.`);
        left -= bytes.length;
      },
      ended(end, exit) {
        running.delete(sid);
        ended = { code: exit?.code ?? null, signal: exit?.signal ?? null, error: exit ? '' : end.text };
      },
    };
    try {
      const who = await request.again(request.who);
      const { done } = await broker.run({ who, ...host, command, listener, ...(device !== undefined && { device }) });
      if (stopped !== null) broker.end(sid, stopped);
      else if (isPaused) running.get(sid)?.pause();
      // The place of one is free for the next once its end is written.
      await done;
    } catch (error) {
      const isKnown = error instanceof ConnectError || error instanceof Failure;
      if (!isKnown) to.failed(error);
      ended = { ...ended, error: isKnown ? error.message : 'The command could not be started.' };
    }
    if (ended.error !== '') to.said(host, ended.error);
    to.ended(host, ended);
  }
  async function work(): Promise<void> {
    for (let host = waiting.shift(); host; host = waiting.shift()) await runOn(host);
  }
  const each = (act: (live: LiveCommand) => void): void => {
    for (const live of running.values()) act(live);
  };
  return {
    stop(why) {
      stopped = why;
      waiting.length = 0;
      for (const sid of running.keys()) broker.end(sid, why);
    },
    pause() {
      isPaused = true;
      each(live => live.pause());
    },
    resume() {
      isPaused = false;
      each(live => live.resume());
    },
    done: Promise.all(Array.from({ length: parallelOf(request) }, work)).then(() => undefined),
  };
}
