import { expect, test } from 'vitest';
import { createRoundTrips } from './round-trips.ts';

test('nothing is said before the first', () => expect(createRoundTrips().text()).toBe(''));

test('round trips are said with their middle, their worst and their course', () => {
  const trips = createRoundTrips();
  for (const ws of [1, 1, 2, 50]) trips.add({ ws, ssh: 1 });
  expect(trips.text()).toBe(
    'Round trip 51 ms (50 to the gateway, 1 on to the server); of the last 4: median 2 ms, 95th percentile 51 ms ▁▁▁█',
  );
});

test('the oldest are forgotten', () => {
  const trips = createRoundTrips();
  for (let count = 0; count < 200; count += 1) trips.add({ ws: count < 100 ? 1000 : 0, ssh: 0 });
  expect(trips.text()).toContain('of the last 60: median 0 ms, 95th percentile 0 ms');
});
