import { expect, test } from 'vitest';
import { person } from '../src/features/person.testing.ts';
import type { Facts } from './command.ts';
import { commandById } from './index.ts';
import { factsWith, recorder } from './tools.testing.ts';

const terminal = { sid: 's', title: 'root@db-3', serverId: 'n', login: 'root', connected: true, hasSelection: false };
const ann = { id: 'p1', user: 'ann', mode: 'peer' } as const;
const dan = { id: 'p2', user: 'dan', mode: 'peer' } as const;
const bob = { id: 'p3', user: 'bob', mode: 'moderator' } as const;
const company: NonNullable<Facts['company']> = {
  mode: 'peer',
  user: 'ann',
  party: 'p1',
  isOwner: true,
  parties: [ann, dan, bob],
  state: 'running',
  writer: '',
};
const as = (more: Partial<typeof company>) => factsWith({ who: person(), terminal, company: { ...company, ...more } });
const moderating = { mode: 'moderator', user: 'bob', party: 'p3', isOwner: false } as const;

const control = (asked: object) => `control ${JSON.stringify(asked)}`;

async function ran(id: string, facts: Facts, given: Readonly<Record<string, string>> = {}) {
  const { tools, done } = recorder();
  const answers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, { value, title: value }]));
  const row = commandById(id);
  const blocked = row?.blocked?.(facts);
  if (blocked !== undefined) return blocked;
  await row?.run(answers, facts, tools);
  return done;
}

test('who has the keys returns them, anybody else who types takes them', async () => {
  expect(await ran('session.takeKeys', as({}))).toEqual([control({ action: 'take', party: '' })]);
  expect(await ran('session.takeKeys', as({ writer: 'dan' }))).toEqual([control({ action: 'take', party: '' })]);
  expect(await ran('session.takeKeys', as({ writer: 'ann' }))).toEqual([control({ action: 'return', party: '' })]);
  expect(await ran('session.takeKeys', as(moderating))).toBe('You watch this session');
});

test('the keys are handed to others who type', async () => {
  const row = commandById('session.giveKeys');
  const offered = await row?.args?.[0]?.choices('', {}, as({}), recorder().tools);
  expect(offered).toEqual([{ value: 'p2', title: 'dan' }]);
  expect(await ran('session.giveKeys', as({}), { party: 'p2' })).toEqual([control({ action: 'give', party: 'p2' })]);
  expect(await ran('session.giveKeys', as({ parties: [ann, bob] }))).toBe('Nobody else types in this session');
});

test('moderators pause and let go on', async () => {
  expect(await ran('session.pause', as(moderating))).toEqual([control({ action: 'pause', party: '' })]);
  const paused = as({ ...moderating, state: 'paused' });
  expect(await ran('session.pause', paused)).toEqual([control({ action: 'resume', party: '' })]);
  expect(await ran('session.pause', as({}))).toBe('Only moderators pause a session');
});

test('its owner and moderators end a session for everyone, once they are sure', async () => {
  for (const facts of [as({}), as(moderating)])
    expect(await ran('session.endThis', facts)).toEqual([
      'confirm End this session? root@db-3 ends for everyone in it. What runs in it is told to stop.',
      control({ action: 'end', party: '' }),
    ]);
  expect(await ran('session.endThis', as({ isOwner: false }))).toBe('Only its owner or a moderator may end a session');
});

test('an invitation names the way to join', async () => {
  expect(await ran('session.invite', as({}), { mode: 'observer' })).toEqual(['invite observer']);
  expect(await ran('session.invite', factsWith({ who: person(), terminal }))).toBe('This terminal is not connected');
});
