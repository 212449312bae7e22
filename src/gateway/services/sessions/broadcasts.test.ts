import { expect, test } from 'vitest';
import type { AuditEntry } from '../../ports/audit.ts';
import type { SessionInfo } from '../../ports/sessions.ts';
import type { Who } from '../../ports/who.ts';
import { createBroadcasts } from './broadcasts.ts';

const ann = { user: 'ann', userId: 'u-ann', remoteAddr: '10.0.0.1' } as Who;
const bob = { user: 'bob', userId: 'u-bob', remoteAddr: '10.0.0.2' } as Who;

function started() {
  const log: AuditEntry[] = [];
  let minute = 0;
  const modes = new Map([
    ['one', 'peer'],
    ['two', 'peer'],
    ['three', 'observer'],
  ]);
  const broadcasts = createBroadcasts(
    {
      get(sid) {
        const mode = modes.get(sid);
        const session = { login: 'root', server_hostname: sid, parties: [{ user: 'ann', mode }] };
        return mode === undefined ? null : ({ session } as unknown as SessionInfo);
      },
    },
    { emit: async entry => void log.push(entry) },
    () => new Date(Date.UTC(2026, 0, 1, 0, minute++)),
    () => undefined,
  );
  return { broadcasts, log, modes };
}

test('a broadcast is one entry, from when to when, with its sessions', async () => {
  const { broadcasts, log } = started();
  const id = broadcasts.begin(ann, ['one', 'two', 'one']);
  await expect(broadcasts.end(bob, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(log).toEqual([]);
  await broadcasts.end(ann, id);
  expect(log).toMatchObject([
    {
      code: 'T2014I',
      user: 'ann',
      sids: ['one', 'two'],
      servers: ['root@one', 'root@two'],
      session_start: '2026-01-01T00:00:00.000Z',
      session_stop: '2026-01-01T00:01:00.000Z',
    },
  ]);
  await expect(broadcasts.end(ann, id)).rejects.toMatchObject({ code: 'not_found' });
});

test.each([
  ['a session that does not run', ann, ['one', 'none'], 'not_found'],
  ['a session that is only watched', ann, ['one', 'three'], 'not_found'],
  ["somebody else's", bob, ['one', 'two'], 'not_found'],
  ['one session twice', ann, ['one', 'one'], 'bad_request'],
])('%s is refused', (_what, who, sids, code) =>
  expect(() => started().broadcasts.begin(who, sids)).toThrow(expect.objectContaining({ code })),
);

test('one whose person has gone ends by itself, and all end with the gateway', async () => {
  const { broadcasts, log, modes } = started();
  broadcasts.begin(ann, ['one', 'two']);
  await broadcasts.look();
  expect(log.length).toBe(0);
  modes.delete('two');
  await broadcasts.look();
  expect(log.length).toBe(1);
  modes.set('two', 'peer');
  broadcasts.begin(ann, ['one', 'two']);
  await broadcasts.close();
  expect(log.length).toBe(2);
});

test('nobody holds more than a person uses', () => {
  const { broadcasts } = started();
  for (let count = 0; count < 10; count += 1) broadcasts.begin(ann, ['one', 'two']);
  expect(() => broadcasts.begin(ann, ['one', 'two'])).toThrow(/no more than 10/);
});
