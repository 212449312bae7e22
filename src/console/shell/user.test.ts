// "App load" and "Authenticated gate" (specification section 4).
import { expect, test } from 'vitest';
import { ApiError } from '../../contract/failure.ts';
import type { UserContext } from '../../contract/session.ts';
import { person } from '../../features/person.testing.ts';
import { createUser } from './user.ts';

function begin(load: () => Promise<UserContext>) {
  const refused: string[] = [];
  return { user: createUser(load, () => void refused.push('out')), refused };
}

// Rule 4: the context: processing, then success, or what failed
// Rule 4: an attempt is initial, processing, success or failed
test('an attempt is initial, processing, then success', async () => {
  const ada = person();
  const { user, refused } = begin(async () => ada);
  expect([user.state.status, user.state.who]).toEqual(['initial', null]);
  const loading = user.load();
  expect(user.state.status).toBe('processing');
  await loading;
  expect([user.state.status, user.state.who?.userName, user.state.error, refused]).toEqual([
    'success',
    'ada',
    null,
    [],
  ]);
});

// Rule 4: 403 on validation logs out
test('a 403 on session validation logs out', async () => {
  const { user, refused } = begin(() => Promise.reject(new ApiError('denied', 'x', { status: 403, url: '/' })));
  await user.load();
  expect([refused, user.state.error]).toEqual([['out'], null]);
});

// Rule 4: any other failure shows the error dialog
test.each([
  ['a lost network', new ApiError('network'), 'Network request failed'],
  ['a 500', new ApiError('internal', 'broken', { status: 500, url: '/' }), 'broken'],
  ['a 404', new ApiError('not_found', 'gone', { status: 404, url: '/' }), 'gone'],
  ['anything thrown', new TypeError('odd'), 'odd'],
])('%s shows the error dialog with its message', async (_what, error, message) => {
  const { user, refused } = begin(() => Promise.reject(error));
  await user.load();
  expect([user.state.status, user.state.error?.message, refused]).toEqual(['failed', message, []]);
});
