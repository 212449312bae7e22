import { expect, test } from 'vitest';
import { fakeClock, fakeStorage } from './fakes.testing.ts';
import { activityEvents, isTooLong, openInactivity } from './inactivity.ts';
import { keys, readJson, writeJson } from './storage.ts';

function begin(timeoutMs: number, storage = fakeStorage(), clock = fakeClock()) {
  const out: number[] = [];
  let tick: () => void = () => {};
  const periods: number[] = [];
  let act: () => void = () => {};
  const stop = openInactivity({
    storage,
    now: clock.now,
    timeoutMs: () => timeoutMs,
    timedOut: () => out.push(clock.now()),
    every: (ms, run) => {
      periods.push(ms);
      tick = run;
      return () => {};
    },
    onActivity: listener => {
      act = listener;
      return () => {};
    },
  });
  return { out, clock, storage, stop, periods, tick: () => tick(), act: () => act() };
}

// Rule 4: inactivity
// Rule 9: inactivity: every 30 s, 30 s early
test('logged out when time since last activity exceeds the inactivity timeout minus 30 s', () => {
  expect(isTooLong(0, 270_000, 300_000)).toBe(false);
  expect(isTooLong(0, 270_001, 300_000)).toBe(true);
});

// Rule 4: a timeout of 0
test('a timeout of 0 disables the check', () => {
  const { out, clock, tick } = begin(0);
  clock.pass(1e12);
  tick();
  expect(out).toEqual([]);
});

// Rule 4: inactivity is checked on entry and every 30 s
test('it is checked on entry and every 30 s', () => {
  const { periods, out, clock, tick } = begin(300_000);
  expect([periods, out]).toEqual([[30_000], []]);
  clock.pass(270_001);
  tick();
  expect(out).toHaveLength(1);
});

// Rule 4: what counts as activity
test('keydown, pointermove and pointerdown are activity', () => {
  expect(activityEvents).toEqual(['keydown', 'pointermove', 'pointerdown']);
});

// Rule 3.1: the last activity
test('on entry it is checked by what another tab wrote', () => {
  const storage = fakeStorage();
  const clock = fakeClock();
  writeJson(storage, keys.lastActive, clock.now() - 300_000);
  expect(begin(300_000, storage, clock).out).toHaveLength(1);
});

// Rule 9: activity, every 15 s
test('activity updates last-active, throttled to 15 s', () => {
  const { act, clock, storage } = begin(300_000);
  const first = readJson(storage, keys.lastActive);
  clock.pass(14_999);
  act();
  expect(readJson(storage, keys.lastActive)).toBe(first);
  clock.pass(1);
  act();
  expect(readJson(storage, keys.lastActive)).toBe(clock.now());
});

test('whoever keeps typing stays in', () => {
  const { act, clock, tick, out } = begin(60_000);
  for (let i = 0; i < 100; i++) {
    clock.pass(20_000);
    act();
    tick();
  }
  expect(out).toEqual([]);
  clock.pass(30_001);
  tick();
  expect(out).toHaveLength(1);
});

test('a mangled time in the storage signs nobody out', () => {
  for (const text of ['x', '"x"', 'null', '-5', '{}']) {
    expect(begin(60_000, fakeStorage({ [keys.lastActive]: text })).out).toEqual([]);
  }
});
