import { expect, test } from 'vitest';
import { ApiError } from '../../contract/failure.ts';
import { fakeStorage } from './fakes.testing.ts';
import { createSignOut } from './sign-out.ts';
import { keys } from './storage.ts';

function begin(end: () => Promise<unknown> = async () => {}) {
  const steps: string[] = [];
  const storage = fakeStorage({ [keys.token]: '{}', [keys.lastActive]: '5', [keys.preferences]: '{"theme":2}' });
  const signOut = createSignOut({
    storage,
    end: () => {
      steps.push('end');
      return end();
    },
    here: () => '/web/users?search=a',
    go: link => steps.push(`${storage.getItem(keys.token) === null ? 'go' : 'go with a token'} ${link}`),
  });
  return { steps, storage, signOut };
}
const refused = new ApiError('denied', 'over', { status: 403, url: '/' });

// Rule 4: logout
test('logout deletes the web session, then goes to login', async () => {
  const { signOut, steps } = begin();
  await signOut(false, true);
  expect(steps).toEqual(['end', 'go /web/login']);
});

test('going to login may carry a redirect_uri holding the current page and its query', async () => {
  const { signOut, steps } = begin();
  await signOut(true, true);
  expect(steps).toEqual(['end', 'go /web/login?redirect_uri=%2Fweb%2Fusers%3Fsearch%3Da']);
});

test('a token removed in another tab triggers logout without ending the session twice', async () => {
  const { signOut, steps } = begin();
  await signOut(true, false);
  expect(steps).toEqual(['go /web/login?redirect_uri=%2Fweb%2Fusers%3Fsearch%3Da']);
});

test('asked twice it leaves once', async () => {
  const { signOut, steps } = begin();
  await Promise.all([signOut(false, true), signOut(true, true)]);
  expect(steps).toEqual(['end', 'go /web/login']);
});

test.each([
  ['refuses', refused],
  ['cannot be reached', new ApiError('network')],
])('a person gets out also when the gateway %s', async (_what, error) => {
  const { signOut, steps, storage } = begin(() => Promise.reject(error));
  await signOut(false, true);
  expect([steps.at(-1), storage.getItem(keys.preferences)]).toEqual(['go /web/login', '{"theme":2}']);
});

test('while the gateway still has the session, the last activity is kept for the check on entry', async () => {
  const left = async (end?: () => Promise<unknown>) => {
    const { signOut, storage } = begin(end);
    await signOut(false, true);
    return storage.getItem(keys.lastActive);
  };
  expect([
    await left(),
    await left(() => Promise.reject(refused)),
    await left(() => Promise.reject(new ApiError('network'))),
  ]).toEqual([null, null, '5']);
});
