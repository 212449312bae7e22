import { expect, test } from 'vitest';
import { ApiError } from '../contract/failure.ts';
import type { SessionReply } from '../contract/session.ts';
import { createSessionKeeper, createTokenKeeper, type SessionPorts, type SharedValue } from './session.ts';

const reply = (token: string, expires_in = 600): SessionReply => ({
  type: 'bearer',
  token,
  expires_in,
  sessionExpires: '2030-01-01T00:00:00Z',
  sessionInactiveTimeout: 0,
});

function sharedValue(given?: unknown): SharedValue {
  let held = given;
  return {
    read: () => held,
    write(value) {
      held = value;
    },
    clear() {
      held = undefined;
    },
  };
}
const sharedValues = () => ({ token: sharedValue(), renewal: sharedValue() });

/** A clock that is moved by hand. */
function handClock(start = 1_000_000) {
  let now = start;
  return {
    now: () => now,
    pass(ms: number): void {
      now += ms;
    },
  };
}

function begin(given: Partial<SessionPorts> = {}, shared = sharedValues(), clock = handClock()) {
  const calls = { renew: 0, status: 0 };
  const ends: string[] = [];
  let remove = (): void => {};
  let tick = (): void => {};
  let wake = (): void => {};
  const periods: number[] = [];
  const keeper = createSessionKeeper({
    ...shared,
    now: clock.now,
    renew: async () => {
      calls.renew += 1;
      return reply(`renewed ${calls.renew}`);
    },
    status: async () => {
      calls.status += 1;
    },
    ended: why => ends.push(why),
    every: (ms, run) => {
      periods.push(ms);
      tick = run;
      return () => {};
    },
    onWake: run => {
      wake = run;
      return () => {};
    },
    onTokenRemoved: run => {
      remove = run;
      return () => {};
    },
    ...given,
  });
  return {
    keeper,
    calls,
    ends,
    clock,
    shared,
    periods,
    remove: () => remove(),
    tick: () => tick(),
    wake: () => wake(),
  };
}

test('without a token the session is not valid', () => {
  expect(begin().keeper.isValid()).toBe(false);
});

// Rule 4: valid while time left is positive
test('a session is valid while time left is positive', () => {
  const { keeper, clock } = begin();
  keeper.accept(reply('one', 600));
  clock.pass(599_999);
  expect([keeper.isValid(), keeper.timeLeft()]).toEqual([true, 1]);
  clock.pass(1);
  expect(keeper.isValid()).toBe(false);
});

// Rule 3.1: the session's token, as one object
test('a token that someone mangled in the storage counts as none', () => {
  for (const value of [undefined, null, {}, [], 'x', { accessToken: 1 }]) {
    expect(begin({}, { token: sharedValue(value), renewal: sharedValue() }).keeper.token()).toBeNull();
  }
});

// Rule 4: renewed under 180 s
test('the token is renewed when under 180 s remain, and not before', async () => {
  const { keeper, calls, clock } = begin();
  keeper.accept(reply('one', 600));
  clock.pass(420_000);
  await keeper.check();
  expect(calls).toEqual({ renew: 0, status: 1 });
  clock.pass(1);
  await keeper.check();
  expect(calls).toEqual({ renew: 1, status: 1 });
  expect(keeper.token()?.accessToken).toBe('renewed 1');
});

// Rule 4: the status check
// Rule 9: a status check runs only above 30 s left
test('a status check runs only when more than 30 s remain and no renewal is due', async () => {
  const { keeper, calls } = begin();
  keeper.accept(reply('one', 30));
  await keeper.check();
  expect(calls).toEqual({ renew: 1, status: 0 });
});

// Rule 4: an invalid session, and a renewal that fails, log out
test('an invalid session logs out, once', async () => {
  const { keeper, ends, clock, calls } = begin();
  keeper.accept(reply('one', 10));
  clock.pass(10_000);
  await keeper.check();
  await keeper.check();
  expect(ends).toEqual(['expired']);
  expect(calls).toEqual({ renew: 0, status: 0 });
});

// Rule 4: a renewal that fails logs out
test('a renewal that fails logs out', async () => {
  const { keeper, ends } = begin({ renew: () => Promise.reject(new ApiError('internal')) });
  keeper.accept(reply('one', 100));
  await keeper.check();
  expect(ends).toEqual(['renewal failed']);
});

test('a call that hears nobody is signed in ends the session at once, and once', () => {
  const { keeper, ends } = begin();
  keeper.accept(reply('one'));
  keeper.lost();
  keeper.lost();
  expect(ends).toEqual(['refused']);
});

