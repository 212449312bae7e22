import { afterEach, expect, test } from 'vitest';
import type { LiveSession, Mode } from '../../../../contract/live-sessions.ts';
import { type KeyPolicy, NO_HARDWARE_KEYS, type Rights } from '../../../ports/rights.ts';
import type { Target } from '../../../ports/servers.ts';
import type { Who } from '../../../ports/who.ts';
import type { UserRecord } from '../../../store/store.ts';
import { createChanges } from '../../changes/changes.ts';
import { openPolicyWatch, type WatchPorts } from './watch.ts';

/** alice's session on web-1 as root; bob watches. */
const session = {
  id: 'sid',
  owner: 'alice',
  login: 'root',
  server_id: 'n1',
  server_hostname: 'web-1',
  parties: [
    { id: 'p1', user: 'alice', mode: 'peer' },
    { id: 'p2', user: 'bob', mode: 'observer' },
  ],
} as unknown as LiveSession;

interface Now {
  /** user -> what they may do now; a user that is not here was deleted. */
  readonly users: Readonly<Record<string, { readonly logins?: readonly string[]; readonly modes?: readonly Mode[] }>>;
  readonly server?: boolean;
  /** user -> what a lock tells them. */
  readonly locked?: Readonly<Record<string, string>>;
  readonly broken?: Error;
  /** Why the web session behind alice's files is over. */
  readonly signedOut?: string;
  /** What roles say of copying files. */
  readonly sshFileCopy?: boolean;
  /** What roles say of asking for access. */
  readonly strategy?: Rights['requests']['strategy']['type'];
  readonly keyPolicy?: KeyPolicy;
}
const both = { alice: { logins: ['root'] }, bob: { modes: ['observer'] as const } };
const opened: { dispose(): void }[] = [];
/** Sessions that were told to be cut short. */
const cut: string[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.dispose();
});

/** What one check does once a change was told. */
async function checked(now: Now): Promise<readonly string[]> {
  const done: string[] = [];
  const checked = Promise.withResolvers<void>();
  const changes = createChanges((problem, error) => void done.push(`${problem}: ${String(error)}`));
  const userOf = (name: string): UserRecord | null => {
    if (now.broken) throw now.broken;
    return name in now.users ? ({ id: name, name, roles: ['ops'] as readonly string[] } as UserRecord) : null;
  };
  const ports: WatchPorts = {
    agentNow: async () => 'there are no agents here',
    sessions: {
      list: () => [
        { session, ownerId: 'alice', ownerRoles: ['access'], accessRequests: [], mfaDevices: [], trustedDevice: '' },
      ],
      forbid: (sid, why) => done.push(`end ${sid}: ${why}`) > 0,
      showOut: (sid, party) => void done.push(`show ${party} out of ${sid}`),
      follow: (sid, { roles }) => void done.push(`${sid} follows ${roles.join()}`),
    },
    passages: { list: () => [] },
    files: {
      list: () =>
        now.signedOut === undefined && now.sshFileCopy === undefined
          ? []
          : [
              {
                sid: 'files',
                since: new Date(),
                lastUsed: new Date(),
                who: { user: 'alice', userId: 'alice', webSessionId: 'w', grants: [] } as unknown as Who,
                target: { id: 'n1', hostname: 'web-1' } as Target,
                login: 'root',
                devices: [],
              },
            ],
      forbid: (sid, why) => void done.push(`break off ${sid}: ${why}`),
    },
    webSessionOver: async () => now.signedOut ?? null,
    findDevice: async () => null,
    deviceRefusal: () => null,
    store: {
      users: {
        get: async name => userOf(name),
        byId: async id => userOf(id),
      },
      resources: { get: async () => (now.server === false ? null : ({ labels: {} } as never)) },
      sessionPlaces: { keep: async () => ['ours'], prune: async () => ['theirs'] },
    },
    assumed: async ({ name, roles }) => ({
      roles,
      traits: {},
      grants: [],
      rights: {
        logins: () => now.users[name]?.logins ?? [],
        joinModes: () => now.users[name]?.modes ?? [],
        requests: { strategy: { type: now.strategy ?? 'optional' } },
        options: { locking: 'best_effort', sshFileCopy: now.sshFileCopy ?? true, keyPolicy: now.keyPolicy ?? 'none' },
      } as unknown as Rights,
    }),
    barring: async ({ user }) => now.locked?.[user] ?? null,
    changes,
    policy: { held: () => ['sid'] },
    gatewayId: 'here',
    cutShort: sids => void cut.push(...sids),
    report: (problem, error) => void done.push(`${problem}: ${error instanceof Error ? error.message : error}`),
  };
  opened.push(openPolicyWatch(ports));
  changes.emit({ kind: 'roleChanged', role: 'ops' });
  setImmediate(() => checked.resolve());
  await checked.promise;
  return done;
}

