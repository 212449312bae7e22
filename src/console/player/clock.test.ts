import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Clock, clockText, SPEEDS, startClock, type Turn, turn } from './clock.ts';

const walk = (clock: Clock, ...turns: Turn[]): Clock => turns.reduce(turn, clock);
const tick = (elapsed: number, before: number | null = null, next: number | null = null): Turn => ({
  kind: 'tick',
  elapsed,
  before,
  next,
});
const play: Turn = { kind: 'play' };
const minute = startClock(60_000);

test('time goes by only while it plays, times the speed', () => {
  expect(walk(minute, tick(500)).at).toBe(0);
  expect(walk(minute, play, { kind: 'speed', to: 4 }, tick(100, 0, 300)).at).toBe(400);
});

test('at its end it stops, and playing begins again at the beginning', () => {
  const over = walk(minute, { kind: 'skipIdle', on: false }, play, { kind: 'seek', to: 59_990 }, tick(20));
  expect(over).toMatchObject({ at: 60_000, playing: false });
  expect(walk(over, play)).toMatchObject({ at: 0, playing: true });
});

test('no pause lasts longer than a second when idle time is skipped', () => {
  const still = walk(minute, play, tick(900, 0, 20_000));
  expect(still.at).toBe(900);
  expect(walk(still, tick(100, 0, 20_000)).at).toBe(20_000);
});

test('a pause is sat out when it is not skipped', () => {
  expect(walk(minute, { kind: 'skipIdle', on: false }, play, tick(5000, 0, 20_000)).at).toBe(5000);
});

test('the silence after the last output is skipped too', () => {
  expect(walk(minute, play, { kind: 'seek', to: 30_000 }, tick(1000, 29_500, null))).toMatchObject({
    at: 60_000,
    playing: false,
  });
});

test('gaps of up to a second are played as they were', () => {
  expect(walk(minute, play, { kind: 'seek', to: 10_500 }, tick(100, 10_000, 11_000)).at).toBe(10_600);
});

test('seeking stays inside the recording', () => {
  expect([
    walk(minute, { kind: 'seek', to: -5 }).at,
    walk(minute, { kind: 'seek', to: 1e9 }).at,
    walk(minute, { kind: 'seek', to: Number.NaN }).at,
  ]).toEqual([0, 60_000, 0]);
  expect(walk(minute, { kind: 'seek', to: 3000 }, { kind: 'move', by: -5000 }).at).toBe(0);
});

test('speed goes step by step from a quarter to thirty-two', () => {
  let clock = minute;
  for (let count = 0; count < 20; count += 1) clock = turn(clock, { kind: 'faster', by: 1 });
  expect(clock.speed).toBe(32);
  for (let count = 0; count < 20; count += 1) clock = turn(clock, { kind: 'faster', by: -1 });
  expect(clock.speed).toBe(0.25);
});

test('whatever is done, the moment stays inside the recording and the speed is one of the eight', () => {
  const anyTurn: fc.Arbitrary<Turn> = fc.oneof(
    fc.constantFrom<Turn>(
      play,
      { kind: 'pause' },
      { kind: 'toggle' },
      { kind: 'faster', by: 1 },
      { kind: 'faster', by: -1 },
      { kind: 'skipIdle', on: true },
    ),
    fc.double().map((to): Turn => ({ kind: 'seek', to })),
    fc.integer().map((by): Turn => ({ kind: 'move', by })),
    fc
      .tuple(fc.nat(5000), fc.option(fc.nat(60_000)), fc.option(fc.nat(60_000)))
      .map(([elapsed, before, next]): Turn => tick(elapsed, before, next)),
  );
  fc.assert(
    fc.property(fc.array(anyTurn, { maxLength: 60 }), turns => {
      const clock = walk(minute, ...turns);
      expect(clock.at >= 0 && clock.at <= 60_000 && SPEEDS.includes(clock.speed)).toBe(true);
    }),
  );
});

test('time never runs backwards while it plays', () => {
  fc.assert(
    fc.property(fc.nat(59_000), fc.nat(300), fc.nat(60_000), fc.nat(60_000), (at, elapsed, before, next) => {
      const clock = walk(minute, { kind: 'seek', to: at }, play);
      expect(turn(clock, tick(elapsed, before, next)).at).toBeGreaterThanOrEqual(clock.at);
    }),
  );
});

test.each([
  [0, '00:00'],
  [59_999, '00:59'],
  [60_000, '01:00'],
  [3_599_000, '59:59'],
  [3_600_000, '1:00:00'],
  [36_061_000, '10:01:01'],
])('%i ms is shown as %s', (ms, text) => expect(clockText(ms)).toBe(text));
