import { expect, test } from 'vitest';
import type { MakeCall } from '../../../contract/call.ts';
import { lockableDevices } from '../../../contract/locks.ts';
import { listUsers } from '../../../contract/users.ts';
import { findTargets, lockedBy, readTarget, toggled, wordsOf } from './targets.ts';

const alice = { kind: 'user', name: 'alice', title: 'alice' } as const;
const server = { kind: 'server_id', name: 'uuid', title: 'db-3' } as const;

test('an address names one target, with what people call it', () => {
  expect(readTarget({ target: 'user:alice' })).toEqual([alice]);
  expect(readTarget({ target: 'server:uuid', title: 'db-3' })).toEqual([server]);
});

test.each([{}, { target: '' }, { target: 'planet:mars' }, { target: 'user:' }, { target: 'access_request:' }])(
  'an address that names none that can be chosen begins with nothing: %j',
  query => expect(readTarget(query)).toEqual([]),
);

test('choosing again takes back, and a target is what its lock names', () => {
  const both = toggled([alice], server);
  expect([both, toggled(both, { ...alice })]).toEqual([[alice, server], [server]]);
  expect([lockedBy(server), wordsOf(server)]).toEqual([{ server_id: 'uuid' }, 'server db-3']);
});

test('what comes whole is narrowed by all words; devices are named with their owners', async () => {
  const user = (name: string) => ({ name, roles: ['access'], authType: 'local', allTraits: {}, isBot: false });
  const api = (async (call: unknown) =>
    call === listUsers
      ? [user('alice'), user('bob')]
      : call === lockableDevices
        ? [{ id: 'd1', name: 'phone', user: 'alice' }]
        : []) as MakeCall;
  const titles = async (kind: 'user' | 'mfa_device', search: string) =>
    (await findTargets(api, 'main', kind, search, '')).items.map(({ title }) => title);
  expect(await titles('user', 'ACCESS b')).toEqual(['bob']);
  expect([await titles('mfa_device', 'phone alice'), await titles('mfa_device', 'bob')]).toEqual([
    ['phone of alice'],
    [],
  ]);
});
