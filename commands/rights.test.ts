import { expect, test } from 'vitest';
import { ruleResourceOf } from '../src/contract/acl.ts';
import { person } from '../src/features/person.testing.ts';
import { textChoice } from './answer.ts';
import { commandById, commands } from './index.ts';
import { readWhole } from './read.ts';
import { factsWith, recorder } from './tools.testing.ts';
import { whyNot, whyRefused } from './why.ts';

const why = commandById('rights.why');
const choicesOf = (name: string) => why?.args?.find(arg => arg.name === name)?.choices;
const found = (kind: string, ...items: readonly object[]) => recorder(() => ({ [kind]: { items, complete: true } }));

test('what a user may reach, and who may reach a server, are pages of the current cluster', async () => {
  const { tools, done } = recorder();
  await commandById('users.reached')?.run({ user: textChoice('ann') }, factsWith(), tools);
  await commandById('servers.reachers')?.run({ server: textChoice('n1') }, factsWith(), tools);
  await commandById('kubernetes.reachers')?.run({ kubernetes: textChoice('prod') }, factsWith(), tools);
  expect(done).toEqual([
    'go rights {"clusterId":"main"} {"user":"ann"}',
    'go rights {"clusterId":"main"} {"action":"ssh","target":"n1"}',
    'go rights {"clusterId":"main"} {"action":"kube","target":"prod"}',
  ]);
});

test.each([
  ['can alice ssh root@db-3', { user: 'alice', action: 'ssh', login: 'root', target: 'db-3' }, []],
  ['can alice db orders', { user: 'alice', action: 'db', target: 'orders' }, []],
  ['can alice ssh ', { user: 'alice', action: 'ssh' }, ['target']],
  ['can alice', { user: 'alice' }, ['action', 'target']],
])('"%s" asks why, and for what it does not say', (typed, answers, missing) => {
  const whole = readWhole(commands, typed, factsWith());
  expect([whole?.command.id, whole?.answers, whole?.missing]).toEqual(['rights.why', answers, missing]);
});

test('a line that asks why is written as it is read', () =>
  expect(why?.phrase?.write?.({ user: 'alice', action: 'ssh', login: 'root', target: 'db-3' })).toBe(
    'can alice ssh root@db-3',
  ));

test('whoever may not read users and roles asks about themselves alone', async () => {
  const who = person(['nodes.list']);
  const { tools, made } = found('user', { name: 'bob', roles: [], authType: 'local' });
  const own = await choicesOf('user')?.('', {}, factsWith({ who }), tools);
  expect([own?.map(({ value }) => value), made]).toEqual([[who.userName], []]);
  const all = await choicesOf('user')?.('', {}, factsWith(), tools);
  expect(all?.map(({ value }) => value)).toEqual([who.userName, 'bob']);
  expect(commandById('users.reached')?.blocked?.(factsWith({ who }))).toBe(
    'None of your roles allows "read" on users (needs read on user)',
  );
});

test('what is asked about is looked for among the things that the action reaches, and its logins are offered', async () => {
  const { tools, made } = found('database', { name: 'orders', protocol: 'postgres', labels: [] });
  const asked = { action: textChoice('db') };
  expect(await choicesOf('target')?.('ord', asked, factsWith(), tools)).toMatchObject([{ value: 'orders' }]);
  expect(made[0]?.query).toMatchObject({ nouns: 'database', search: 'ord' });
  const server = {
    ...textChoice('n1'),
    thing: { kind: 'server', id: 'n1', title: 'db-3', logins: ['root', 'web'] },
  } as const;
  expect(await choicesOf('login')?.('ro', { target: server }, factsWith(), tools)).toEqual([textChoice('root')]);
});

test('what cannot be opened is asked about for oneself; what is no such thing, or is gone, is not', () => {
  const server = { kind: 'server', id: 'n1', title: 'db-3', logins: [] } as const;
  const given = whyNot(server, factsWith());
  expect(Object.entries(given ?? {}).map(([name, { value }]) => [name, value])).toEqual([
    ['user', person().userName],
    ['action', 'ssh'],
    ['target', 'n1'],
    ['login', ''],
  ]);
  expect([
    whyNot({ ...server, refused: 'gone' }, factsWith()),
    whyNot({ kind: 'session', id: 's', title: 's' }, factsWith()),
    whyNot(server, factsWith({ who: null })),
    whyNot(server, factsWith({ surface: 'shell' })),
  ]).toEqual([undefined, undefined, undefined, undefined]);
});

test('a command that is refused for want of a rule is asked about by the verb and the kind of that rule', () => {
  const who = person(['nodes.list']);
  const refusals = commands.flatMap(command => command.blocked?.(factsWith({ who })) ?? []);
  const rules = refusals.filter(text => text.includes('(needs ') && !text.includes('join_sessions'));
  expect(rules.length).toBeGreaterThan(20);
  for (const text of rules) {
    const given = whyRefused(text, factsWith({ who }));
    expect([given?.user?.value, given?.action?.value, ruleResourceOf(given?.target?.value ?? '')], text).toEqual([
      who.userName,
      expect.stringMatching(/^(list|read|update|create|delete|use)$/),
      given?.target?.value,
    ]);
  }
  // The gateway's own words as well.
  expect(whyRefused('access denied: no role gives you "update" on "role"', factsWith())?.target?.value).toBe('role');
  expect(whyRefused('Open a terminal first', factsWith())).toBeUndefined();
});

test('the kinds that rules are about are offered for their verbs', async () => {
  const choices = await choicesOf('target')?.('rol', { action: textChoice('update') }, factsWith(), recorder().tools);
  expect(choices?.map(({ value }) => value)).toEqual(['roles']);
});

test('the answer is a page, with the login only where one was named', async () => {
  const { tools, done } = recorder();
  const asked = { user: textChoice('ann'), action: textChoice('ssh'), target: textChoice('n1') };
  await why?.run({ ...asked, login: textChoice('root') }, factsWith(), tools);
  expect(done).toEqual(['go why {"clusterId":"main"} {"user":"ann","action":"ssh","target":"n1","login":"root"}']);
});
