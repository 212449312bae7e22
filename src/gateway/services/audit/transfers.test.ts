import { expect, test } from 'vitest';
import type { AuditEvent } from '../../../contract/audit.ts';
import type { Who } from '../../ports/who.ts';
import type { EventQuery } from '../../store/store.ts';
import { createAuditAccess } from './access.ts';

const copied = (more: Readonly<Record<string, unknown>>): AuditEvent =>
  ({
    event: 'scp',
    code: 'T3004I',
    uid: '',
    time: '2026-03-01T10:00:05Z',
    user: 'ann',
    user_id: 'ann',
    server_id: 'db',
    action: 'download',
    path: '/etc/hosts',
    exitCode: '0',
    attributes: { file_size: 12 },
    ...more,
  }) as unknown as AuditEvent;
const session = {
  sid: 's1',
  started: '2026-03-01T10:00:00Z',
  durationMs: 10_000,
  participants: ['ann', 'bob'],
  commands: [{ ms: 100, text: 'ls -l', source: 'shell' as const, status: 0, endMs: 300 }],
  serverId: 'db',
};

/** What a reader is told of the copies in a log; `reads`: whose events their roles show them, absent: everybody's. */
async function told(log: readonly AuditEvent[], reads?: readonly string[]) {
  const asked: EventQuery[] = [];
  const access = createAuditAccess({
    audit: {
      emit: async () => undefined,
      search: async query => {
        asked.push(query);
        return { events: [...log], startKey: '' };
      },
      count: async () => [],
    },
    events: { endOf: async () => null },
    running: () => null,
    summary: async () => null,
    text: { find: async () => [], hits: async () => [] },
    clock: () => new Date(),
  });
  const rights = {
    participants: () => reads,
    may: (_resource: string, _verb: string, subject?: { participants?: readonly string[] }) =>
      reads === undefined || reads.some(name => subject?.participants?.includes(name)),
  };
  const who = { user: 'zoe', userId: 'zoe', since: new Date(0), rights } as unknown as Who;
  const marks = await access.transfers(who, session);
  return { marks, asked: [...asked], kernel: await access.kernelCommands(who, session) };
}

test('a file that one of its people copied on its server while it ran is a mark', async () => {
  const { marks, asked } = await told([
    copied({}),
    copied({ code: 'T3005E', action: 'upload', user: 'bob', user_id: 'bob', exitCode: '1', attributes: undefined }),
  ]);
  expect(marks).toEqual([
    { ms: 5000, user: 'ann', action: 'download', path: '/etc/hosts', bytes: 12, isFailed: false },
    { ms: 5000, user: 'bob', action: 'upload', path: '/etc/hosts', bytes: null, isFailed: true },
  ]);
  expect(asked).toMatchObject([
    { types: ['scp'], from: new Date('2026-03-01T10:00:00Z'), to: new Date('2026-03-01T10:00:10Z') },
  ]);
});

test.each([
  ['on another server', { server_id: 'web' }],
  ['by somebody else', { user: 'eve' }],
  ['refused at the door', { code: 'T3010E', action: undefined, path: undefined }],
])('a copy %s is none', async (_what, more) => expect((await told([copied(more)])).marks).toEqual([]));

test('whoever may not read the events is told of none', async () => {
  expect(await told([copied({})], [])).toEqual({ marks: [], kernel: [], asked: [] });
  expect((await told([copied({})], ['bob'])).marks).toEqual([]);
});

test('programs that a kernel saw in a session are marks at the moment they started, in order, and say so', async () => {
  const started = (ms: number, argv: readonly string[], sid = 's1'): AuditEvent =>
    copied({
      event: 'session.command',
      code: 'T4000I',
      sid,
      argv,
      process_start: new Date(Date.parse(session.started) + ms).toISOString(),
    });
  const { kernel } = await told([
    started(900, ['printf', 'a b\n\u001b[2J']),
    started(200, ['ls', '-l']),
    started(300, ['id'], 'another'),
    started(50, ['dircolors', '-b']),
  ]);
  expect(kernel).toEqual([
    { ms: 50, text: 'dircolors -b', source: 'startup', status: null, endMs: null },
    { ms: 200, text: 'ls -l', source: 'kernel', status: null, endMs: null },
    { ms: 900, text: String.raw`printf "a b\n\u001b[2J"`, source: 'kernel', status: null, endMs: null },
  ]);
});
