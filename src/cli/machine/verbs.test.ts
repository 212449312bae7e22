// Verbs as they are typed, on a folder that no gateway runs on.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSshd } from '../../../e2e/rigs/sshd.ts';
import { openStore } from '../../gateway/store/open.ts';
import { readLine, typedOf } from '../read.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { machineRows } from './verbs.ts';

// Real processes and stores: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
let gateway: Gateway;
const settings = (...more: string[]) => [
  '--data',
  folder,
  '--public-url',
  'https://console.example.com',
  ...(more.length > 0 ? more : ['--cluster-name', 'box']),
];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-verbs-'));
  gateway = await openGateway(settings());
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a typed line and answers what it printed; `says` is what a person answers when asked. */
async function type(...words: readonly string[]): Promise<string> {
  return typeAndSay(null, ...words);
}
async function typeAndSay(says: boolean | null, ...words: readonly string[]): Promise<string> {
  const line = readLine(words, machineRows);
  const [verb] = line.rows;
  if (verb === undefined) throw new Error('no verb');
  const printed: string[] = [];
  await verb.run(typedOf(verb, line), gateway, {
    print: text => void printed.push(text),
    ask: says === null ? null : async () => says,
  });
  return printed.join('\n');
}
const events = async (kind: string) => {
  await gateway.close();
  const store = await openStore({ kind: 'sqlite', folder });
  const found = await store.events.search({
    from: new Date(0),
    to: new Date('2100-01-01'),
    limit: 100,
    types: [kind],
    descending: false,
  });
  await store.close();
  gateway = await openGateway(settings());
  return found.events.map(event => event.raw);
};

test('users are invited, invited once, and reset; the log names who did it', async () => {
  const invite = await type('users', 'add', 'ann', '--roles', 'access, auditor', '--logins', 'root,ann');
  expect(invite).toMatch(
    /^https:\/\/console\.example\.com\/web\/invite\/\S{32,}\nThe link is for ann, works once, and until /,
  );
  await expect(type('users', 'add', 'ann', '--roles', 'access')).rejects.toMatchObject({ code: 'exists' });
  await expect(type('users', 'add', 'bob', '--roles', 'nothing')).rejects.toThrow('role "nothing" is not known');
  await expect(type('users', 'add', 'a/b', '--roles', 'access')).rejects.toThrow('name: no slashes');
  expect(await type('users', 'reset', 'ann')).toContain('/web/reset/');
  await expect(type('users', 'reset', 'eve')).rejects.toThrow('user "eve" not found');
  expect(await events('user.create')).toMatchObject([
    { name: 'ann', user: expect.stringMatching(/^system:./), roles: ['access', 'auditor'] },
  ]);
});

test('a host that does not answer is named, and nothing is added', async () => {
  await expect(type('servers', 'add', '127.0.0.1:1', '--yes')).rejects.toThrow('127.0.0.1');
  await expect(type('servers', 'add', 'bad host', '--yes')).rejects.toThrow('addr: host or host:port');
  await expect(type('servers', 'remove', 'nothing')).rejects.toThrow('no server is called "nothing"');
  await expect(type('servers', 'remove', (await type('servers', 'list')).split(' ')[0] ?? '')).rejects.toThrow(
    'this is the machine the gateway runs on',
  );
});

test('a server is added when its fingerprint is the one that was given, or a person says so', async () => {
  const ca = await type('ca', 'export');
  const sshd = await openSshd({ trustedUserCa: ca });
  const address = `${sshd.host}:${sshd.port}`;
  try {
    await expect(type('servers', 'add', address)).rejects.toThrow('there is no terminal to ask on');
    await expect(type('servers', 'add', address, '--fingerprint', 'SHA256:other')).rejects.toThrow(
      'That is not SHA256:other: nothing was added.',
    );
    await expect(typeAndSay(false, 'servers', 'add', address)).rejects.toThrow('Nothing was added.');
    expect((await type('servers', 'list')).split('\n')).toHaveLength(1);
    await expect(type('servers', 'add', address, '--yes', '--label', 'postern.internal/x=y')).rejects.toThrow(
      'labels: "postern.internal/x"',
    );
    const added = await type(
      'servers',
      'add',
      address,
      '--fingerprint',
      sshd.fingerprint,
      '--name',
      'db-3',
      '--label',
      'env=prod',
      '--label',
      'tier=a=b',
    );
    expect(added).toContain(sshd.fingerprint);
    expect(await type('servers', 'list')).toMatch(new RegExp(`db-3 +${address} +\\S+ +env=prod tier=a=b`));
    expect(await typeAndSay(true, 'servers', 'add', address, '--name', 'db-4')).toContain('Added db-4');
    expect(await type('servers', 'remove', 'db-4')).toContain('Removed db-4');
    await expect(type('servers', 'remove', 'db-4')).rejects.toThrow('no server is called "db-4"');
  } finally {
    await sshd.dispose();
  }
  expect(await events('instance.join')).toMatchObject([
    { method: 'local' },
    { method: 'command-line', node_name: 'db-3', user: expect.stringMatching(/^system:./) },
    { node_name: 'db-4' },
  ]);
});

