import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostNameOf } from '../src/contract/address.ts';
import { compareHostKey, createNode, probeHostKey, trustHostKey } from '../src/contract/host-keys.ts';
import { deleteNode } from '../src/contract/nodes.ts';
import { person } from '../src/features/person.testing.ts';
import { choiceOf, textChoice } from './answer.ts';
import type { Given } from './command.ts';
import { commandById, commands } from './index.ts';
import { readWhole } from './read.ts';
import { readLabels, wrongAddress } from './servers.ts';
import { factsWith, type Made, recorder } from './tools.testing.ts';

const hostKey = { type: 'ssh-ed25519', fingerprint: 'SHA256:abc', publicKey: 'ssh-ed25519 AAAA' };
const reply = ({ call, body }: Made): unknown => {
  if (call === probeHostKey) return { addr: 'db-3:22', hostKey };
  if (call === createNode) return { ...(body as object), id: 'n1' };
  return { message: 'ok' };
};

test.each(['db-3', 'db-3.example.com:22', '10.0.0.1:2222', '[::1]', '[fe80::1]:22', ' db-3 '])(
  '"%s" is an address',
  typed => expect(wrongAddress(typed)).toBeUndefined(),
);
test.each([
  '',
  'db 3',
  'db-3:',
  'db-3:0',
  'db-3:65536',
  'db-3:ssh',
  '::1',
  'root@db-3',
  'http://db-3',
  'db-3/x',
  'db-3:123456',
])('"%s" is none, and it is said what is', typed => {
  expect(wrongAddress(typed)).toMatch(/host|port/);
});

test('every address that passes here passes the contract, and gives a name that does', () => {
  const parts = fc.tuple(
    fc.constantFrom('db-3', 'a.b.c', '10.0.0.1', '[::1]', '[2001:db8::7]'),
    fc.option(fc.integer({ min: 1, max: 65_535 })),
  );
  fc.assert(
    fc.property(parts, ([host, port]) => {
      const addr = port === null ? host : `${host}:${port}`;
      expect(wrongAddress(addr)).toBeUndefined();
      const body = { subKind: 'openssh', hostname: hostNameOf(addr), addr, labels: [], hostKey: 'k' };
      expect(createNode.parts.body.safeParse(body).success).toBe(true);
      expect(probeHostKey.parts.body.safeParse({ addr }).success).toBe(true);
    }),
  );
});

test.each(['servers.add', 'servers.remove'])(
  '%s works in the root cluster only, and says the missing right first',
  id => {
    const refused = (facts: Parameters<typeof factsWith>[0]) => commandById(id)?.blocked?.(factsWith(facts));
    expect(refused({})).toBeUndefined();
    expect(refused({ clusterId: 'leaf' })).toBe('This works in the root cluster main only');
    expect(refused({ clusterId: 'leaf', who: person() })).toContain('None of your roles allows');
  },
);

test('labels are read with quotes, dots and slashes', () => {
  expect(readLabels('env=prod  team="data base" a.b/c=')).toEqual([
    { name: 'env', value: 'prod' },
    { name: 'team', value: 'data base' },
    { name: 'a.b/c', value: '' },
  ]);
  expect(readLabels('')).toEqual([]);
});
test.each<[string, string]>([
  ['env', '"env" is not name=value'],
  ['env=prod prod', '"prod" is not name=value'],
  ['=x', 'is not name=value'],
  ['env=a env=b', 'The label env is there twice'],
  ['env="open', 'is not name=value'],
  ['en v=1', '"en v=1" is not name=value'],
  [Array.from({ length: 65 }, (_one, index) => `l${index}=x`).join(' '), 'at most 64 labels'],
])('"%s" is refused: %s', (typed, said) => expect(readLabels(typed)).toContain(said));

test('a server is added with the key that was shown, its labels, and a name from its address', async () => {
  const add = commandById('servers.add');
  const { tools, made, done } = recorder(reply);
  const [, keyQuestion] = add?.args ?? [];
  const address = textChoice('db-3:22');
  const [key] = (await keyQuestion?.choices('', { address }, factsWith(), tools)) ?? [];
  expect(key).toMatchObject({ title: 'SHA256:abc', value: 'ssh-ed25519 AAAA' });
  expect(key?.detail).toContain('db-3:22');
  const given: Given = { address, hostKey: key ?? textChoice(''), labels: textChoice('env=prod') };
  await add?.run(given, factsWith(), tools);
  expect(made.at(-1)).toMatchObject({
    call: createNode,
    params: { clusterId: 'main' },
    body: {
      subKind: 'openssh',
      hostname: 'db-3',
      addr: 'db-3:22',
      labels: [{ name: 'env', value: 'prod' }],
      hostKey: 'ssh-ed25519 AAAA',
    },
  });
  expect(done).toEqual(['notify db-3 has been added', 'go nodes {"clusterId":"main"}']);
});

test('the host key has no free answer: it is confirmed or it is not', () => {
  const question = commandById('servers.add')?.args?.find(arg => arg.name === 'hostKey');
  expect(question?.free).toBeUndefined();
  expect(question?.sole).toBeUndefined();
});

test('a server is removed only after a yes that names it', async () => {
  const remove = commandById('servers.remove');
  const { tools, made, done } = recorder(reply);
  await remove?.run({ server: choiceOf({ kind: 'server', id: 'n1', title: 'db-3' }) }, factsWith(), tools);
  expect(done[0]).toContain('Remove db-3?');
  expect(made).toMatchObject([{ call: deleteNode, params: { clusterId: 'main', nodeId: 'n1' } }]);
});

test('a changed host key is trusted after both were shown, and only the one that was shown', async () => {
  const pinned = [{ type: 'ssh-ed25519', fingerprint: 'SHA256:old', publicKey: 'ssh-ed25519 OLD' }];
  const shown = { type: 'ssh-ed25519', fingerprint: 'SHA256:new', publicKey: 'ssh-ed25519 NEW' };
  const reply = () => ({ id: 'n1', hostname: 'db-3', addr: 'db-3:22', pinned, shown });
  const server = choiceOf({ kind: 'server', id: 'n1', title: 'db-3' });
  const { tools, made, done } = recorder(reply);
  await commandById('servers.trust')?.run({ server }, factsWith(), tools);
  expect(done[0]).toMatch(/SHA256:old.*SHA256:new/s);
  expect(made).toMatchObject([
    { call: compareHostKey, params: { nodeId: 'n1' } },
    { call: trustHostKey, body: { hostKey: 'ssh-ed25519 NEW', replaces: ['SHA256:old'] } },
  ]);
  const same = recorder(() => ({ ...reply(), shown: pinned[0] }));
  await commandById('servers.trust')?.run({ server }, factsWith(), same.tools);
  expect([same.made.length, same.done]).toEqual([1, ['notify db-3 shows the host key that is trusted already']]);
});

test('the sentence of a refused connection, typed as it stands, is the command', () => {
  for (const typed of ['Trust the new host key of db-3…', 'trust the new host key of db-3'])
    expect(readWhole(commands, typed, factsWith())).toMatchObject({
      command: { id: 'servers.trust' },
      answers: { server: 'db-3' },
    });
});
