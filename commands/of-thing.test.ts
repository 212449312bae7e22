import { expect, test } from 'vitest';
import { person } from '../src/features/person.testing.ts';
import type { Thing } from '../src/features/thing.ts';
import { choiceOf, textChoice } from './answer.ts';
import { commandById, registry } from './index.ts';
import { commandsOf, primaryOf } from './of-thing.ts';
import { factsWith, recorder } from './tools.testing.ts';

const thing = (kind: Thing['kind'], more: Partial<Thing> = {}): Thing => ({ kind, id: 'x', title: 'x', ...more });

test.each([
  ['shell.open', thing('server', { logins: ['root'] })],
  ['session.join', thing('session')],
  ['recording.play', thing('recording')],
  ['databases.connect', thing('database')],
  ['databases.prompt', thing('database', { databases: ['shop'] })],
  ['kubernetes.connect', thing('kubernetes')],
  ['applications.copyAddress', thing('application')],
  ['cluster.page', thing('cluster')],
  ['roles.edit', thing('role')],
  ['users.open', thing('user')],
  ['audit.details', thing('event')],
  ['audit.unfold', thing('event', { isFold: true })],
])('%s is what is done first', (id, of) =>
  expect(primaryOf(of, factsWith({ feature: 'audit' }), registry)?.id).toBe(id),
);

test('nothing is done first with what only others may change, or what comes from elsewhere', () => {
  expect(primaryOf(thing('user'), factsWith({ who: person(['users.list']) }), registry)).toBeUndefined();
  expect(primaryOf(thing('user', { elsewhere: 'signs in elsewhere' }), factsWith(), registry)).toBeUndefined();
});

test.each([
  ['role', 'roles'],
  ['connector', 'authConnectors'],
  ['loginRule', 'loginRules'],
  ['trustedCluster', 'trustedClusters'],
] as const)('a %s is viewed by whoever may not edit it', (noun, key) => {
  const reader = factsWith({ who: person([`${key}.list`, `${key}.read`]) });
  expect(primaryOf(thing(noun), reader, registry)?.onThing?.label).toBe('View');
});

test('a row offers all that begins with its thing and fits it, what cannot be undone last', () => {
  const ids = (of: Thing) => commandsOf(of, registry).map(({ id }) => id);
  expect(ids(thing('user'))).toEqual([
    'users.open',
    'users.link',
    'users.edit',
    'users.reached',
    'rights.why',
    'users.lock',
    'loginRules.test',
    'users.events',
    'users.reset',
    'users.remove',
  ]);
  expect(ids(thing('user', { elsewhere: 'signs in elsewhere' }))).not.toContain('users.open');
  expect(ids(thing('event', { isFold: true }))).toEqual([]);
});

test.each([
  ['users.open', 'user', 'users', 'edit'],
  ['roles.edit', 'role', 'roles', 'edit'],
  ['databases.connect', 'database', 'databases', 'connect'],
  ['kubernetes.connect', 'kubernetes', 'kubes', 'connect'],
  ['audit.details', 'event', 'audit', 'event'],
] as const)('%s keeps the rest of its page, and goes there from another', async (id, kind, page, part) => {
  const given = { [kind]: choiceOf(thing(kind)) };
  const here = recorder();
  const set: unknown[] = [];
  const setQuery = (changes: object): void => void set.push(changes);
  await commandById(id)?.run(given, factsWith({ feature: page }), { ...here.tools, setQuery });
  expect([set, here.done]).toEqual([[{ [part]: 'x' }], []]);
  const elsewhere = recorder();
  await commandById(id)?.run(given, factsWith({ feature: 'apps' }), elsewhere.tools);
  expect(elsewhere.done).toEqual([`go ${page} {"clusterId":"main"} {"${part}":"x"}`]);
});

test('a page of a cluster is one of those that this person reaches', async () => {
  const row = commandById('cluster.page');
  const { tools, done } = recorder();
  const facts = factsWith({ who: person(['nodes.list']) });
  const pages = await row?.args?.[1]?.choices('', {}, facts, tools);
  expect(pages?.map(({ value }) => value)).toEqual(['nodes']);
  await row?.run({ cluster: textChoice('leaf'), page: textChoice('nodes') }, facts, tools);
  expect(done).toEqual(['go nodes {"clusterId":"leaf"}']);
});

test('what has no address cannot be copied, and says so', async () => {
  const { tools, done } = recorder();
  const row = commandById('applications.copyAddress');
  const run = async (application: Thing) => row?.run({ application: choiceOf(application) }, factsWith(), tools);
  await expect(run(thing('application'))).rejects.toThrow('x has no address');
  await run(thing('application', { address: 'https://wiki' }));
  expect(done).toEqual(['copyText https://wiki', 'notify https://wiki has been copied']);
});
