import { expect, test } from 'vitest';
import { commandById } from './index.ts';
import { factsWith, recorder } from './tools.testing.ts';

// Rule 2.2: Review Requests, a command
test('Review Requests shows the access requests that wait for oneself', async () => {
  const review = commandById('requests.review');
  expect(review?.title).toBe('Review Requests');
  const { tools, done } = recorder();
  await review?.run({}, factsWith(), tools);
  expect(done).toEqual(['go accessRequests {"clusterId":"main"} {"search":"waits for you"}']);
});
