import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { LiveSession } from '../../../contract/live-sessions.ts';
import { SEEN_WINDOW_BYTES } from '../../../contract/terminal.ts';
import { createFanOut } from './fan-out.ts';
import { LAG_MOST_BYTES, SOCKET_HIGH_BYTES, SOCKET_LOW_BYTES, STALL_MOST_MS } from './participant.ts';
import { createSubscriber } from './sessions.testing.ts';

const PEER = { holds: true, clipboard: true };
const WATCHER = { holds: false, clipboard: false };

function rig(ringBytes?: number) {
  let paused = false;
  const fanOut = createFanOut({
    pause: () => (paused = true),
    resume: () => (paused = false),
    frame: output => ({ session: {} as LiveSession, output }),
    ...(ringBytes === undefined ? {} : { ringBytes }),
  });
  return {
    fanOut,
    paused: () => paused,
    push: (bytes: number, byte = 'y') => fanOut.push(Buffer.alloc(bytes, byte)),
  };
}

test('a peer whose socket is full holds the shell until it has drained', () => {
  const { fanOut, paused, push } = rig();
  const subscriber = createSubscriber();
  fanOut.open(subscriber, PEER, undefined);
  subscriber.setBuffered(SOCKET_HIGH_BYTES);
  push(10);
  expect(paused()).toBe(false);
  subscriber.setBuffered(SOCKET_HIGH_BYTES + 1);
  push(10);
  expect(paused()).toBe(true);
  subscriber.setBuffered(SOCKET_LOW_BYTES + 1);
  expect(paused()).toBe(true);
  subscriber.setBuffered(SOCKET_LOW_BYTES);
  expect(paused()).toBe(false);
});

test('a client that says what it has shown holds the shell at one window', () => {
  const { fanOut, paused, push } = rig();
  const subscriber = createSubscriber();
  const flow = fanOut.open(subscriber, PEER, undefined);
  push(2 * SEEN_WINDOW_BYTES);
  expect(paused()).toBe(false);
  flow.seen(2 * SEEN_WINDOW_BYTES);
  push(SEEN_WINDOW_BYTES);
  expect(paused()).toBe(false);
  push(1);
  expect(paused()).toBe(true);
  flow.seen(2 * SEEN_WINDOW_BYTES + 10);
  expect(paused()).toBe(true);
  // Neither an older place nor one that was never sent moves it.
  flow.seen(5);
  expect(paused()).toBe(true);
  flow.seen(Number.MAX_SAFE_INTEGER);
  expect(paused()).toBe(false);
  push(SEEN_WINDOW_BYTES + 1);
  expect(paused()).toBe(true);
});

test('once the program is gone, no report of what was seen is waited for, only the socket', () => {
  const { fanOut, paused, push } = rig();
  const subscriber = createSubscriber();
  fanOut.open(subscriber, PEER, undefined).seen(0);
  push(SEEN_WINDOW_BYTES + 1);
  expect(paused()).toBe(true);
  fanOut.last();
  expect(paused()).toBe(false);
  push(SEEN_WINDOW_BYTES);
  expect(paused()).toBe(false);
  subscriber.setBuffered(SOCKET_HIGH_BYTES + 1);
  push(1);
  expect(paused()).toBe(true);
});

test('the shell goes on when the one who held it is gone', () => {
  const { fanOut, paused, push } = rig();
  const subscriber = createSubscriber();
  const flow = fanOut.open(subscriber, PEER, undefined);
  subscriber.setBuffered(SOCKET_HIGH_BYTES + 1);
  push(1);
  expect(paused()).toBe(true);
  flow.close();
  expect(paused()).toBe(false);
  subscriber.setBuffered(0);
  push(5);
  expect(subscriber.bytes().length).toBe(1);
});

test('an observer that lags never holds the shell and is brought up to date from the ring', () => {
  const { fanOut, paused, push } = rig();
  const watching = createSubscriber();
  fanOut.open(watching, WATCHER, undefined);
  push(100_000);
  watching.setBuffered(LAG_MOST_BYTES + 1);
  push(100_000);
  for (let index = 0; index < 40; index += 1) push(64_000, 'z');
  expect([paused(), watching.bytes().length, watching.frames.length]).toEqual([false, 100_000, 1]);
  watching.setBuffered(SOCKET_LOW_BYTES);
  expect(watching.frames.length).toBe(2);
  expect(watching.frames[1]?.output?.fresh).toBe(true);
  expect([watching.offset(), watching.text().slice(0, 2)]).toEqual([fanOut.total, '\x1bc']);
  push(3, 'x');
  expect(watching.text().endsWith('zzzxxx')).toBe(true);
});

