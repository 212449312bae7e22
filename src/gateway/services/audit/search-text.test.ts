import { expect, test } from 'vitest';
import type { AuditEntry } from '../../ports/audit.ts';
import type { Who } from '../../ports/who.ts';
import type { StoredEvent } from '../../store/store.ts';
import { createAuditAccess } from './access.ts';

const sids = ['1', '2', '3', '4'].map(digit => `0000000${digit}-0000-4000-8000-000000000000`);
const owners = ['ann', 'bob', 'ann', 'ann'];

/** Four recordings, newest first: of all but the third the words stand where they are looked for. */
function rig() {
  const noted: AuditEntry[] = [];
  const asked: unknown[] = [];
  const access = createAuditAccess({
    audit: {
      emit: async entry => void noted.push(entry),
      search: async () => ({ events: [], startKey: '' }),
      count: async () => [],
    },
    events: {
      endOf: async sid => {
        const time = '2026-03-01T10:00:00Z';
        const raw = { event: 'session.end', time, sid, participants: [owners[sids.indexOf(sid)]] };
        return { raw } as unknown as StoredEvent;
      },
    },
    running: () => null,
    summary: async () => null,
    text: {
      find: async (text, query) => {
        asked.push({ text, ...query });
        return sids
          .map((sid, at) => ({ sid, started: 100 - at }))
          .filter(({ started }) => started < (query.after?.started ?? 1000));
      },
      hits: async ({ sid }) => (sid === sids[2] ? [] : [{ ms: 5, line: `of ${sid}` }]),
    },
    clock: () => new Date(),
  });
  const who = (user: string): Who =>
    ({
      user,
      userId: user,
      since: new Date(0),
      rights: {
        may: (_resource: string, _verb: string, subject?: { participants?: readonly string[] }) =>
          subject?.participants?.includes(user) ?? false,
      },
    }) as unknown as Who;
  return { access, who, noted, asked };
}
const search = { text: 'needle', from: null, to: null, limit: 10 };

test('only recordings that a person may play are found, and each one that was shown is noted once', async () => {
  const { access, who, noted } = rig();
  const found = await access.searchText(who('ann'), search);
  expect(found).toMatchObject({
    recordings: [{ event: { sid: sids[0] }, places: [{ ms: 5, line: `of ${sids[0]}` }] }, { event: { sid: sids[3] } }],
    startKey: '',
  });
  await access.searchText(who('ann'), search);
  expect(noted).toEqual([sids[0], sids[3]].map(sid => ({ code: 'T2012I', sid, user: 'ann', user_id: 'ann' })));
  expect((await access.searchText(who('eve'), search)).recordings).toEqual([]);
});

test('a page ends after as many as were asked for, and the next one begins behind it', async () => {
  const { access, who, asked } = rig();
  const first = await access.searchText(who('ann'), { ...search, limit: 1 });
  expect(first.recordings).toHaveLength(1);
  const second = await access.searchText(who('ann'), { ...search, limit: 5, startKey: first.startKey });
  expect(asked.at(-1)).toMatchObject({ after: { sid: sids[0], started: 100 } });
  expect(second).toMatchObject({ recordings: [{ event: { sid: sids[3] } }], startKey: '' });
  await expect(access.searchText(who('ann'), { ...search, startKey: 'elsewhere' })).rejects.toMatchObject({
    code: 'bad_request',
  });
});
