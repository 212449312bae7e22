import { expect, test } from 'vitest';
import type { AuditEvent } from './audit.ts';
import { type AuditFileKind, auditFileHead, auditFileLine } from './audit-file.ts';

const event = {
  uid: 'u',
  code: 'T1000I',
  event: 'user.login',
  time: '2026-01-01T00:00:00Z',
  user: '=cmd()',
  note: 'a,"b"\nc',
} as AuditEvent;
const both = (kind: AuditFileKind): string =>
  auditFileHead(kind) + auditFileLine(event, kind) + auditFileLine(event, kind);

test('a spreadsheet runs nothing that stands in an event', () => {
  const [heading, line] = (auditFileHead('csv') + auditFileLine(event, 'csv')).split('\r\n');
  expect(heading).toBe('time,code,type,title,user,description,uid,event');
  expect(line).toContain(",'=cmd(),");
  expect(both('csv').split('\r\n')).toHaveLength(4);
});

// Rule 3.4: an event is kept raw
test('NDJSON gives every event back as it was', () => {
  const lines = both('ndjson').trimEnd().split('\n');
  expect(lines.map(line => JSON.parse(line))).toEqual([event, event]);
});