test('an observer that says what it has shown is brought up to date when it has caught up with what was sent', () => {
  const { fanOut, paused, push } = rig();
  const watching = createSubscriber();
  const flow = fanOut.open(watching, WATCHER, undefined);
  flow.seen(0);
  push(LAG_MOST_BYTES + 1);
  push(600_000);
  expect([watching.bytes().length, watching.frames.length, paused()]).toEqual([LAG_MOST_BYTES + 1, 1, false]);
  flow.seen(LAG_MOST_BYTES + 1);
  expect([watching.frames.length, watching.offset()]).toEqual([2, fanOut.total]);
});

test('where others wait, a peer that stalls holds the shell for some seconds only', () => {
  vi.useFakeTimers();
  try {
    const { fanOut, paused, push } = rig();
    const [well, stalled] = [createSubscriber(), createSubscriber()];
    fanOut.open(well, PEER, undefined);
    fanOut.open(stalled, PEER, undefined);
    stalled.setBuffered(SOCKET_HIGH_BYTES + 1);
    push(10);
    vi.advanceTimersByTime(STALL_MOST_MS - 1);
    expect(paused()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(paused()).toBe(false);
    push(10);
    expect([well.bytes().length, stalled.bytes().length]).toEqual([20, 10]);
    stalled.setBuffered(0);
    expect([stalled.text(), stalled.frames.length]).toEqual(['y'.repeat(20), 1]);
    stalled.setBuffered(SOCKET_HIGH_BYTES + 1);
    push(1);
    expect(paused()).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('alone, a peer may hold the shell for ever: nothing is lost to it', () => {
  vi.useFakeTimers();
  try {
    const { fanOut, paused, push } = rig();
    const subscriber = createSubscriber();
    fanOut.open(subscriber, PEER, undefined);
    subscriber.setBuffered(SOCKET_HIGH_BYTES + 1);
    push(10);
    vi.advanceTimersByTime(100 * STALL_MOST_MS);
    expect(paused()).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

/** What one client does: reads on, loses its connection with some bytes in flight, comes back. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('print' as const), bytes: fc.integer({ min: 1, max: 3000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), lost: fc.nat(4000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('attach' as const) }) },
);

test('in any order of output, drops and returns every byte arrives once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const { fanOut } = rig(64 * 1024);
      const all: Buffer[] = [];
      let has = Buffer.alloc(0);
      let subscriber = createSubscriber();
      let flow: ReturnType<typeof fanOut.open> | null = null;
      let printed = 0;
      const take = (lost: number): void => {
        const got = subscriber.bytes();
        has = Buffer.concat([has, got.subarray(0, Math.max(0, got.length - lost))]);
      };
      for (const one of [...steps, { kind: 'attach' as const }]) {
        if (one.kind === 'print') {
          // Letters that say where they are, and no line ends: nothing may be skipped.
          const bytes = Buffer.from(Array.from({ length: one.bytes }, (_, index) => 97 + ((printed + index) % 26)));
          printed += one.bytes;
          all.push(bytes);
          fanOut.push(bytes);
        } else if (one.kind === 'drop' && flow) {
          flow.close();
          flow = null;
          take(one.lost);
        } else if (one.kind === 'attach' && !flow) {
          subscriber = createSubscriber();
          flow = fanOut.open(subscriber, PEER, has.length);
          const begins = subscriber.frames[0]?.output;
          if (begins?.fresh) has = Buffer.alloc(begins.offset);
          expect(begins?.offset).toBe(has.length);
        }
      }
      take(0);
      const whole = Buffer.concat(all);
      // After more than a ring the oldest is gone; what there is, is right.
      const from = has.findIndex(byte => byte !== 0);
      expect(has.length).toBe(whole.length);
      if (from >= 0) expect(has.subarray(from).equals(whole.subarray(from))).toBe(true);
      if (whole.length <= 64 * 1024) expect(has.equals(whole)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('a watcher is never shown a clipboard write: not as it comes, not on coming late, not on coming back in the middle of one', () => {
  const { fanOut } = rig();
  const [owner, early] = [createSubscriber(), createSubscriber()];
  fanOut.open(owner, PEER, undefined);
  const flow = fanOut.open(early, WATCHER, undefined);
  const harmless = `a\x1b]52\x18${'\0'.repeat(7)}b`;
  fanOut.push(Buffer.from('a\x1b]5'));
  const have = early.offset();
  flow.close();
  fanOut.push(Buffer.from('2;c;eA==\x07b'));
  const [late, back] = [createSubscriber(), createSubscriber()];
  fanOut.open(late, WATCHER, undefined);
  fanOut.open(back, WATCHER, have);
  expect([owner.text(), late.text(), early.text() + back.text()]).toEqual(['a\x1b]52;c;eA==\x07b', harmless, harmless]);
  // Begun before the watcher came, ended while it is there.
  const third = createSubscriber();
  fanOut.push(Buffer.from('\x1b]52;c;'));
  fanOut.open(third, WATCHER, fanOut.total);
  fanOut.push(Buffer.from('eA==\x07c'));
  expect([third.text(), owner.text().slice(-6)]).toEqual([`${'\0'.repeat(5)}c`, 'eA==\x07c']);
});
