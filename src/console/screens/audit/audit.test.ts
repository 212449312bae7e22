import { expect, test } from 'vitest';
import type { AuditEvent } from '../../../contract/audit.ts';
import { exported } from './export.ts';
import { readAuditQuery, toggledPart, userPart } from './query.ts';

test('the line is read into types, user, time and words', () => {
  expect(readAuditQuery('type:user.login user:bob since:2h failed "two words"')).toEqual({
    types: ['user.login'],
    user: 'bob',
    sinceMs: 7_200_000,
    search: 'failed two words',
  });
  expect(readAuditQuery('')).toEqual({ types: [], user: '', sinceMs: undefined, search: '' });
});

test('a type may be named by its code or by how it begins', () => {
  expect(readAuditQuery('type:T1000I')).toMatchObject({ types: ['user.login'] });
  const all = readAuditQuery('type:session.*');
  expect(typeof all === 'string' ? all : all.types).toContain('session.start');
  expect(typeof all === 'string' ? all : all.types.every(type => type.startsWith('session.'))).toBe(true);
});

test('words that look like keys but are none stay words', () => {
  expect(readAuditQuery('10.0.0.1:22 http://x')).toMatchObject({ search: '10.0.0.1:22 http://x' });
});

test.each([
  ['type:login', 'There is no event type "login"; did you mean user.login'],
  ['type:', 'type: is followed by an event type'],
  ['since:yesterday', 'since:yesterday is not a time back from now'],
  ['since:0h', 'is not a time back'],
  ['since:99999w', 'is not a time back'],
  ['user:a user:b', 'One user at a time'],
])('%s is refused with what is allowed', (line, said) => {
  expect(readAuditQuery(line)).toContain(said);
});

test('a part is added once, taken out again, and another user replaces the one before', () => {
  expect(toggledPart('failed', 'type:user.login')).toBe('failed type:user.login');
  expect(toggledPart('failed type:user.login', 'type:user.login')).toBe('failed');
  expect(toggledPart('user:a x', userPart('b c'))).toBe('x user:"b c"');
});

const event = {
  uid: 'u',
  code: 'T1000I',
  event: 'user.login',
  time: '2026-01-01T00:00:00Z',
  user: '=cmd()',
  note: 'a,"b"\nc',
} as AuditEvent;

test('a spreadsheet runs nothing that stands in an event', () => {
  const [heading, line] = exported([event], 'csv').split('\r\n');
  expect(heading).toBe('time,code,type,title,user,description,uid,event');
  expect(line).toContain(",'=cmd(),");
  expect(exported([event, event], 'csv').split('\r\n')).toHaveLength(4);
});

test('NDJSON gives every event back as it was', () => {
  const lines = exported([event, event], 'ndjson').trimEnd().split('\n');
  expect(lines.map(line => JSON.parse(line))).toEqual([event, event]);
});
