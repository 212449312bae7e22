// The socket of one terminal session for a person outside the browser: it comes back by itself, and neither loses nor doubles a byte.
import { explainRefusal } from '../../client/refusal.ts';
import { BadFrame, decodeFrame, encodeFrame, type FrameType, frameTypes } from '../../contract/envelope.ts';
import { ApiError } from '../../contract/failure.ts';
import { closeCodes, SEEN_EVERY_BYTES, type TerminalParams, terminalPath } from '../../contract/terminal.ts';
import { send } from './http.ts';
import { openSocket, readSessionFrame, type Socket } from './socket.ts';

/** First and longest pause before another try, ms. */
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 5000;
/** No gateway keeps a session that nobody attends for longer than a person waits, ms. */
const RETRY_MOST_MS = 15 * 60_000;
/** The gateway tells the latency every 5 s; this long without any frame means that the network is gone, ms. */
const SILENCE_MS = 12_500;
/** An error frame explains a close that follows it this soon, ms. */
const EXPLAINS_MS = 2000;
/** Typing kept while there is no connection, bytes. */
const HELD_MOST_BYTES = 64 * 1024;
/** Input travels in frames of this size: the gateway takes at most 1 MiB in one. */
const INPUT_FRAME_BYTES = 64 * 1024;

export interface LinePorts {
  readonly url: string;
  readonly clusterId: string;
  /** Throws when the session of the person is over. */
  bearer(): Promise<string>;
  cookies(): string;
}

export interface LineEvents {
  /** Output in order; `shown` is to be called once it has been written. */
  output(bytes: Uint8Array, shown: () => void): void;
  /** What follows repeats the session from an earlier point: the screen must be cleared. */
  fresh(): void;
  notice(text: string): void;
  /** The connection is gone, and is being made again. */
  lost(text: string): void;
  back(): void;
}

/** How a session ended for this side. `over`: in good order, with what there is to say about it. */
interface LineEnd {
  readonly kind: 'over' | 'left' | 'failed';
  readonly text: string;
}

export interface Line {
  /** False: there is no connection and no more room. */
  send(input: Uint8Array): boolean;
  resize(cols: number, rows: number): void;
  /** Leaves the session for good: it ends when nobody else is in it. */
  leave(): void;
  /** Bytes typed and not yet taken by the network. */
  waiting(): number;
  /** Never throws but for a session of the person that is over. */
  readonly end: Promise<LineEnd>;
}

/** How one connection closed, or what ended the session on it. */
interface Closed {
  readonly code: number;
  readonly reason: string;
  readonly opened: boolean;
  readonly end?: LineEnd;
}
type Verdict = LineEnd | { readonly kind: 'retry'; readonly text: string };

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const json = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));
const neverRetried: ReadonlySet<number> = new Set([closeCodes.badFrame, closeCodes.denied, closeCodes.tooBig]);

