// What roles ask of a server that was not prepared for it.
import { expect, test } from 'vitest';
import type { Target } from '../../ports/servers.ts';
import { person } from './sessions.testing.ts';
import { loginNotice, unpreparedFor } from './unprepared.ts';

const target = (labels: Record<string, string>, subKind: Target['subKind'] = 'openssh'): Target => ({
  ...{ id: 'n', hostname: 'db-3', addr: 'db-3:22', hostKeys: [] },
  subKind,
  labels,
});
const { rights } = person('ann', { options: { createHostUser: 'drop', recordKernel: ['command', 'network'] } });
const USERS = 'db-3 was not prepared to make users, so create_host_user does nothing there.';

test('a server that nobody prepared is named, with what does nothing there', () => {
  expect(unpreparedFor(rights, target({}))).toEqual([
    USERS,
    'db-3 was not prepared to tell of command, network, so enhanced_recording has none of it.',
  ]);
  expect(loginNotice(rights, target({}))).toBe(USERS);
});

test('what a server was prepared for is not said of it', () => {
  expect(unpreparedFor(rights, target({ users: 'made', commands: 'kernel' }))).toEqual([
    'db-3 was not prepared to tell of network, so enhanced_recording has none of it.',
  ]);
  expect(unpreparedFor(rights, target({ users: 'made', commands: 'kernel', network: 'kernel' }))).toEqual([]);
  expect(loginNotice(rights, target({ users: 'made' }))).toBeNull();
});

test('nothing is said to whose roles ask for nothing, nor of the terminal to whose roles ask for a record alone', () => {
  const quiet = person('bob', { options: { createHostUser: 'off', recordKernel: [] } });
  expect(unpreparedFor(quiet.rights, target({}))).toEqual([]);
  const recorded = person('eve', { options: { createHostUser: 'off', recordKernel: ['command'] } });
  expect(loginNotice(recorded.rights, target({}))).toBeNull();
});