test('alerts are added, listed and removed', async () => {
  expect(await type('alerts', 'list')).toBe('There are no alerts.');
  await type('alerts', 'add', '--severity', '7', '--message', 'Maintenance at noon', '--link', 'https://example.com/');
  const [id = ''] = (await type('alerts', 'list')).split(' ');
  expect(await type('alerts', 'list')).toBe(`${id}  7  Maintenance at noon  https://example.com/`);
  await expect(
    type('alerts', 'add', '--severity', '7', '--message', 'x', '--link', 'javascript:alert(1)'),
  ).rejects.toThrow('link: ');
  await type('alerts', 'add', '--severity', '1', '--message', 'The card ends soon', '--billing');
  expect(await type('alerts', 'list')).toContain('The card ends soon');
  await type('alerts', 'remove', id);
  await expect(type('alerts', 'remove', id)).rejects.toThrow('there is no alert');
});

test('an event that was changed on disk is found', async () => {
  expect(await type('audit', 'verify')).toContain('The audit log is whole');
  await gateway.close();
  const file = join(folder, 'postern.db');
  const bytes = await readFile(file);
  const at = bytes.indexOf('"method":"local"');
  expect(at).toBeGreaterThan(0);
  bytes.write('lucal', at + 10);
  await writeFile(file, bytes);
  gateway = await openGateway(settings());
  await expect(type('audit', 'verify')).rejects.toThrow('event number');
  await expect(type('audit', 'verify', '--anchors', join(folder, 'none'))).rejects.toThrow('no such file');
  await expect(type('audit', 'verify', '--anchors', file)).rejects.toThrow(
    'is not an anchor that cluster box has signed',
  );
});

test('a recording that is not there is not whole', async () => {
  await expect(type('recordings', 'verify', '00000000-0000-4000-8000-000000000000')).rejects.toThrow(
    'there is no recording',
  );
  await expect(type('recordings', 'verify', '../../etc/passwd')).rejects.toMatchObject({ code: 'bad_request' });
});

test('recordings are held with a reason until they are released', async () => {
  await expect(type('recordings', 'hold', '--user', 'ann')).rejects.toThrow('--reason: say why');
  await expect(type('recordings', 'hold', '--reason', 'x')).rejects.toThrow('a session, a user, a host or a label');
  const [, id = ''] = /\((.*)\)/.exec(await type('recordings', 'hold', '--user', 'ann', '--reason', 'case 7')) ?? [];
  expect(await type('recordings', 'holds')).toContain('case 7');
  expect(await type('recordings', 'expire', '--dry-run')).toBe('Would remove 0; 0 more are held.');
  expect(await type('recordings', 'release', id, '--reason', 'closed')).toBe('Released: user ann.');
  expect(await type('recordings', 'holds')).toBe('Nothing is held.');
});

test('a cluster keeps its name, and a folder that was refused is not left locked', async () => {
  await gateway.close();
  await expect(openGateway(settings('--cluster-name', 'other'))).rejects.toThrow(
    'cluster-name: "other": this store belongs to cluster "box"',
  );
  gateway = await openGateway(settings('--cluster-name', 'box'));
});

test('a lock is made, listed and taken away, and "can" answers with its status and, asked why, with the rules', async () => {
  await type('users', 'add', 'alice', '--roles', 'access', '--logins', 'root');
  const [server = ''] = (await type('servers', 'list')).split(/\s/);
  expect(await type('can', 'alice', 'ssh', `root@${server}`, '--why')).toMatch(
    /^alice may use root on \S+ \(ssh\)\.\n {2}Role access allows root here \(logins, node_labels\)\. \(role access, line \d+\)$/,
  );
  await expect(type('can', 'alice', 'ssh', `oracle@${server}`)).rejects.toMatchObject({
    name: 'Refused',
    status: 1,
    message: `alice may not use oracle on ${server} (ssh).`,
  });
  await expect(type('can', 'alice', 'fly', 'x@y')).rejects.toThrow('one of ssh, db, kube, desktop, app, list, ');
  expect(await type('can', 'alice', 'list', 'roles', '--why').catch(String)).toMatch(
    /alice may not do "list" on role\.\n {2}No role allows "list" on role/,
  );
  await expect(type('can', 'alice', 'list', 'moons')).rejects.toThrow('"moons": a kind that rules are about expected');
  expect(await type('lock', 'alice', '2h', 'left', 'laptop in a taxi')).toMatch(/^Locked user alice \(\S+\) until /);
  const end = `${new Date().getFullYear() + 2}-12-24`;
  const both = await type('lock', 'role:editor,login:deploy', '--expires', end, 'Ask', 'me');
  expect(both.replaceAll(/\(\S+\) /g, '')).toBe(
    `Locked role editor until ${end} 00:00 UTC.\nLocked login deploy until ${end} 00:00 UTC.`,
  );
  await expect(type('lock', 'bob', '--expires', '2001-01-01')).rejects.toThrow('an end to come such as');
  await expect(type('can', 'alice', 'ssh', `root@${server}`, '--why')).rejects.toThrow(
    /locked until .*: left laptop in a taxi/,
  );
  await expect(type('lock', 'planet:mars')).rejects.toThrow('"planet" is nothing that can be locked');
  const listed = await type('locks', 'list');
  expect(listed).toContain('left laptop in a taxi');
  expect(listed).toContain(`role editor   ${end} 00:00 UTC`);
  expect(await type('unlock', 'role:editor')).toBe('The lock on role editor has been taken away.');
  await expect(type('unlock', 'role:editor')).rejects.toThrow('there is no lock "role:editor"');
  for (const id of listed.match(/^[0-9a-f-]{36}(?= +(?:user|login))/gm) ?? []) await type('unlock', id);
  expect(await type('locks', 'list')).toBe('Nothing is locked.');
});
