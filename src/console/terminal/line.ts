// The socket side of one terminal session: it comes back by itself, and neither loses nor doubles a byte of output.
import { BadFrame, decodeFrame, encodeFrame, type Frame, type FrameType, frameTypes } from '../../contract/envelope.ts';
import { closeCodes, type TerminalParams } from '../../contract/terminal.ts';
import { type LatencySeen, readLatency, readSession, readSize, type SessionSeen, textOf } from './line-messages.ts';
import { afterClose, afterRefusal, type LineState, type Refusal, type Verdict } from './verdict.ts';

/** First and longest pause before another try, milliseconds: a blip is mended unseen, a long outage costs 12 tries a minute. */
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 5000;
/** Typing kept while there is no connection, bytes: some pages of text; more is refused. */
const HELD_INPUT_BYTES = 64 * 1024;
/** Input travels in frames of this size: the gateway takes at most 1 MiB in one. */
const INPUT_FRAME_BYTES = 64 * 1024;
/** The gateway tells the latency every 5 s; this long without any frame means that the network is gone though no one said so. */
const SILENCE_MS = 12_500;
/** An error frame explains a close that follows it this soon; otherwise the session went on. */
const EXPLAINS_MS = 2000;
/** The part of WebSocket that is used. */
export interface Socket {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number): void;
}

export interface LinePorts {
  url(params: TerminalParams, token: string): string;
  token(): string | Promise<string>;
  connect(url: string): Socket;
  /** A browser does not see why an upgrade was refused; this asks. Never throws. */
  why(url: string): Promise<Refusal>;
  readonly clock: { now(): number; after(ms: number, run: () => void): () => void };
  /** Calls when the network or the person comes back; answers how to stop. */
  onWake(run: () => void): () => void;
}

export interface LineEvents {
  state(state: LineState): void;
  session(seen: SessionSeen): void;
  /** The screen must be cleared: what follows repeats the session from an earlier point, `offset` bytes into it. */
  fresh(offset: number): void;
  /** Output in order; `end` is how far into the session's output it reaches, bytes. */
  output(bytes: Uint8Array, end: number): void;
  /** Another participant chose this size. */
  resized(cols: number, rows: number): void;
  latency(latency: LatencySeen): void;
  /** The gateway says something in words: why it refuses, or that it did not do what was asked. */
  notice(text: string): void;
}

export interface Line {
  readonly state: LineState;
  readonly sid: string;
  /** Sends input, or holds it while there is no connection. False: there is no room for it. */
  send(input: Uint8Array): boolean;
  resize(cols: number, rows: number): void;
  /** How far the output was drawn, bytes (src/contract/terminal.ts seenMessage). */
  seen(offset: number): void;
  retryNow(): void;
  /** Asks for the screen anew: this side left output out. */
  resync(): void;
  /** Leaves the session for good. */
  dispose(): void;
}

