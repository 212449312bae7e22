// Keeps the road between socket and screen short, so that what a person stops has really stopped.
import { SEEN_EVERY_BYTES } from '../../contract/terminal.ts';

/** Most bytes handed to the terminal and not yet drawn: its guide asks for less than 500 kB, and past 50 MB it throws away. */
const OUTSTANDING_BYTES = 256 * 1024;
/** Most bytes kept for a page that nobody looks at: more than the gateway's ring, from which the screen can be had again. */
const HIDDEN_BYTES = 1024 * 1024;

export interface FlowControlPorts {
  /** Hands output to the terminal; `done` is called once it was parsed. */
  write(bytes: Uint8Array, done: () => void): void;
  /** How far into the session's output this side is, bytes; reported every SEEN_EVERY_BYTES. */
  seen(offset: number): void;
  /** Browsers let a hidden page run for some milliseconds a minute: waiting for its screen would stop the shell. */
  hidden(): boolean;
  /** Output was left out while hidden: the screen must be had anew. */
  resync(): void;
}

/** Passes output on in order, never more than OUTSTANDING_BYTES ahead of the screen. The gateway waits when `seen` lags. */
export function createFlowControl(ports: FlowControlPorts) {
  let waiting: { bytes: Uint8Array; end: number }[] = [];
  let outstanding = 0;
  let reported = 0;
  let skipping = false;
  /** Counts restarts: what an earlier one still draws is not accounted to this one. */
  let generation = 0;

  function report(end: number): void {
    if (end - reported < SEEN_EVERY_BYTES) return;
    reported = end;
    ports.seen(end);
  }

  function pump(): void {
    while (outstanding < OUTSTANDING_BYTES) {
      const next = waiting.shift();
      if (!next) return;
      const { bytes, end } = next;
      const startedIn = generation;
      outstanding += bytes.length;
      ports.write(bytes, () => {
        if (startedIn !== generation) return;
        outstanding -= bytes.length;
        report(end);
        pump();
      });
    }
  }

  const behind = (): number => waiting.reduce((sum, { bytes }) => sum + bytes.length, outstanding);

  return {
    /** Takes output that reaches to `end`, bytes into the session. */
    push(bytes: Uint8Array, end: number): void {
      if (ports.hidden()) {
        report(end);
        if (behind() > HIDDEN_BYTES) {
          waiting = [];
          skipping = true;
        }
      }
      if (skipping) return;
      waiting.push({ bytes, end });
      pump();
    },
    /** Output begins anew at `offset`: what waits is of no use any more. */
    restart(offset: number): void {
      generation += 1;
      waiting = [];
      outstanding = 0;
      reported = offset;
      skipping = false;
    },
    /** Somebody looks again. */
    wake(): void {
      if (skipping) ports.resync();
    },
    /** Bytes between socket and screen. */
    behind,
  };
}