// Rule 4: a 403 from the status call logs out
test('a 403 from the status call logs out; a lost network does not', async () => {
  const answers = [
    new ApiError('network'),
    new ApiError('internal', 'x', { status: 500, url: '/' }),
    new ApiError('denied', 'x', { status: 403, url: '/' }),
  ];
  const { keeper, ends } = begin({ status: () => Promise.reject(answers.shift()) });
  keeper.accept(reply('one'));
  await keeper.check();
  await keeper.check();
  expect(ends).toEqual([]);
  await keeper.check();
  expect(ends).toEqual(['refused']);
});

// Rule 4: while a renewal is in progress no status check runs
test('while a renewal is in progress in another tab, no status check runs and no second renewal', async () => {
  const { keeper, calls, shared, clock } = begin();
  keeper.accept(reply('one', 100));
  shared.renewal.write(clock.now());
  await keeper.check();
  expect(calls).toEqual({ renew: 0, status: 0 });
});

test('a renewal that another tab never finished does not block this one for good', async () => {
  const { keeper, calls, shared, clock } = begin();
  keeper.accept(reply('one', 170));
  shared.renewal.write(clock.now());
  clock.pass(21_000);
  await keeper.check();
  expect(calls.renew).toBe(1);
});

// Rule 3.1: the renew flag
test('the flag of a renewal is taken away also when it fails', async () => {
  const { keeper, shared } = begin({ renew: () => Promise.reject(new ApiError('network')) });
  keeper.accept(reply('one'));
  await expect(keeper.renew()).rejects.toThrow('Network request failed');
  expect(shared.renewal.read()).toBeUndefined();
});

// Rule 4: renewal is broadcast
test('a renewal is broadcast across tabs through storage', async () => {
  const shared = sharedValues();
  const clock = handClock();
  const one = begin({}, shared, clock);
  const other = begin({}, shared, clock);
  one.keeper.accept(reply('first', 600));
  await one.keeper.renew();
  expect(other.keeper.token()?.accessToken).toBe('renewed 1');
});

// Rule 4: a token removed elsewhere
test('a token removed in another tab ends the session here', () => {
  const { keeper, ends, remove } = begin();
  keeper.accept(reply('one'));
  keeper.open();
  expect(ends).toEqual([]);
  remove();
  expect(ends).toEqual(['other tab']);
});

test('a token that would end while a socket is opened is renewed first, once for all who ask', async () => {
  const { keeper, calls, clock } = begin();
  keeper.accept(reply('one', 600));
  clock.pass(590_000);
  expect(await keeper.bearer()).toBe('one');
  clock.pass(1);
  expect(await Promise.all([keeper.bearer(), keeper.bearer()])).toEqual(['renewed 1', 'renewed 1']);
  expect(calls.renew).toBe(1);
});

test('whoever asks for a token with more time left has it renewed sooner, and needs no marker where nobody checks', async () => {
  const token = sharedValue();
  const { now, pass } = handClock();
  const keeper = createTokenKeeper({ token, now, renew: async () => reply('renewed') });
  keeper.accept(reply('one', 600));
  pass(420_000);
  expect(await keeper.bearer(180_000)).toBe('one');
  pass(1);
  expect(await keeper.bearer()).toBe('one');
  expect(await keeper.bearer(180_000)).toBe('renewed');
});

test('whoever comes back to a session that was ended elsewhere is told at once, not at the next period', async () => {
  const { keeper, ends, wake } = begin({
    status: () => Promise.reject(new ApiError('signed_out', 'x', { status: 403, url: '/' })),
  });
  keeper.accept(reply('one'));
  keeper.open();
  wake();
  await expect.poll(() => ends).toEqual(['refused']);
});

// Rule 4: checked every 15 s
// Rule 9: the token is renewed under 180 s, checked every 15 s
// Rule 4: a session that is valid is kept alive
test('the periodic check runs every 15 s, and twenty minutes of an open tab renew twice', async () => {
  const { keeper, calls, clock, tick, periods } = begin();
  keeper.accept(reply('one', 600));
  keeper.open();
  expect(periods).toEqual([15_000]);
  for (let second = 0; second < 1200; second += 15) {
    clock.pass(15_000);
    tick();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  expect(calls.renew).toBe(2);
});

test('a clock that is wrong by minutes changes nothing, because only this machine reads it', () => {
  for (const skew of [-600_000, -60_000, 0, 60_000, 600_000]) {
    const { keeper } = begin({}, sharedValues(), handClock(1_000_000_000 + skew));
    keeper.accept(reply('one', 600));
    expect(keeper.timeLeft()).toBe(600_000);
  }
});
