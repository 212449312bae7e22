import { expect, test } from 'vitest';
import { commandById } from './index.ts';
import { factsWith, recorder } from './tools.testing.ts';

test('dismissing a banner where there is none says so', async () => {
  const { tools, done } = recorder();
  const frame = { open: () => {}, readNotifications: () => {}, dismissNotices: () => {} };
  await commandById('banner.dismiss')?.run({}, factsWith(), {
    ...tools,
    frame: { ...frame, dismissBanner: () => false },
  });
  expect(done).toEqual(['notify There is no banner']);
  done.length = 0;
  await commandById('banner.dismiss')?.run({}, factsWith(), {
    ...tools,
    frame: { ...frame, dismissBanner: () => true },
  });
  expect(done).toEqual([]);
});

test('the cluster is chosen on pages of a cluster only', () => {
  const isThere = (feature: 'nodes' | 'users') => commandById('cluster.choose')?.when?.(factsWith({ feature }));
  expect([isThere('nodes'), isThere('users')]).toEqual([true, false]);
});
