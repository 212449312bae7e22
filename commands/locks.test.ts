import { expect, test } from 'vitest';
import { readLockTime } from '../src/contract/lock-words.ts';
import { createLock, deleteLock, listLocks } from '../src/contract/locks.ts';
import { everyRight, person } from '../src/features/person.testing.ts';
import { Cancelled, textChoice } from './answer.ts';
import { commandById, commands } from './index.ts';
import { readWhole } from './read.ts';
import { factsWith, recorder } from './tools.testing.ts';

const TAXI = 'left laptop in a taxi';
const lock = (given: Readonly<Record<string, string>>, facts = factsWith(), sure = true) => {
  const asked = recorder(() => ({ expires: '2030-01-31T08:00:00.000Z' }), sure);
  const answers = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, textChoice(text)]));
  return { ...asked, ran: Promise.resolve(commandById('locks.create')?.run(answers, facts, asked.tools)) };
};

test.each([
  [`lock alice 2h "${TAXI}"`, { target: 'alice', ttl: '2h', message: TAXI }],
  [`lock alice 2h ${TAXI}`, { target: 'alice', ttl: '2h', message: TAXI }],
  [`lock role:ops ${TAXI}`, { target: 'role:ops', message: TAXI }],
  ['Lock login:root', { target: 'login:root' }],
])('%s is read whole', (typed, answers) => {
  expect(readWhole(commands, typed, factsWith())).toMatchObject({ command: { id: 'locks.create' }, answers });
});

test('a lock is made as it was typed, and said with its end', async () => {
  const { made, done, ran } = lock({ target: 'alice', ttl: '2h', message: TAXI });
  await ran;
  expect(made).toMatchObject([{ call: createLock, body: { targets: { user: 'alice' }, ttl: '2h', message: TAXI } }]);
  expect(done).toEqual(['notify Locked user alice until 2030-01-31 08:00 UTC']);
});

test('several are locked at once, oneself last, and a name with a comma is one', async () => {
  const facts = factsWith({ who: { ...person(everyRight), userName: 'ann', roles: [] } });
  const { made, done, ran } = lock({ target: 'ann,role:ops,user:"x,y"', ttl: '2h' }, facts);
  await ran;
  expect(made.map(({ body }) => (body as { targets: object }).targets)).toEqual([
    { role: 'ops' },
    { user: 'x,y' },
    { user: 'ann' },
  ]);
  expect(done.filter(line => line.startsWith('notify')).map(line => line.slice(0, 21))).toEqual([
    'notify Locked role op',
    'notify Locked user x,',
    'notify Locked user an',
  ]);
});

test('an end is a date, or a time with its place; one that is past or none is nothing', () => {
  const now = Date.parse('2026-12-24T12:00:00Z');
  const read = (typed: string) => readLockTime(typed, now);
  expect(['2h45m', '2026-12-25', '2026-12-24T13:00', '2026-12-24 14:00+01:00'].map(read)).toEqual([
    '2h45m',
    '43200s',
    '3600s',
    '3600s',
  ]);
  expect(['0', '', 'soon', '2026-12-24', '2026-13-01', '2027-02-29', '2099-12-24'].map(read)).toEqual(
    Array(7).fill(undefined),
  );
});

test('whoever would lock themselves is asked twice, also by a role of theirs, and may still turn back', async () => {
  const who = { ...person(everyRight), userName: 'ann', roles: ['ops'] };
  const facts = factsWith({ who });
  for (const target of ['ann', 'user:ann', 'role:ops']) {
    const { done, ran } = lock({ target }, facts);
    await ran;
    expect(done.filter(line => line.startsWith('confirm'))).toHaveLength(2);
  }
  const { made, ran } = lock({ target: 'ann' }, facts, false);
  await expect(ran).rejects.toThrow(Cancelled);
  expect(made).toEqual([]);
});

test('what cannot be locked is said while it is typed, and a time that is none too', () => {
  const [target, ttl] = commandById('locks.create')?.args ?? [];
  expect([target?.free?.('alice'), target?.free?.('planet:mars')]).toEqual([
    undefined,
    expect.stringContaining('"planet" is nothing that can be locked'),
  ]);
  expect([ttl?.free?.('2h45m'), ttl?.free?.(''), ttl?.free?.('soon')]).toEqual([
    undefined,
    undefined,
    expect.any(String),
  ]);
});

test('a lock is taken away by what it names, after a yes', async () => {
  const stored = { name: 'id-1', message: TAXI, targets: { server_id: 'uuid' }, title: 'db-3', expires: '' };
  const asked = (sure: boolean) => recorder(({ call }) => (call === listLocks ? [stored] : { message: 'ok' }), sure);
  const { tools, made, done } = asked(true);
  const remove = commandById('locks.remove');
  const [choice] = (await remove?.args?.[0]?.choices('', {}, factsWith(), tools)) ?? [];
  expect(choice).toMatchObject({ value: 'id-1', title: 'server db-3', detail: TAXI });
  expect(readWhole(commands, 'unlock alice', factsWith())).toMatchObject({ answers: { lock: 'user alice' } });
  const given = choice ? { lock: choice } : {};
  await remove?.run(given, factsWith(), tools);
  expect(made.at(-1)).toMatchObject({ call: deleteLock, params: { name: 'id-1' } });
  expect(done.at(-1)).toBe('notify The lock on server db-3 has been taken away');
  const unsure = asked(false);
  await expect(remove?.run(given, factsWith(), unsure.tools)).rejects.toThrow(Cancelled);
  expect(unsure.made).toEqual([]);
});

test.each([
  ['users.lock', 'user', 'user:x'],
  ['roles.lock', 'role', 'role:x'],
  ['servers.lock', 'server', 'server_id:x'],
  ['desktops.lock', 'desktop', 'windows_desktop:x'],
] as const)('%s leads to the form with it as the first target', async (id, kind, target) => {
  const { tools, done } = recorder();
  await commandById(id)?.run({ [kind]: { value: 'x', title: 'db-3' } }, factsWith(), tools);
  expect(done).toEqual([`go newLock {"clusterId":"main"} {"target":"${target}","title":"db-3"}`]);
});
