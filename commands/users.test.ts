import { expect, test } from 'vitest';
import { createResetToken, createUser, deleteUser } from '../src/contract/users.ts';
import { choiceOf, textChoice } from './answer.ts';
import { commandById } from './index.ts';
import { factsWith, type Made, recorder } from './tools.testing.ts';
import { readRoles, wrongName } from './users.ts';

const reply = ({ call }: Made): unknown => {
  if (call === createResetToken)
    return { tokenId: 'secret/token', user: 'bob', expiry: new Date(Date.now() + 3_600_000).toISOString() };
  return { message: 'ok' };
};
const bob = choiceOf({ kind: 'user', id: 'bob', title: 'bob' });

test('inviting creates the user with the roles and offers the link to copy', async () => {
  const { tools, made, done } = recorder(reply);
  await commandById('users.invite')?.run(
    { name: textChoice(' bob '), roles: textChoice('access, auditor access') },
    factsWith(),
    tools,
  );
  expect(made).toMatchObject([
    { call: createUser, body: { name: 'bob', roles: ['access', 'auditor'] } },
    { call: createResetToken, body: { name: 'bob', type: 'invite' } },
  ]);
  expect(done[0]).toContain('https://main/web/invite/secret%2Ftoken');
  expect(done[0]).toContain('60 minutes');
  expect(done.slice(1)).toEqual(['copyText https://main/web/invite/secret%2Ftoken', 'notify The link has been copied']);
});

test('the link is copied only when asked to', async () => {
  const { tools, done } = recorder(reply, false);
  await commandById('users.invite')?.run({ name: textChoice('bob'), roles: textChoice('access') }, factsWith(), tools);
  expect(done.length).toBe(1);
});

test('resetting says what it deletes, then offers the link', async () => {
  const { tools, made, done } = recorder(reply);
  await commandById('users.reset')?.run({ user: bob }, factsWith(), tools);
  expect(done[0]).toContain('password and all devices');
  expect(made).toMatchObject([{ call: createResetToken, body: { name: 'bob', type: 'password' } }]);
  expect(done[1]).toContain('/web/reset/');
});

test('deleting deletes exactly the one named', async () => {
  const { tools, made } = recorder(reply);
  await commandById('users.remove')?.run({ user: bob }, factsWith(), tools);
  expect(made).toMatchObject([{ call: deleteUser, params: { name: 'bob' } }]);
});

test('roles are completed one after the other', async () => {
  const { tools } = recorder(({ query }) => ({
    role: { items: (query as { search: string }).search === 'aud' ? [{ name: 'auditor' }] : [], complete: true },
  }));
  const roles = commandById('users.invite')?.args?.find(arg => arg.name === 'roles');
  const offered = await roles?.choices('access, aud', {}, factsWith(), tools);
  expect(offered?.map(({ value }) => value)).toEqual(['access, auditor']);
});

test.each(['', '  ', 'a b', 'a/b', 'a\nb', 'x'.repeat(256)])('"%s" is no user name', typed =>
  expect(wrongName(typed)).toContain('A user name has'),
);
test.each(['bob', 'ada@example.com', 'ünï-1'])('"%s" is one', typed => expect(wrongName(typed)).toBeUndefined());
test('roles are named once each, at least one', () => {
  expect(readRoles('a,b a')).toEqual(['a', 'b']);
  expect(readRoles(' , ')).toBe('A user holds at least one role');
  expect(readRoles(Array.from({ length: 101 }, (_one, index) => `r${index}`).join(' '))).toBe(
    'A user holds at most 100 roles',
  );
});
