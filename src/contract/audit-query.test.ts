import { expect, test } from 'vitest';
import { instantOf, narrowed, readAuditQuery, readMoment, toggledPart, userPart, withTimes } from './audit-query.ts';

const NOW = new Date('2026-03-15T10:30:00Z');

test('the line is read into types, user, times and words', () => {
  expect(readAuditQuery('type:user.login -type:resize user:bob since:2h until:30m failed "two words"')).toEqual({
    types: ['user.login'],
    except: ['resize'],
    user: 'bob',
    since: { kind: 'ago', ms: 7_200_000 },
    until: { kind: 'ago', ms: 1_800_000 },
    search: 'failed two words',
  });
  expect(readAuditQuery('')).toEqual({
    types: [],
    except: [],
    user: '',
    since: undefined,
    until: undefined,
    search: '',
  });
});

test('a type may be named by its code or by how it begins', () => {
  expect(readAuditQuery('type:T1000I')).toMatchObject({ types: ['user.login'] });
  const all = readAuditQuery('type:session.*');
  expect(typeof all === 'string' ? all : all.types).toContain('session.start');
  expect(typeof all === 'string' ? all : all.types.every(type => type.startsWith('session.'))).toBe(true);
});

test('words that look like keys but are none stay words, and what is quoted is no key', () => {
  expect(readAuditQuery('10.0.0.1:22 http://x "usr:bob"')).toMatchObject({ search: '10.0.0.1:22 http://x usr:bob' });
});

test.each([
  ['type:login', 'There is no event type "login"; did you mean user.login'],
  ['type:', 'type: is followed by an event type'],
  ['-type:', '-type: is followed by an event type'],
  ['since:tomorrow', 'since:tomorrow is not a time: write 30m'],
  ['until:2026-02-31', 'until:2026-02-31 is not a time'],
  ['since:0h', 'is not a time'],
  ['since:99999w', 'is not a time'],
  ['since:1h since:2h', 'since: stands here twice'],
  ['user:a user:b', 'One user at a time'],
  ['usr:bob', 'There is no key "usr:"; did you mean user:? As a word to look for, write it in quotes: "usr:bob"'],
  ['sinec:2h', 'did you mean since:?'],
  ['from:2h', 'There is no key "from:"; the keys are type:, -type:, user:, since:, until:'],
])('%s is refused with what is allowed', (line, said) => {
  expect(readAuditQuery(line)).toContain(said);
});

test.each([
  ['2h', '2026-03-15T08:30:00.000Z', '2026-03-15T08:30:00.000Z'],
  ['now', '2026-03-15T10:30:00.000Z', '2026-03-15T10:30:00.000Z'],
  ['today', '2026-03-15T00:00:00.000Z', '2026-03-15T23:59:59.999Z'],
  ['yesterday', '2026-03-14T00:00:00.000Z', '2026-03-14T23:59:59.999Z'],
  ['2026-02-28', '2026-02-28T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
  ['2026-02-28T08:00', '2026-02-28T08:00:00.000Z', '2026-02-28T08:00:00.000Z'],
])('%s begins and ends where a reader of the list expects it', (text, first, last) => {
  const moment = readMoment(text);
  if (moment === null) throw new Error('no moment');
  expect([instantOf(moment, 'first', NOW), instantOf(moment, 'last', NOW)]).toEqual([first, last]);
});

test('a line narrows the range, and moves it where it ends before the range begins', () => {
  const week = { from: '2026-03-08T10:30:00.000Z', to: '2026-03-15T10:30:00.000Z' };
  const times = (line: string) => {
    const read = readAuditQuery(line);
    if (typeof read === 'string') throw new Error(read);
    return narrowed(week, read, NOW);
  };
  expect(times('')).toEqual(week);
  expect(times('since:2h')).toEqual({ from: '2026-03-15T08:30:00.000Z', to: week.to });
  expect(times('until:2026-03-10')).toEqual({ from: week.from, to: '2026-03-10T23:59:59.999Z' });
  expect(times('until:2026-02-10')).toEqual({ from: '2026-02-03T23:59:59.999Z', to: '2026-02-10T23:59:59.999Z' });
});

test('a part is added once, taken out again, and another user replaces the one before', () => {
  expect(toggledPart('failed', 'type:user.login')).toBe('failed type:user.login');
  expect(toggledPart('failed type:user.login', 'type:user.login')).toBe('failed');
  expect(toggledPart('user:a x', userPart('b c'))).toBe('x user:"b c"');
});

test('a stretch of time takes the place of the times that a line has', () => {
  const line = 'type:user.login since:2h "two words" until:now';
  expect(withTimes(line, '2026-03-01T06:00:00.000Z', '2026-03-01T07:30:10.000Z')).toBe(
    'type:user.login "two words" since:2026-03-01T06:00:00 until:2026-03-01T07:30:10',
  );
});
