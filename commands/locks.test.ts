import { expect, test } from 'vitest';
import { createLock, deleteLock, listLocks, readLockTime } from '../src/contract/locks.ts';
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
  expect(['0', '', 'soon', '2026-12-24', '2026-13-01', '2099-12-24'].map(read)).toEqual(Array(6).fill(undefined));
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

test('a lock is taken away by what it names', async () => {
  const { tools, made, done } = recorder(({ call }) =>
    call === listLocks
      ? [{ name: 'id-1', message: TAXI, expires: '2030-01-31T08:00:00.000Z', targets: { user: 'alice' } }]
      : { message: 'ok' },
  );
  const remove = commandById('locks.remove');
  const [choice] = (await remove?.args?.[0]?.choices('', {}, factsWith(), tools)) ?? [];
  expect(choice).toEqual({ value: 'id-1', title: 'user alice', detail: `until 2030-01-31 08:00 UTC · ${TAXI}` });
  expect(readWhole(commands, 'unlock alice', factsWith())).toMatchObject({ answers: { lock: 'user alice' } });
  await remove?.run(choice ? { lock: choice } : {}, factsWith(), tools);
  expect(made.at(-1)).toMatchObject({ call: deleteLock, params: { name: 'id-1' } });
  expect(done).toEqual(['notify The lock on user alice has been taken away']);
});