/** Opens the line: a new session, or the one that `params.sid` names. */
export function openLine(params: TerminalParams, ports: LinePorts, on: LineEvents): Line {
  let { sid, term } = params;
  let sentTerm = term;
  let socket: Socket | undefined;
  let connected = false;
  /** When the connection was lost; undefined while there is one. */
  let lostAt: number | undefined;
  let tries = 0;
  let left = false;
  /** Bytes of output received and shown, absolute; undefined until the gateway has said where output begins. */
  let position: number | undefined;
  let shown = 0;
  let toldShown = 0;
  let problem = { text: '', at: 0 };
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let wake: () => void = () => {};
  let stop: () => void = () => {};

  const frame = (type: FrameType, payload: Uint8Array): void => socket?.send(encodeFrame(type, payload));
  const tellSize = (): void => {
    sentTerm = term;
    frame(frameTypes.resize, json({ event: 'resize', width: term.w, height: term.h, size: `${term.w}:${term.h}` }));
  };
  const tellShown = (): void => {
    toldShown = shown;
    frame(frameTypes.latency, json({ seen: shown }));
  };
  const sendInput = (input: Uint8Array): void => {
    for (let at = 0; at < input.length; at += INPUT_FRAME_BYTES)
      frame(frameTypes.raw, input.subarray(at, at + INPUT_FRAME_BYTES));
  };

  function heardSession(payload: Uint8Array): LineEnd | undefined {
    const seen = readSessionFrame(decoder.decode(payload));
    if (seen === undefined) return { kind: 'failed', text: 'the gateway did not say which session this is' };
    const again = position !== undefined;
    sid = seen.session.id;
    const begins = seen.output?.offset ?? 0;
    if (!(again && seen.output?.fresh === false && begins === position)) {
      if (again) on.fresh();
      position = shown = begins;
    }
    if (again && !connected) on.back();
    connected = true;
    lostAt = undefined;
    tries = 0;
    tellShown();
    if (sentTerm.w !== term.w || sentTerm.h !== term.h) tellSize();
    const waiting = held;
    held = [];
    heldBytes = 0;
    for (const input of waiting) sendInput(input);
    return undefined;
  }

  /** What one frame means; an end when it is the last. */
  function hear(message: unknown): LineEnd | undefined {
    if (!(message instanceof ArrayBuffer)) return undefined;
    const { type, payload } = decodeFrame(new Uint8Array(message));
    if (type === frameTypes.raw) {
      const end = (position ?? 0) + payload.length;
      position = end;
      on.output(payload, () => {
        shown = Math.max(shown, end);
        if (connected && (shown - toldShown >= SEEN_EVERY_BYTES || shown === position)) tellShown();
      });
    } else if (type === frameTypes.session) return heardSession(payload);
    else if (type === frameTypes.close) return { kind: 'over', text: decoder.decode(payload) };
    else if (type === frameTypes.error) {
      problem = { text: decoder.decode(payload), at: performance.now() };
      if (connected) on.notice(problem.text);
    } else if (type === frameTypes.webauthn)
      return { kind: 'failed', text: 'this session asks for a security key, which only the console can give' };
    return undefined;
  }

  /** One connection, from its opening to its close. */
  async function connect(): Promise<Closed> {
    const address = await addressOf();
    return new Promise(done => {
      let opened = false;
      let lastHeard = performance.now();
      let watch: NodeJS.Timeout | undefined;
      const now = openSocket(address, ports.cookies());
      const over = (closed: Omit<Closed, 'opened'>): void => {
        if (socket !== now) return;
        clearInterval(watch);
        socket = undefined;
        connected = false;
        now.close(closed.end ? closeCodes.normal : undefined);
        done({ ...closed, opened });
      };
      socket = now;
      stop = () => over({ code: closeCodes.normal, reason: '', end: { kind: 'left', text: '' } });
      if (left) return stop();
      now.binaryType = 'arraybuffer';
      now.addEventListener('open', () => {
        opened = true;
      });
      now.addEventListener('error', () => {}); // the close that follows it says as much
      now.addEventListener('close', event => over({ code: event.code ?? 1006, reason: event.reason ?? '' }));
      now.addEventListener('message', ({ data }) => {
        if (socket !== now) return;
        lastHeard = performance.now();
        watch ??= setInterval(() => {
          // Only a gateway that tells the latency is expected to be heard again and again; ours does.
          if (performance.now() - lastHeard > SILENCE_MS)
            over({ code: 1006, reason: 'nothing was heard from the gateway' });
        }, SILENCE_MS / 5);
        try {
          const end = hear(data);
          if (end) over({ code: closeCodes.normal, reason: '', end });
        } catch (error) {
          if (!(error instanceof BadFrame)) throw error;
          const text = `the gateway sent something that is not a terminal frame: ${error.message}`;
          over({ code: closeCodes.badFrame, reason: '', end: { kind: 'failed', text } });
        }
      });
    });
  }

  async function addressOf(): Promise<string> {
    sentTerm = term;
    const wanted: TerminalParams = { ...params, sid, term, ...(position !== undefined && { have: position }) };
    const query = new URLSearchParams({
      access_token: await ports.bearer(),
      params: JSON.stringify(wanted),
      traceparent: '',
    });
    return `${ports.url}${terminalPath.replace(':clusterId', encodeURIComponent(ports.clusterId))}?${query}`;
  }

  async function verdictOf({ code, reason, opened, end }: Closed): Promise<Verdict> {
    if (end) return end;
    if (problem.text !== '' && performance.now() - problem.at <= EXPLAINS_MS)
      return { kind: 'failed', text: problem.text };
    if (code === closeCodes.normal) return { kind: 'over', text: reason };
    if (neverRetried.has(code))
      return { kind: 'failed', text: reason || `the gateway closed the connection (${code})` };
    if (!opened) return refusal();
    // Another try would begin a second session beside one that may have begun unseen.
    if (sid === '') return { kind: 'failed', text: reason || 'the connection was lost before the session began' };
    return { kind: 'retry', text: reason || 'the connection was lost' };
  }

  /** A refused upgrade does not say why: the same address without one does. */
  async function refusal(): Promise<Verdict> {
    const address = (await addressOf()).slice(ports.url.length);
    const { status, text } = await explainRefusal(
      (path, request) =>
        send(ports.url, path, { ...request, headers: { ...request.headers, cookie: ports.cookies() } }),
      address,
    );
    const began = position !== undefined;
    if (status === 404 && began) return { kind: 'failed', text: 'the session ended while the connection was lost' };
    const passing = status === 426 || status === 0 || status === 408 || status === 429 || status >= 500;
    return { kind: passing && began ? 'retry' : 'failed', text };
  }

  const pause = (ms: number): Promise<void> =>
    new Promise(done => {
      const timer = setTimeout(done, ms);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });

  /** What came of one try to connect; a network that is away while the token is renewed is one more reason to try again. */
  async function attempt(): Promise<Verdict> {
    try {
      return await verdictOf(await connect());
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'network') throw error;
      return { kind: position === undefined ? 'failed' : 'retry', text: error.message };
    }
  }

  async function run(): Promise<LineEnd> {
    for (;;) {
      const verdict = await attempt();
      if (left) return { kind: 'left', text: '' };
      if (verdict.kind !== 'retry') return verdict;
      if (lostAt === undefined) {
        lostAt = performance.now();
        on.lost(verdict.text);
      }
      if (performance.now() - lostAt > RETRY_MOST_MS) return { kind: 'failed', text: verdict.text };
      await pause(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(tries++, 10)));
      if (left) return { kind: 'left', text: '' };
    }
  }

  return {
    end: run(),
    send(input) {
      if (connected) sendInput(input);
      else if (heldBytes + input.length > HELD_MOST_BYTES) return false;
      else {
        held.push(input);
        heldBytes += input.length;
      }
      return true;
    },
    resize(cols, rows) {
      if (term.w === cols && term.h === rows) return;
      term = { w: cols, h: rows };
      if (connected) tellSize();
    },
    leave() {
      left = true;
      stop();
      wake();
    },
    waiting: () => socket?.bufferedAmount ?? 0,
  };
}
