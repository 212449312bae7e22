import { expect, test } from 'vitest';
import { search } from '../src/contract/search.ts';
import { checkUser, createResetToken, createUser, deleteUser, listUsers, updateUser } from '../src/contract/users.ts';
import { Cancelled, choiceOf, textChoice } from './answer.ts';
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

test.each(['users.link', 'users.reset'])(
  '%s offers whoever signs in elsewhere with the reason why not, and asks the gateway for nobody of them',
  async id => {
    const carol = { name: 'carol', roles: ['access'], authType: 'oidc', allTraits: {}, isBot: false };
    const why = 'user "carol" signs in through oidc and has no password here';
    const { tools, made } = recorder(({ call }) =>
      call === search
        ? { user: { items: [carol, { ...carol, name: 'dora', authType: 'local' }], complete: true } }
        : {},
    );
    const row = commandById(id);
    const offered = (await row?.args?.[0]?.choices('', {}, factsWith(), tools)) ?? [];
    expect(offered.map(({ value, refused }) => [value, refused])).toEqual([
      ['carol', why],
      ['dora', undefined],
    ]);
    const [choice] = offered;
    expect(choice?.thing && row?.refuses?.(choice.thing)).toBe(why);
    const before = made.length;
    await expect((async () => row?.run(choice ? { user: choice } : {}, factsWith(), tools))()).rejects.toThrow(why);
    expect(made).toHaveLength(before);
  },
);

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

test('an administrator is asked before their own last right to edit users and roles goes, and at no other change', async () => {
  const { who } = factsWith();
  const own = choiceOf({ kind: 'user', id: who?.userName ?? '', title: '' });
  const change = async (user: typeof own, losesAdministration: boolean, agrees: boolean) => {
    const { tools, made, done } = recorder(made => (made.call === checkUser ? { losesAdministration } : {}), agrees);
    const run = commandById('users.edit')?.run({ user, roles: textChoice('access') }, factsWith(), tools);
    const isCancelled = await Promise.resolve(run).then(
      () => false,
      error => error instanceof Cancelled,
    );
    return { asked: done.some(line => line.startsWith('confirm Take your own right')), isCancelled, made };
  };
  expect(await change(own, true, false)).toMatchObject({
    asked: true,
    isCancelled: true,
    made: [{ call: checkUser, body: { roles: ['access'] } }],
  });
  expect(await change(own, true, true)).toMatchObject({ asked: true, made: [{}, { call: updateUser }] });
  expect(await change(own, false, false)).toMatchObject({ asked: false, made: [{}, { call: updateUser }] });
  expect(await change(bob, false, false)).toMatchObject({ asked: false, made: [{ call: updateUser }] });
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
