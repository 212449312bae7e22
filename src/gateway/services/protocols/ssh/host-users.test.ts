// Users made for sessions by a real sshd, sudo and useradd, on a machine whose /etc is its own.
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnMachine, openOwnMachine } from '../../../../../e2e/rigs/own-machine.ts';
import type { HostUser, Target } from '../../../ports/servers.ts';
import { createDirectReach } from '../../reach/direct.ts';
import { watchShell } from '../../shell-watch.testing.ts';
import { createAuthority } from './authority.ts';
import { createSshConnector } from './connector.ts';
import { withHostUsers } from './host-users.ts';

const authority = createAuthority(generateKeyPairSync('ed25519').privateKey, 'test');
const troubles: string[] = [];
const connector = withHostUsers(
  createSshConnector({ reach: createDirectReach(), authority, audit: { emit: async () => undefined } }),
  (problem, error) => void troubles.push(`${problem}: ${error}`),
);
let machine: OwnMachine;
let target: Target;
beforeAll(async () => {
  const script = new URL('../../../../cli/machine/prepare-users.sh', import.meta.url);
  machine = await openOwnMachine({
    trustedUserCa: authority.trustedUserCaLine(),
    prepare: readFileSync(script, 'utf8'),
  });
  target = {
    ...{ id: 'b7', hostname: 'db-3', subKind: 'openssh', labels: { users: 'made' } },
    addr: `127.0.0.1:${machine.port}`,
    hostKeys: [machine.hostKey],
  };
}, 60_000);
afterAll(() => machine.dispose());

const open = async (login: string, hostUser: HostUser, command: string) =>
  watchShell(
    await connector.open(target, {
      ...{ user: 'alice', sid: 'b1f5', login, size: { cols: 80, rows: 24 }, ttlMs: 60_000, hostUser, command },
      wish: { term: null, env: {} },
    }),
  );
const passwd = (): string => machine.run('cat /etc/passwd');
const drop: HostUser = { mode: 'drop', groups: [], sudoers: [] };

test('a user is made with its groups and what sudo lets it do, and is gone with all of it, and what it left running, after the last of its sessions', async () => {
  const wanted: HostUser = {
    mode: 'drop',
    groups: ['staff', 'made-here'],
    sudoers: ['ALL=(root) NOPASSWD: /usr/bin/id'],
  };
  const first = await open(
    'deploy',
    wanted,
    'id -un; id -Gn; sudo -n id -u; sleep 6174 > /dev/null 2>&1 & echo; read line',
  );
  const second = await open('deploy', wanted, 'echo there; read line');
  await first.sees('deploy\ndeploy staff made-here\n0\n');
  await second.sees('there');
  expect(machine.run('cat /etc/sudoers.d/postern-deploy')).toBe('deploy ALL=(root) NOPASSWD: /usr/bin/id\n');
  first.shell.close();
  await expect.poll(() => machine.run('ls /run/postern/users/deploy').trim().split('\n').length).toBe(1);
  expect(passwd()).toContain('\ndeploy:');
  second.shell.close();
  // The line of the user goes first, its home and what is known of it after: each for itself.
  const left = 'grep deploy: /etc/passwd; ls /etc/sudoers.d /home /run/postern/users /var/lib/postern/users';
  await expect.poll(() => machine.run(`${left}; :`), { timeout: 10_000 }).not.toContain('deploy');
  expect(machine.run('pgrep -fx "sleep 6174" || :')).toBe('');
  expect(troubles).toEqual([]);
});

test('a user that is to stay stays, without what sudo let it do; one that was there is left alone', async () => {
  const stays: HostUser = { mode: 'keep', groups: [], sudoers: ['ALL=(ALL) NOPASSWD: ALL'] };
  const kept = await open('keeper', stays, 'sudo -n id -u');
  await kept.sees('0\n');
  await expect.poll(() => machine.run('ls /etc/sudoers.d')).not.toContain('keeper');
  expect(passwd()).toContain('\nkeeper:');
  machine.run("useradd --create-home --password '*' old");
  const before = passwd();
  const there = await open('old', { ...drop, groups: ['staff'], sudoers: ['ALL=(ALL) ALL'] }, 'id -Gn');
  await there.sees('old\n');
  expect([passwd(), machine.run('id -Gn old'), machine.run('ls /etc/sudoers.d')]).toEqual([
    before,
    'old\n',
    expect.not.stringContaining('old'),
  ]);
});

test('what a server must not do is refused in words, and leaves nothing behind', async () => {
  await expect(open('bad', { ...drop, sudoers: ['ALL=(ALL) NOPASSWD ALL'] }, 'id')).rejects.toThrow(
    'db-3 was to make the user bad (create_host_user): sudo does not take host_sudoers',
  );
  await expect(open('bad', { ...drop, sudoers: ['ALL=(ALL) \\'] }, 'id')).rejects.toThrow('ends with a backslash');
  await expect(open('bad', { ...drop, groups: ['a,b'] }, 'id')).rejects.toThrow('is no name of a group');
  await expect.poll(passwd, { timeout: 10_000 }).not.toContain('\nbad:');
  // Names that are made nowhere go the way of any login: the server does not know them.
  await expect(open('../etc', drop, 'id')).rejects.toThrow('does not');
  const raw = (words: string): string => machine.run(`/usr/local/lib/postern/host-user '${words}' 2>&1 || :`);
  for (const words of [
    '',
    'begin',
    'begin a -x drop - -',
    'begin a root;id drop - -',
    'end a $(id)',
    'begin ../a b drop - -',
  ])
    expect(raw(words), words).toMatch(/not understood|is no name that is made here|parameter not set/);
  expect(raw('begin abc root drop staff -')).toBe('kept\n');
  expect(machine.run('id -Gn root')).toBe('root\n');
  expect(machine.run('ls /var/lib/postern/users')).toBe('keeper\n');
});

test('users whose end nobody told, such as those of a gateway that was killed, go with the next session', async () => {
  machine.run("/usr/local/lib/postern/host-user 'begin aa lost drop - -'");
  machine.run("touch -d '1 hour ago' /run/postern/users/lost/aa");
  const next = await open('another', drop, 'echo hello');
  await next.sees('hello');
  expect(passwd()).not.toContain('\nlost:');
});
