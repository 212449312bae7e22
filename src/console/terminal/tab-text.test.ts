import { expect, test } from 'vitest';
import { companyText, keysGoTo } from './company.ts';
import { latencyGrade, middleCut, tabTexts } from './tab-text.ts';

const ann = { id: 'p1', user: 'ann', mode: 'peer' } as const;
const bob = { id: 'p2', user: 'bob', mode: 'observer' } as const;
const eve = { id: 'p3', user: 'eve', mode: 'moderator' } as const;
const dan = { id: 'p4', user: 'dan', mode: 'peer' } as const;

test.each([
  ['alone', { parties: [ann], party: 'p1', mode: 'peer' }, ''],
  ['watched', { parties: [ann, bob], party: 'p1', mode: 'peer' }, 'bob watches'],
  ['watched by two', { parties: [ann, bob, eve], party: 'p1', mode: 'peer' }, 'bob watches; eve moderates'],
  ['with a second hand', { parties: [ann, dan, bob], party: 'p1', mode: 'peer' }, 'bob watches; dan types'],
  ['as the one who watches', { parties: [ann, bob], party: 'p2', mode: 'observer' }, 'you watch; ann types'],
  [
    'as one of those who watch',
    { parties: [ann, bob, eve], party: 'p2', mode: 'observer' },
    'you watch; eve moderates; ann types',
  ],
  [
    'watched from two windows of one person',
    { parties: [ann, bob, { ...bob, id: 'p5' }], party: 'p1', mode: 'peer' },
    'bob watches',
  ],
  ['of a gateway that names nobody', { parties: [ann, bob], party: '', mode: 'peer' }, 'bob watches; ann types'],
  [
    'whose keys somebody else has',
    { parties: [ann, dan], party: 'p1', mode: 'peer', sessionState: { state: 'running', why: '', writer: 'dan' } },
    'dan has the keys',
  ],
  [
    'whose keys one has',
    { parties: [ann, dan], party: 'p1', mode: 'peer', sessionState: { state: 'running', why: '', writer: 'ann' } },
    'dan is here; you have the keys',
  ],
  [
    'that waits',
    { parties: [ann], party: 'p1', mode: 'peer', sessionState: { state: 'pending', why: 'w', writer: '' } },
    'waits for others',
  ],
] as const)('a session %s says: %s%s', (_what, tab, text) => expect(companyText(tab)).toBe(text));

const sessionState = (writer: string, state: 'running' | 'pending' | 'paused' = 'running') => ({
  state,
  why: '',
  writer,
});
const mine = { serverId: 'n', status: 'connected', parties: [ann, dan], party: 'p1', mode: 'peer' } as const;
test.each([
  ['its shell', mine, 'shell'],
  ['its shell, where one has the keys', { ...mine, sessionState: sessionState('ann') }, 'shell'],
  ['nobody, where somebody else has them', { ...mine, sessionState: sessionState('dan') }, 'nobody, dan has the keys'],
  ['nobody while it is paused', { ...mine, sessionState: sessionState('', 'paused') }, 'nobody, the session is paused'],
  ['nobody before it begins', { ...mine, sessionState: sessionState('', 'pending') }, 'nobody, the session waits'],
  ['nobody, where one watches', { ...mine, mode: 'observer' }, 'nobody, you watch'],
  ['its shell later, without a connection', { ...mine, status: 'connecting' }, 'shell, when connected'],
  ['its desktop', { ...mine, serverId: 'desktop/win-7', parties: [], party: '' }, 'desktop'],
  ['its desktop later', { ...mine, serverId: 'desktop/win-7', status: 'reconnecting' }, 'desktop, when connected'],
] as const)('keys in a terminal are heard by %s', (_who, tab, text) => expect(keysGoTo(tab)).toBe(text));

const textsOf = (...titles: readonly string[]): readonly string[] => [
  ...tabTexts(titles.map((title, index) => ({ key: `t${index}`, title }))).values(),
];

test.each([
  [['root@db-1'], ['root@db-1']],
  [
    ['root@db-1', 'root@db-2'],
    ['db-1', 'db-2'],
  ],
  [
    ['root@db-1', 'ann@db-1'],
    ['root@db-1', 'ann@db-1'],
  ],
  [
    ['root@db-1', 'root@db-1', 'root@db-1'],
    ['db-1', 'db-1 (2)', 'db-1 (3)'],
  ],
  [
    ['root@db-1', 'Joining…'],
    ['root@db-1', 'Joining…'],
  ],
])('the tabs %j read %j', (titles, texts) => expect(textsOf(...titles)).toEqual(texts));

test.each([
  ['db-1', ['db-1', '']],
  ['root@db-1.example.com', ['root@db-1.e', 'xample.com']],
])('%s is cut between %j', (text, parts) => expect(middleCut(text)).toEqual(parts));

test.each([
  [{ ws: 100, ssh: 50 }, 'good'],
  [{ ws: 100, ssh: 51 }, 'slow'],
  [{ ws: 300, ssh: 101 }, 'bad'],
] as const)('a round trip of %j is %s', (latency, grade) => expect(latencyGrade(latency)).toBe(grade));
