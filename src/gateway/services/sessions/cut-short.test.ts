import { expect, test } from 'vitest';
import type { AuditEntry } from '../../ports/audit.ts';
import type { StoredEvent } from '../../store/store.ts';
import { tellCutShort } from './cut-short.ts';

const start = (sid: string): StoredEvent => ({
  uid: 'u',
  time: new Date('2026-01-01T00:00:00Z'),
  type: 'db.session.start',
  code: 'TDB00I',
  user: 'ann',
  sid,
  raw: {
    code: 'TDB00I',
    ei: 0,
    uid: 'u',
    time: '2026-01-01T00:00:00.000Z',
    success: true,
    user: 'ann',
    sid,
    db_service: 'orders',
  },
});

test('a session that began and has no end gets one, once; what is no session in a database is left alone', async () => {
  const log: AuditEntry[] = [];
  const parts = {
    audit: { emit: async (entry: AuditEntry) => void log.push(entry) },
    events: {
      startOf: async (sid: string) => (sid === 'shell' ? null : start(sid)),
      endOf: async (sid: string) => (sid === 'ended' || log.some(one => one.sid === sid) ? start(sid) : null),
      lastIndexOf: async () => 7,
    },
    retries: {
      until: async (_what: string, attempt: (failures: number) => Promise<void>) => attempt(0).then(() => true),
    },
  };
  await tellCutShort(parts, ['cut', 'shell', 'ended', 'cut']);
  expect(log).toEqual([
    {
      code: 'TDB01I',
      ei: 8,
      user: 'ann',
      sid: 'cut',
      db_service: 'orders',
      session_start: '2026-01-01T00:00:00.000Z',
      message: 'The gateway stopped before this session ended.',
    },
  ]);
});
