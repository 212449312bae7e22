// `play`: a recording in the person's own terminal at its speed, or what it holds as text or JSON.
import { setTimeout as later } from 'node:timers/promises';
import { STREAM_MOST_BYTES, sessionEvents, sessionStream } from '../../contract/recordings.ts';
import { plainJson, plainLines } from '../output.ts';
import { SESSION_FLAG } from '../read.ts';
import { type Surface, type Typed, UsageError, type Verb } from '../verb.ts';
import { open } from './opened.ts';
import type { Session } from './signed.ts';

const SPEEDS = { least: 0.25, most: 32 } as const;
/** Nobody waits longer than this for what comes next, ms. */
const IDLE_MOST_MS = 2000;
const ESCAPE = 0x1b;
const BELL = 0x07;
/** OSC, DCS, SOS, PM, APC: titles, clipboards and whatever else a terminal obeys that is not drawing. */
const STRINGS: ReadonlySet<number> = new Set([...']PX^_'].map(letter => letter.charCodeAt(0)));

/** Takes the strings out that reach beyond the screen, however they are cut into pieces: whoever plays is not who typed. */
export function createScreenOnly(): (bytes: Uint8Array) => Uint8Array {
  let isEscaped = false;
  let inString = false;
  return bytes => {
    const kept: number[] = [];
    for (const byte of bytes) {
      if (inString) {
        // BEL, or ESC with what follows it, ends the string.
        inString = byte !== BELL && !isEscaped;
        isEscaped = byte === ESCAPE;
      } else if (isEscaped) {
        isEscaped = byte === ESCAPE;
        inString = STRINGS.has(byte);
        if (!inString) kept.push(ESCAPE, ...(isEscaped ? [] : [byte]));
      } else if (byte === ESCAPE) isEscaped = true;
      else kept.push(byte);
    }
    return Uint8Array.from(kept);
  };
}

/** All bytes of the recording, a piece at a time. */
async function* streamOf(session: Session, params: Record<string, string>, total: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < total; offset += STREAM_MOST_BYTES) {
    const { body } = await session.file(sessionStream, { params, query: { offset, bytes: STREAM_MOST_BYTES } });
    if (body) yield* body as AsyncIterable<Uint8Array>;
  }
}

async function play(typed: Typed, { print, untilEnded }: Surface): Promise<number> {
  const speed = Number(typed.one('--speed') ?? 1);
  if (!(speed >= SPEEDS.least && speed <= SPEEDS.most))
    throw new UsageError(`--speed: a number from ${SPEEDS.least} to ${SPEEDS.most} expected`);
  const { session, clusterId } = await open(typed);
  const params = { clusterId, sid: typed.words[0] ?? '' };
  const { events } = await session.call(sessionEvents, { params });
  if (typed.has('--json')) {
    print(plainJson(events));
    return 0;
  }
  const prints = events.filter(({ event }) => event === 'print');
  const total = prints.reduce((most, { offset, bytes }) => Math.max(most, Number(offset) + Number(bytes)), 0);
  if (typed.has('--text')) {
    const decoder = new TextDecoder();
    for await (const bytes of streamOf(session, params, total))
      process.stdout.write(plainLines(decoder.decode(bytes, { stream: true }).replaceAll('\r\n', '\n')));
    return 0;
  }
  const ended = new AbortController();
  void untilEnded?.().then(() => ended.abort());
  const onlyScreen = createScreenOnly();
  const stream = streamOf(session, params, total);
  let waiting: Uint8Array = new Uint8Array(0);
  let at = 0;
  for (const { ms, bytes } of prints) {
    const pause = Math.min(IDLE_MOST_MS, (Number(ms) - at) / speed);
    at = Number(ms);
    if (pause > 0) await later(pause, undefined, { signal: ended.signal }).catch(() => undefined);
    if (ended.signal.aborted) break;
    while (waiting.length < Number(bytes)) {
      const next = await stream.next();
      if (next.done) break;
      waiting = Buffer.concat([waiting, next.value]);
    }
    process.stdout.write(onlyScreen(waiting.subarray(0, Number(bytes))));
    waiting = waiting.subarray(Number(bytes));
  }
  // Colours and modes that the session left on.
  if (process.stdout.isTTY) process.stdout.write('\x1b[?1049l\x1b[?25h\x1b[0m\r\n');
  return 0;
}

export const playVerb: Verb = {
  verb: 'play',
  words: ['SESSION'],
  help: 'Plays the recording of a session in this terminal; pauses are cut to two seconds',
  flags: [
    { name: '--speed', argument: 'N', help: `From ${SPEEDS.least} to ${SPEEDS.most}; 1 unless said` },
    { name: '--text', help: 'What it printed as text, at once' },
    { name: '--json', help: 'Its events as JSON: starts, sizes, and when how much was printed' },
    SESSION_FLAG,
  ],
  run: play,
};