test('at the first look, what an earlier life of the gateway left is told of, and what other gateways left', async () => {
  cut.splice(0);
  await checked({ users: both });
  expect(cut).toEqual(['ours', 'theirs']);
});

test('a session whose people may go on follows what its owner has now', async () => {
  expect(await checked({ users: both })).toEqual(['sid follows ops']);
});

test('a session ends when its owner was deleted', async () => {
  expect(await checked({ users: { bob: both.bob } })).toEqual([
    'end sid: The session was ended: user alice was deleted.',
  ]);
});

test('a session ends with the words of a lock on its owner, and whoever else is locked is shown out with theirs', async () => {
  expect(await checked({ users: both, locked: { alice: 'Your access is locked.' } })).toEqual([
    'end sid: The session was ended. Your access is locked.',
  ]);
  expect(await checked({ users: both, locked: { bob: 'Access with the role ops is locked.' } })).toEqual([
    'show p2 out of sid',
    'sid follows ops',
  ]);
});

test('a session ends when its owner may no longer use that login on that server', async () => {
  expect(await checked({ users: { ...both, alice: { logins: ['app'] } } })).toEqual([
    'end sid: The session was ended: alice may no longer log in to web-1 as root.',
  ]);
});

test('a session ends when its owner must have an approved access request and uses none any more', async () => {
  expect(await checked({ users: both, strategy: 'always' })).toEqual([
    'end sid: The session was ended. Your roles ask for an access request that is approved and in use before you open anything (request_access).',
  ]);
});

test('a session ends when a role of its owner asks for keys in hardware', async () => {
  expect(await checked({ users: both, keyPolicy: 'hardware_key' })).toEqual([
    `end sid: The session was ended. Your roles ask for private keys that are kept in hardware (require_session_mfa: hardware_key). ${NO_HARDWARE_KEYS}`,
  ]);
});

test('a session goes on when its server was taken out of the list', async () => {
  expect(await checked({ users: both, server: false })).toEqual(['sid follows ops']);
});

test.each([
  ['were deleted', { alice: both.alice }],
  ['may no longer join', { ...both, bob: { modes: [] } }],
  ['may only join in another way', { ...both, bob: { modes: ['moderator' as const] } }],
])('those who %s are shown out, and the session goes on', async (_name, users) => {
  expect(await checked({ users })).toEqual(['show p2 out of sid', 'sid follows ops']);
});

test.each([
  ['its web session is over', { sshFileCopy: true, signedOut: 'You have signed out.' }, 'You have signed out.'],
  [
    'its person was locked',
    { sshFileCopy: true, locked: { alice: 'Your access is locked.' } },
    'The session was ended. Your access is locked.',
  ],
  [
    'its login was taken away',
    { sshFileCopy: true, users: { ...both, alice: { logins: ['app'] } } },
    'The session was ended: alice may no longer log in to web-1 as root.',
  ],
  ['files may not be copied any more', { sshFileCopy: false }, 'Your roles do not let you copy files (ssh_file_copy).'],
])('what goes over a connection to files is broken off when %s', async (_name, now, why) => {
  expect((await checked({ users: both, ...now })).at(-1)).toBe(`break off files: ${why}`);
});

test('a check that cannot be made ends nothing and is heard of', async () => {
  expect(await checked({ users: both, broken: new Error('the store is away') })).toEqual([
    'whether running sessions may go on could not be judged: the store is away',
  ]);
});
