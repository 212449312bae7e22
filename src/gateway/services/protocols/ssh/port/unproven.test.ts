import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { createUnproven } from './unproven.ts';

afterEach(() => vi.useRealTimers());

/** Connections by address that are held, and what is cut. */
function open() {
  const unproven = createUnproven();
  const held = new Map<string, number>();
  const count = (address: string, by: number) => held.set(address, (held.get(address) ?? 0) + by);
  return {
    held,
    /** One that goes on talking, or not; false where there is no room for it. */
    come(address: string, isTalking = true): boolean {
      let bytes = 0;
      const read = () => (isTalking ? ++bytes : 0);
      const isHeld = unproven.hold(address, { read, cut: () => count(address, -1) }) !== null;
      if (isHeld) count(address, 1);
      return isHeld;
    },
    unproven,
  };
}

test('one address holds four hundred, and a newcomer takes the place of one that has kept still', () => {
  vi.useFakeTimers({ now: 0 });
  const { come, held } = open();
  for (let at = 0; at < 450; at += 1) come('192.0.2.1', false);
  expect(held.get('192.0.2.1')).toBe(400);
  expect(come('192.0.2.1')).toBe(false);
  vi.setSystemTime(1000);
  expect(come('192.0.2.1')).toBe(true);
  expect(held.get('192.0.2.1')).toBe(400);
});

test('whoever holds the most makes room for others, and those with few lose nothing, also when they keep still', () => {
  vi.useFakeTimers({ now: 0 });
  const { come, held } = open();
  come('198.51.100.7', false);
  vi.setSystemTime(60_000);
  for (const address of ['192.0.2.1', '192.0.2.2']) for (let at = 0; at < 400; at += 1) come(address);
  expect([...held.values()].reduce((sum, some) => sum + some, 0)).toBe(500);
  for (let at = 0; at < 30; at += 1) expect(come(`203.0.113.${at}`)).toBe(true);
  expect(held.get('198.51.100.7')).toBe(1);
  expect(come('192.0.2.1')).toBe(false);
});

test('five hundred addresses of one each keep nobody out once one of them has kept still', () => {
  vi.useFakeTimers({ now: 0 });
  const { come } = open();
  for (let at = 0; at < 500; at += 1) come(`2001:db8:0:${at}`, false);
  expect(come('192.0.2.1')).toBe(false);
  vi.setSystemTime(1000);
  expect(come('192.0.2.1')).toBe(true);
});

test('whoever has logged in, or has gone, holds no place, and gives it back once', () => {
  const { unproven, come } = open();
  const quiet = { read: () => 0, cut: () => undefined };
  const leaves = Array.from({ length: 400 }, () => unproven.hold('a', quiet));
  expect(unproven.hold('a', quiet)).toBeNull();
  leaves[0]?.();
  leaves[0]?.();
  expect([unproven.hold('a', quiet) !== null, unproven.hold('a', quiet)]).toEqual([true, null]);
  for (const leave of leaves) leave?.();
  for (let at = 0; at < 499; at += 1) expect(come(`b${at}`)).toBe(true);
});

test('however they come, no more are held than of everybody and of one address, and who holds less than others is let in', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 300 })), { maxLength: 12 }), waves => {
      const { come, held } = open();
      for (const [address, many] of waves)
        for (let at = 0; at < many; at += 1) {
          const most = Math.max(0, ...held.values());
          const own = held.get(`${address}`) ?? 0;
          const isIn = come(`${address}`);
          if (own + 1 < most) expect(isIn).toBe(true);
        }
      expect(Math.max(0, ...held.values())).toBeLessThanOrEqual(400);
      expect([...held.values()].reduce((sum, some) => sum + some, 0)).toBeLessThanOrEqual(500);
    }),
    { numRuns: 30 },
  );
});