const encoder = new TextEncoder();
const json = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/** Opens the line to a session: a new one, or the one that `params.sid` names. */
export function openLine(given: {
  readonly params: TerminalParams;
  readonly ports: LinePorts;
  readonly on: LineEvents;
}): Line {
  const { ports, on } = given;
  const { clock } = ports;
  let state: LineState = { kind: 'connecting' };
  let sid = given.params.sid;
  let size = given.params.term;
  let sentSize = size;
  /** Bytes of output received, absolute; undefined until the gateway has said where output begins. */
  let position: number | undefined;
  let drawn = 0;
  let socket: Socket | null = null;
  let tries = 0;
  let denials = 0;
  let lastHeard = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let stopTimer: () => void = () => {};
  let stopWatch: () => void = () => {};
  let problem = { text: '', at: 0 };
  const stopWake = ports.onWake(() => {
    if (state.kind === 'reconnecting' || (state.kind === 'connecting' && socket === null)) retryNow();
    else if (state.kind === 'connected' && watching && clock.now() - lastHeard > SILENCE_MS / 2)
      lost('The network changed');
  });
  let watching = false;

  const say = (next: LineState): void => {
    state = next;
    on.state(next);
  };
  const over = (next: LineState): void => {
    drop();
    stopTimer();
    stopWake();
    held = [];
    heldBytes = 0;
    say(next);
  };

  /** Forgets the socket: whatever it still says is not heard. */
  function drop(code?: number): void {
    stopWatch();
    watching = false;
    const old = socket;
    socket = null;
    if (!old) return;
    old.onopen = old.onmessage = old.onclose = null;
    old.close(code);
  }

  const frame = (type: FrameType, payload: Uint8Array): void =>
    socket?.send(encodeFrame(type, payload) as Uint8Array<ArrayBuffer>);

  async function attempt(): Promise<void> {
    stopTimer();
    drop();
    problem = { text: '', at: 0 };
    const params: TerminalParams = {
      ...given.params,
      sid,
      term: size,
      ...(position === undefined ? {} : { have: position }),
    };
    let url: string;
    try {
      url = ports.url(params, await ports.token());
    } catch (error) {
      retry(error instanceof Error ? error.message : 'The gateway gave no token');
      return;
    }
    if (finished() || socket !== null) return;
    sentSize = params.term;
    let opened = false;
    const now = ports.connect(url);
    socket = now;
    now.binaryType = 'arraybuffer';
    now.onopen = () => {
      opened = true;
    };
    now.onmessage = event => {
      lastHeard = clock.now();
      hear(event.data);
    };
    now.onclose = event => {
      socket = null;
      stopWatch();
      watching = false;
      closed(event.code, event.reason, opened, url);
    };
  }

  function notice(text: string): void {
    problem = { text, at: clock.now() };
    on.notice(text);
  }

  const finished = (): boolean => state.kind === 'ended' || state.kind === 'refused';

  function hear(data: unknown): void {
    if (typeof data === 'string') notice(data); // the wire allows a failure as raw text before the close
    if (!(data instanceof ArrayBuffer)) return;
    try {
      heard(decodeFrame(new Uint8Array(data)));
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      over({
        kind: 'refused',
        text: `The gateway sent something that is not a terminal frame: ${error.message}`,
        gone: false,
      });
    }
  }

  function heard(said: Frame): void {
    const { payload } = said;
    switch (said.type) {
      case frameTypes.raw:
        position = (position ?? 0) + payload.length;
        on.output(payload, position);
        break;
      case frameTypes.session:
        joined(payload);
        break;
      case frameTypes.audit: {
        const other = readSize(payload);
        if (other) on.resized(other.cols, other.rows);
        break;
      }
      case frameTypes.latency: {
        watch();
        const latency = readLatency(payload);
        if (latency) on.latency(latency);
        break;
      }
      case frameTypes.close:
        over({ kind: 'ended', text: textOf(payload) });
        break;
      case frameTypes.error:
        notice(textOf(payload));
        break;
      case frameTypes.webauthn:
        over({
          kind: 'refused',
          text: 'This session asks for a security key, which this console cannot give yet',
          gone: false,
        });
        break;
      case frameTypes.fileRequest:
      case frameTypes.fileDecision:
      case frameTypes.resize:
        break; // said to the gateway, not by it
      default:
        said.type satisfies never;
    }
  }

  function joined(payload: Uint8Array): void {
    const seen = readSession(payload);
    if (!seen) {
      over({ kind: 'refused', text: 'The gateway did not say which session this is', gone: false });
      return;
    }
    const attached = sid !== '';
    sid = seen.session.id;
    const begins = seen.output?.offset ?? 0;
    const continues = attached && seen.output?.fresh === false && begins === position;
    if (!continues) {
      // A gap would show a screen that never was: clear it and take what there is.
      if (attached) on.fresh(begins);
      position = drawn = begins;
    }
    tries = denials = 0;
    on.session(seen);
    say({ kind: 'connected' });
    // From the first frame on the gateway knows that this side tells what it has drawn.
    frame(frameTypes.latency, json({ seen: drawn }));
    if (sentSize.w !== size.w || sentSize.h !== size.h) tellSize();
    const waiting = held;
    held = [];
    heldBytes = 0;
    for (const input of waiting) frame(frameTypes.raw, input);
  }

  function closed(code: number, reason: string, opened: boolean, url: string): void {
    const explained = clock.now() - problem.at <= EXPLAINS_MS ? problem.text : '';
    const verdict = afterClose({ code, reason, opened, sid, problem: explained });
    if (verdict.kind === 'ask') void askWhy(url);
    else follow(verdict);
  }

  async function askWhy(url: string): Promise<void> {
    const before = tries;
    const why = await ports.why(url);
    if (finished() || socket !== null || tries !== before) return;
    const verdict = afterRefusal(why, { sid, tries, denials });
    denials = why.status === 403 ? denials + 1 : 0;
    follow(verdict);
  }

  function follow(verdict: Exclude<Verdict, { kind: 'ask' }>): void {
    if (verdict.kind === 'retry') retry(verdict.text);
    else over(verdict);
  }

  function retry(text: string): void {
    if (finished()) return;
    const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(tries, 10));
    tries += 1;
    stopTimer();
    stopTimer = clock.after(pause, () => void attempt());
    say({ kind: 'reconnecting', text, retryAt: clock.now() + pause });
  }

  function retryNow(): void {
    if (finished() || socket !== null) return;
    tries = 0;
    void attempt();
  }

  function lost(text: string): void {
    drop();
    retry(text);
  }

  /** Runs from the first latency frame on: a gateway that never sends one is allowed to be silent. */
  function watch(): void {
    if (watching) return;
    watching = true;
    const check = (): void => {
      const silent = clock.now() - lastHeard;
      if (silent >= SILENCE_MS) lost('Nothing was heard from the gateway');
      else stopWatch = clock.after(SILENCE_MS - silent, check);
    };
    stopWatch = clock.after(SILENCE_MS, check);
  }

  const tellSize = (): void => {
    sentSize = size;
    frame(frameTypes.resize, json({ event: 'resize', width: size.w, height: size.h, size: `${size.w}:${size.h}` }));
  };

  say(state);
  void attempt();
  return {
    get state() {
      return state;
    },
    get sid() {
      return sid;
    },
    send(input) {
      if (finished()) return false;
      if (state.kind !== 'connected') {
        if (heldBytes + input.length > HELD_INPUT_BYTES) return false;
        held.push(input);
        heldBytes += input.length;
        return true;
      }
      for (let at = 0; at < input.length; at += INPUT_FRAME_BYTES)
        frame(frameTypes.raw, input.subarray(at, at + INPUT_FRAME_BYTES));
      return true;
    },
    resize(cols, rows) {
      if (size.w === cols && size.h === rows) return;
      size = { w: cols, h: rows };
      if (state.kind === 'connected') tellSize();
    },
    seen(offset) {
      drawn = offset;
      if (state.kind === 'connected') frame(frameTypes.latency, json({ seen: offset }));
    },
    retryNow,
    resync() {
      if (finished()) return;
      position = undefined;
      void attempt();
    },
    dispose() {
      stopTimer();
      stopWake();
      drop(closeCodes.normal);
      if (!finished()) state = { kind: 'ended', text: '' };
    },
  };
}
