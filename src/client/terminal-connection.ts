// The socket side of one terminal session: it reconnects by itself, and neither loses nor doubles a byte of output.
import { BadFrame, decodeFrame, encodeFrame, type Frame, type FrameType, frameTypes } from '../contract/envelope.ts';
import { ApiError, failures } from '../contract/failure.ts';
import { closeCodes, type FileRequest, type SessionControl, type TerminalParams } from '../contract/terminal.ts';
import { afterClose, afterRefusal, type ConnectionState, type NextStep, type Refusal } from './reconnection.ts';
import {
  readFileEvent,
  readLatency,
  readPresence,
  readPromptFile,
  readSession,
  readSize,
  textOf,
} from './terminal-frames.ts';
import type { Socket, TerminalConnectionEvents, TerminalConnectionPorts } from './terminal-ports.ts';

/** First and longest pause before another try, ms: a blip is mended unseen, a long outage costs 12 tries a minute. */
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 5000;
/** Typing kept while there is no connection, bytes: some pages of text; more is refused. */
const QUEUED_INPUT_BYTES = 64 * 1024;
/** Input travels in frames of this size, bytes: the gateway takes at most 1 MiB in one. */
const INPUT_FRAME_BYTES = 64 * 1024;
/** The gateway tells the latency every 5 s; this long without any frame means that the network is gone though no one said so, ms. */
const SILENCE_MS = 12_500;
/** An error frame explains a close that follows it this soon, ms; otherwise the session went on. */
const EXPLAINS_MS = 2000;

export interface TerminalConnection {
  readonly state: ConnectionState;
  /** Id of the session; '' until the gateway has named it. */
  readonly sid: string;
  /** Sends input, or queues it while there is no connection. False: there is no room for it. */
  send(input: Uint8Array): boolean;
  /** Input sent and not yet taken by the network, bytes. */
  unsentBytes(): number;
  resize(cols: number, rows: number): void;
  /** How far the output was shown, bytes (src/contract/terminal.ts seenMessage). */
  seen(offset: number): void;
  /** Takes, returns or hands over the keys; pauses the session or lets it go on. Nothing happens while there is no connection. */
  control(asked: SessionControl): void;
  /** Asks the others in the session for a file transfer, and approves or denies theirs. */
  requestFile(transfer: FileRequest): void;
  decideFile(requestId: string, approved: boolean): void;
  retryNow(): void;
  /** Asks for the screen anew: this side left output out. */
  resync(): void;
  /** Goes without leaving: the session waits for whoever takes it up. */
  detach(): void;
  /** Leaves the session for good. */
  dispose(): void;
}

