import { expect, test } from 'vitest';
import { everyRight, person } from '../src/features/person.testing.ts';
import { Cancelled } from './answer.ts';
import { commandById } from './index.ts';
import { factsWith, recorder } from './tools.testing.ts';

const run = async (id: string, liveTerminals: number, sure = true) => {
  const { tools, done } = recorder(undefined, sure);
  const result = await Promise.resolve(commandById(id)?.run({}, factsWith({ liveTerminals }), tools)).catch(
    (error: unknown) => error,
  );
  return { done, result };
};

test('signing out asks nothing while no session runs', async () => {
  expect((await run('session.signOut', 0)).done).toEqual(['signOut false']);
});

test('signing out with live terminals says how many, and leaves their sessions to whoever comes back', async () => {
  const { done } = await run('session.signOut', 3);
  expect(done).toEqual([
    expect.stringMatching(/^confirm Sign out\? 3 terminals are open\. Their sessions go on/),
    'signOut false',
  ]);
});

test('sessions end only when that was said', async () => {
  const { done } = await run('session.signOutEnding', 2);
  expect(done).toEqual([expect.stringContaining('confirm End 2 sessions and sign out?'), 'signOut true']);
  expect(commandById('session.signOutEnding')?.when?.(factsWith())).toBe(false);
});

test.each(['session.signOut', 'session.signOutEnding'])('%s is called off by No', async id => {
  const { done, result } = await run(id, 1, false);
  expect([done.length, result]).toEqual([1, expect.any(Cancelled)]);
});

test('"Change keys" leads to the keys', async () => {
  expect((await run('account.keys', 0)).done).toEqual(['go account {} {"at":"keyboard"}']);
});

test('what a provider keeps of a person is not changed here, and that is said', () => {
  const sso = factsWith({ who: { ...person(everyRight), authType: 'sso' } });
  for (const id of ['password', 'addDevice', 'addPasskey', 'removeDevice', 'renewCodes'])
    expect(commandById(`account.${id}`)?.blocked?.(sso)).toMatch(/ kept by the provider you sign in with$/);
});

test('whoever signs in with a passkey alone is offered to set a password, and nobody is offered to change one that there is not', () => {
  const offered = (more: object) =>
    ['account.password', 'account.setPassword'].filter(id =>
      commandById(id)?.when?.(factsWith({ who: { ...person(everyRight), ...more } })),
    );
  expect(offered({})).toEqual(['account.password']);
  expect(offered({ hasPassword: false })).toEqual(['account.setPassword']);
  expect(offered({ hasPassword: false, authType: 'sso' })).toEqual(['account.password']);
});
