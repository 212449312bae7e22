import { expect, test } from 'vitest';
import { createResetToken, createUser, deleteUser, listUsers } from '../src/contract/users.ts';
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
  expect(done).toEqual([
    'handOver bob has been invited Pass this link on to bob. It works once, for 60 minutes. https://main/web/invite/secret%2Ftoken',
  ]);
});

test('an invite passes on the logins that were named, and offers those that others have', async () => {
  const { tools, made } = recorder(made =>
    made.call === listUsers
      ? [{ traits: { logins: ['root', 'deploy'] } }, { traits: { logins: ['root'] } }]
      : reply(made),
  );
  const logins = commandById('users.invite')?.args?.find(arg => arg.name === 'logins');
  const offered = await logins?.choices('admin, d', {}, factsWith(), tools);
  expect(offered?.map(({ value }) => value)).toEqual(['admin, deploy']);
  expect([logins?.free?.('root, deploy'), typeof logins?.free?.('a b@c:d/..')]).toEqual([undefined, 'string']);
  await commandById('users.invite')?.run(
    { name: textChoice('bob'), roles: textChoice('access'), logins: textChoice('root, deploy') },
    factsWith(),
    tools,
  );
  expect(made.find(({ call }) => call === createUser)?.body).toEqual({
    name: 'bob',
    roles: ['access'],
    traits: { logins: ['root', 'deploy'] },
  });
});

test('a lost invite link is made anew for the user it was for', async () => {
  const { tools, made, done } = recorder(reply);
  await commandById('users.link')?.run({ user: bob }, factsWith(), tools);
  expect(made).toMatchObject([{ call: createResetToken, body: { name: 'bob', type: 'invite' } }]);
  expect(done[0]).toContain('https://main/web/invite/secret%2Ftoken');
});

test('whoever takes roles from themselves is asked in words, and nothing is changed without a yes', async () => {
  const who = factsWith().who;
  const own = choiceOf({ kind: 'user', id: who?.userName ?? '', title: '' });
  const facts = { ...factsWith(), who: who && { ...who, roles: ['access', 'editor'] } };
  const refused = recorder(reply, false);
  await expect(
    commandById('users.edit')?.run({ user: own, roles: textChoice('access') }, facts, refused.tools),
  ).rejects.toThrow();
  expect([refused.made, refused.done[0]]).toEqual([[], expect.stringContaining('Take editor from yourself?')]);
  const agreed = recorder(reply);
  await commandById('users.edit')?.run({ user: own, roles: textChoice('access') }, facts, agreed.tools);
  expect(agreed.made).toMatchObject([{ body: { roles: ['access'] } }]);
  // Nobody is asked who only gains, or who changes somebody else.
  for (const [user, roles] of [
    [own, 'access, editor, auditor'],
    [bob, 'access'],
  ] as const) {
    const { tools, done } = recorder(reply);
    await commandById('users.edit')?.run({ user, roles: textChoice(roles) }, facts, tools);
    expect(done.filter(line => line.startsWith('confirm'))).toEqual([]);
  }
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
