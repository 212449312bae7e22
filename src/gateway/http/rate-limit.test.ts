import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

const rule = { burst: 40, perMinute: 20 };

test('a bucket never holds more than its burst, however long nobody calls', () => {
  let now = 0;
  const limit = createRateLimit(rule, () => new Date(now));
  limit.take('192.0.2.1');
  now += 24 * 3_600_000;
  let passed = 0;
  while (limit.take('192.0.2.1') === 0) passed += 1;
  expect(passed).toBe(40);
});

test('the answer to a refusal is the seconds after which a call passes, and not one less', () => {
  let now = 0;
  const limit = createRateLimit(rule, () => new Date(now));
  for (let made = 0; made < 40; made += 1) limit.take('a');
  const wait = limit.take('a');
  expect(wait).toBe(3);
  now += wait * 1000 - 1000;
  expect(limit.take('a')).toBeGreaterThan(0);
  now += 1000;
  expect(limit.take('a')).toBe(0);
});

test('addresses have buckets of their own; an IPv6 network of 64 bits has one', () => {
  const limit = createRateLimit({ burst: 1, perMinute: 1 }, () => new Date(0));
  const take = (address: string) => limit.take(address) === 0;
  expect([take('192.0.2.1'), take('192.0.2.2'), take('::ffff:192.0.2.1'), take('192.0.2.1')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([take('2001:db8:1:2::1'), take('2001:DB8:1:2:ffff::9'), take('2001:0db8:0001:0002:0:0:0:3')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([take('2001:db8:1:3::1'), take('::1'), take('::2'), take('fe80::1%eth0')]).toEqual([true, true, false, true]);
});

test('no order of calls lets more through than burst and refill', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30_000), { maxLength: 200 }), gaps => {
      let now = 0;
      let passed = 0;
      const limit = createRateLimit(rule, () => new Date(now));
      for (const gap of gaps) {
        now += gap;
        if (limit.take('a') === 0) passed += 1;
      }
      expect(passed).toBeLessThanOrEqual(rule.burst + (now / 60_000) * rule.perMinute + 1e-6);
    }),
  );
});

test('peers that are gone already share one bucket', () => {
  const limit = createRateLimit({ burst: 1, perMinute: 1 }, () => new Date(0));
  expect([limit.take(undefined), limit.take(undefined), limit.take('192.0.2.1')]).toEqual([0, 60, 0]);
});
