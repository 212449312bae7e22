import { expect, test } from 'vitest';
import type { AuditEvent } from '../../../contract/audit.ts';
import { readAuditQuery, toggledPart } from '../../../contract/audit-query.ts';
import { auditSuggestions } from './complete.ts';
import { facetsOf } from './facets.ts';
import { folded, foldText } from './fold.ts';

const noise = (type: string, uid: string, sid = 's'): AuditEvent =>
  ({ event: type, code: 'T2002I', uid, sid, time: '2026-01-01T00:00:00Z', server_hostname: 'db-3' }) as AuditEvent;
const closed: ReadonlySet<string> = new Set();

test('noise of one session that follows upon itself is one row with a count; opened, its events follow it', () => {
  const events = [
    noise('session.end', '5'),
    noise('resize', '4'),
    noise('session.join', '3'),
    noise('resize', '2'),
    noise('session.start', '1'),
  ];
  const rows = folded(events, closed);
  expect(rows.map(({ event, events: run }) => [event.uid, run.length])).toEqual([
    ['5', 0],
    ['4', 3],
    ['1', 0],
  ]);
  expect(foldText(rows[1]?.events ?? [])).toBe('db-3: 2 resizes, 1 join');
  expect(folded(events, new Set(['2'])).map(({ event }) => event.uid)).toEqual(['5', '4', '4', '3', '2', '1']);
});

test('noise of two sessions, and too little of it, is not folded', () => {
  const events = [
    noise('resize', '4', 'a'),
    noise('resize', '3', 'b'),
    noise('resize', '2', 'a'),
    noise('resize', '1', 'b'),
  ];
  expect(folded(events, closed)).toHaveLength(4);
  expect(folded(events.slice(0, 2), closed)).toHaveLength(2);
  expect(folded([events[0], events[0], events[0]] as AuditEvent[], null)).toHaveLength(3);
});

test.each([
  ['', ['type:', '-type:', 'user:', 'since:', 'until:']],
  ['us', ['user:']],
  ['failed -ty', ['-type:']],
  ['user:', ['alice', 'bob b']],
  ['since:y', ['yesterday', 'today']],
  ['-type:resi', ['resize']],
  ['"quoted ', ['type:', '-type:', 'user:', 'since:', 'until:']],
])('after %j come %j', (text, titles) => {
  const offered = auditSuggestions(text, text.length, ['alice', 'bob b']);
  expect(offered.map(({ title }) => title)).toEqual(titles);
});

test('what is offered replaces the word at the caret, quoted where it needs it', () => {
  expect(auditSuggestions('failed user:bo', 14, ['bob b'])).toEqual([
    { title: 'bob b', detail: 'a user', text: '"bob b" ', start: 12 },
  ]);
});

test('what events have most of is counted by user, type and target, and narrows the line to just that', () => {
  const event = (more: Partial<AuditEvent>): AuditEvent => ({
    event: 'session.start',
    code: 'T2000I',
    time: '2026-03-15T10:00:00Z',
    uid: '',
    ...more,
  });
  const found = facetsOf([
    event({ user: 'ann', server_hostname: 'db-3' }),
    event({ user: 'bob', server_hostname: 'db-3' }),
    event({ user: 'bob', event: 'user.login', server_hostname: '' }),
    event({ user: 'two words', app_name: 'db: "x"' }),
  ]);
  expect(found.map(({ title, facets }) => [title, ...facets.map(({ value, count }) => `${value} ${count}`)])).toEqual([
    ['Users', 'bob 2', 'ann 1', 'two words 1'],
    ['Types', 'session.start 3', 'user.login 1'],
    ['Targets', 'db-3 2', 'db: "x" 1'],
  ]);
  const line = found.reduce((all, { facets }) => toggledPart(all, facets.at(-1)?.part ?? ''), '');
  expect(readAuditQuery(line)).toMatchObject({ user: 'two words', types: ['user.login'], search: 'db: x' });
  expect(facetsOf([])).toEqual([]);
});