const encoder = new TextEncoder();
const json = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/** Connects to a session: a new one, or the one that `params.sid` names. `giveUpAfterMs`: the longest outage; without it there is none. */
export function openTerminalConnection(given: {
  readonly params: TerminalParams;
  readonly ports: TerminalConnectionPorts;
  readonly on: TerminalConnectionEvents;
  readonly giveUpAfterMs?: number;
}): TerminalConnection {
  const { ports, on, giveUpAfterMs = Number.POSITIVE_INFINITY } = given;
  const { clock } = ports;
  let state: ConnectionState = { kind: 'connecting' };
  let sid = given.params.sid;
  let size = given.params.term;
  let sentSize = size;
  /** Bytes of output received, absolute; undefined until the gateway has said where output begins. */
  let position: number | undefined;
  let seenOffset = 0;
  let socket: Socket | null = null;
  let tries = 0;
  let denials = 0;
  let lostAt: number | undefined;
  let lastFrameAt = 0;
  let queued: Uint8Array[] = [];
  let queuedBytes = 0;
  let cancelRetry: () => void = () => {};
  /** Set while silence counts as a lost connection. */
  let stopWatching: (() => void) | null = null;
  let problem = { text: '', at: 0 };
  /** Ends the gateway's question for a hardware key, which lasts as long as its connection. */
  let endAsking = (): void => {};
  const stopWake = ports.onWake(() => {
    if (state.kind === 'reconnecting' || (state.kind === 'connecting' && socket === null)) retryNow();
    else if (state.kind === 'connected' && stopWatching !== null && clock.now() - lastFrameAt > SILENCE_MS / 2)
      lose('The network changed');
  });

  const isFinished = (): boolean => state.kind === 'ended' || state.kind === 'refused';
  const enter = (next: ConnectionState): void => {
    state = next;
    on.state(next);
  };
  const finish = (next: ConnectionState): void => {
    drop();
    cancelRetry();
    stopWake();
    queued = [];
    queuedBytes = 0;
    enter(next);
  };
  const refuse = (text: string): void => finish({ kind: 'refused', text, gone: false });

  /** Forgets the socket: whatever it still says is ignored. */
  function drop(code?: number): void {
    unwatch();
    endAsking();
    const old = socket;
    socket = null;
    if (!old) return;
    old.onopen = old.onmessage = old.onclose = null;
    old.close(code);
  }

  const sendFrame = (type: FrameType, payload: Uint8Array): void =>
    socket?.send(encodeFrame(type, payload) as Uint8Array<ArrayBuffer>);
  const sendInput = (input: Uint8Array): void => {
    for (let at = 0; at < input.length; at += INPUT_FRAME_BYTES)
      sendFrame(frameTypes.raw, input.subarray(at, at + INPUT_FRAME_BYTES));
  };
  const sendSize = (): void => {
    sentSize = size;
    const { w, h } = size;
    sendFrame(frameTypes.resize, json({ event: 'resize', width: w, height: h, size: `${w}:${h}` }));
  };

  async function attempt(): Promise<void> {
    cancelRetry();
    drop();
    problem = { text: '', at: 0 };
    let token: string;
    try {
      token = await ports.token();
    } catch (error) {
      const text = error instanceof Error ? error.message : 'The gateway gave no token';
      // A token that cannot be had is as a gateway that refuses with the same failure; 401 is never tried again.
      if (!isFinished())
        follow(refused({ status: error instanceof ApiError ? failures[error.code].status : 401, text }));
      return;
    }
    if (isFinished() || socket !== null) return;
    const params = { ...given.params, sid, term: size, ...(position !== undefined && { have: position }) };
    sentSize = size;
    const address = ports.address(params, token);
    let opened = false;
    const current = ports.connect(address);
    socket = current;
    current.binaryType = 'arraybuffer';
    current.onopen = () => {
      opened = true;
    };
    current.onmessage = event => {
      lastFrameAt = clock.now();
      receive(event.data);
    };
    current.onclose = ({ code, reason }) => {
      socket = null;
      unwatch();
      endAsking();
      const explained = clock.now() - problem.at <= EXPLAINS_MS ? problem.text : '';
      const next = afterClose({ code, reason, opened, sid, problem: explained });
      if (next === 'ask') void askWhy(address);
      else follow(next);
    };
  }

  function notice(text: string): void {
    problem = { text, at: clock.now() };
    on.notice(text);
  }

  function receive(data: unknown): void {
    if (typeof data === 'string') notice(data); // the wire allows a failure as raw text before the close
    if (!(data instanceof ArrayBuffer)) return;
    try {
      handle(decodeFrame(new Uint8Array(data)));
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      refuse(`The gateway sent something that is not a terminal frame: ${error.message}`);
    }
  }

  function handle(frame: Frame): void {
    const { payload } = frame;
    switch (frame.type) {
      case frameTypes.raw:
        position = (position ?? 0) + payload.length;
        on.output(payload, position);
        break;
      case frameTypes.session:
        attach(payload);
        break;
      case frameTypes.audit: {
        const other = readSize(payload);
        if (other) on.resized?.(other.cols, other.rows);
        const presence = readPresence(payload);
        if (presence) on.presence?.(presence);
        const file = readFileEvent(payload);
        if (file) on.file?.(file);
        const handed = readPromptFile(payload);
        if (handed) on.handed?.(handed);
        break;
      }
      case frameTypes.latency: {
        watch();
        const latency = readLatency(payload);
        if (latency) on.latency?.(latency);
        break;
      }
      case frameTypes.close:
        finish({ kind: 'ended', text: textOf(payload) });
        break;
      case frameTypes.error:
        notice(textOf(payload));
        break;
      case frameTypes.webauthn:
        void prove(textOf(payload));
        break;
      case frameTypes.fileRequest:
      case frameTypes.fileDecision:
      case frameTypes.resize:
        break; // said to the gateway, not by it
      default: {
        frame.type satisfies never;
      }
    }
  }

  /** Answers the gateway's question for a hardware key; whoever cancels leaves. */
  async function prove(challenge: string): Promise<void> {
    let isAsked = true;
    let ended = (): void => {};
    endAsking = () => {
      endAsking = () => {};
      isAsked = false;
      ended();
    };
    unwatch();
    try {
      if (on.prove === undefined)
        throw new Error('This session asks for a hardware key, which cannot be given here: open it in the console');
      const answer = await on.prove(challenge, run => {
        ended = run;
      });
      if (isAsked) sendFrame(frameTypes.webauthn, encoder.encode(answer));
    } catch (error) {
      if (isAsked) refuse(error instanceof Error ? error.message : 'The hardware key was not used');
    }
  }

  function attach(payload: Uint8Array): void {
    const details = readSession(payload);
    if (!details) {
      refuse('The gateway did not say which session this is');
      return;
    }
    const isAgain = sid !== '';
    sid = details.session.id;
    const begins = details.output?.offset ?? 0;
    const continues = isAgain && details.output?.fresh === false && begins === position;
    if (!continues) {
      // A gap would show a screen that never was: clear it and take what there is.
      if (isAgain) on.reset(begins);
      position = seenOffset = begins;
    }
    tries = denials = 0;
    lostAt = undefined;
    on.session(details);
    enter({ kind: 'connected' });
    // From the first frame on the gateway knows that this side tells what it has shown.
    sendFrame(frameTypes.latency, json({ seen: seenOffset }));
    if (sentSize.w !== size.w || sentSize.h !== size.h) sendSize();
    const waiting = queued;
    queued = [];
    queuedBytes = 0;
    for (const input of waiting) sendInput(input);
  }

  async function askWhy(address: string): Promise<void> {
    const before = tries;
    const refusal = await ports.explainRefusal(address);
    if (!isFinished() && socket === null && tries === before) follow(refused(refusal));
  }

  function refused(refusal: Refusal): NextStep {
    const next = afterRefusal(refusal, { sid, tries, denials });
    denials = refusal.status === 403 ? denials + 1 : 0;
    return next;
  }

  function follow(next: NextStep): void {
    if (isFinished()) return;
    lostAt ??= clock.now();
    if (next.kind !== 'retry') {
      finish(next);
      return;
    }
    if (clock.now() - lostAt > giveUpAfterMs) {
      refuse(next.text);
      return;
    }
    const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(tries, 10));
    tries += 1;
    cancelRetry();
    cancelRetry = clock.after(pause, () => void attempt());
    enter({ kind: 'reconnecting', text: next.text, lostAt, retryAt: clock.now() + pause });
  }

  function retryNow(): void {
    if (isFinished() || socket !== null) return;
    tries = 0;
    void attempt();
  }

  function lose(text: string): void {
    drop();
    lostAt ??= lastFrameAt;
    follow({ kind: 'retry', text });
  }

  /** Runs from the first latency frame on: a gateway that never sends one is allowed to be silent. */
  function watch(): void {
    if (stopWatching !== null) return;
    const check = (): void => {
      const silent = clock.now() - lastFrameAt;
      if (silent >= SILENCE_MS) lose('Nothing was heard from the gateway');
      else stopWatching = clock.after(SILENCE_MS - silent, check);
    };
    stopWatching = clock.after(SILENCE_MS, check);
  }
  function unwatch(): void {
    stopWatching?.();
    stopWatching = null;
  }

  function end(code?: number): void {
    cancelRetry();
    stopWake();
    drop(code);
    if (!isFinished()) state = { kind: 'ended', text: '' };
  }

  enter(state);
  void attempt();
  return {
    get state() {
      return state;
    },
    get sid() {
      return sid;
    },
    control(asked) {
      if (state.kind === 'connected') sendFrame(frameTypes.audit, json({ event: 'session.control', ...asked }));
    },
    requestFile(transfer) {
      if (state.kind === 'connected')
        sendFrame(frameTypes.fileRequest, json({ event: 'file_transfer_request', ...transfer }));
    },
    decideFile(requestId, approved) {
      if (state.kind === 'connected')
        sendFrame(frameTypes.fileDecision, json({ event: 'file_transfer_decision', requestId, approved }));
    },
    send(input) {
      if (isFinished()) return false;
      if (state.kind === 'connected') {
        sendInput(input);
        return true;
      }
      if (queuedBytes + input.length > QUEUED_INPUT_BYTES) return false;
      queued.push(input);
      queuedBytes += input.length;
      return true;
    },
    unsentBytes: () => socket?.bufferedAmount ?? 0,
    resize(cols, rows) {
      if (size.w === cols && size.h === rows) return;
      size = { w: cols, h: rows };
      if (state.kind === 'connected') sendSize();
    },
    seen(offset) {
      seenOffset = offset;
      if (state.kind === 'connected') sendFrame(frameTypes.latency, json({ seen: offset }));
    },
    retryNow,
    resync() {
      if (isFinished()) return;
      position = undefined;
      // Until the session is attached anew, what is typed is queued.
      enter({ kind: 'connecting' });
      void attempt();
    },
    detach: () => end(),
    dispose: () => end(closeCodes.normal),
  };
}
