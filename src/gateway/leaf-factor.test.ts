// A role of a leaf that asks for a second factor for each session: a person of the root shows it there, and the leaf takes the root's signed word for it, once.
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type HostileLeaf, openHostileLeaf } from '../../e2e/rigs/hostile-leaf.ts';
import { type LeafPair, openLeafPair } from '../../e2e/rigs/leaf.ts';
import type { Challenge } from '../contract/mfa.ts';
import type { Node } from '../contract/nodes.ts';
import { createChecking } from './services/trust/assertion.ts';
import { enrolSoftwareKey, type SoftwareKey } from './software-key.testing.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });
const LOGIN = userInfo().username;
const MAP = '[{remote: access, local: [access, touched]}]';
const TOUCHED =
  "kind: role\nversion: v7\nmetadata: {name: touched}\nspec: {options: {require_session_mfa: true}, allow: {logins: ['*'], node_labels: {'*': '*'}}}\n";

let pair: LeafPair;
let key: SoftwareKey;
let server: string;
beforeAll(async () => {
  pair = await openLeafPair('[{remote: access, local: [access]}]', undefined, ['--second-factor', 'optional']);
  await pair.apply('leaf', TOUCHED);
  await pair.map(MAP);
  const { ann } = pair;
  key = await enrolSoftwareKey(pair.root.url, ann.call);
  const { items } = (await ann.call('GET', 'sites/acme-eu/nodes')) as { items: Node[] };
  server = items[0]?.id ?? '';
});
afterAll(() => pair?.dispose());

const asked: Challenge[] = [];
const shell = (more: { sid?: string; cluster?: string; isForged?: boolean } = {}) => {
  const { isForged, ...where } = more;
  return pair.ann.shell({
    ...{ cluster: 'acme-eu', server_id: server, login: LOGIN, ...where },
    answer(challenge) {
      const read = JSON.parse(challenge) as Challenge;
      asked.push(read);
      return JSON.stringify(key.get(read, isForged ? { isForged } : {}));
    },
  });
};
async function events(who: 'ann' | 'ben', cluster: string, code: string): Promise<readonly Record<string, unknown>[]> {
  const { events: found } = (await pair[who].call('GET', `sites/${cluster}/events/search?limit=500`)) as {
    events: Record<string, unknown>[];
  };
  return found.filter(event => event.code === code);
}

test('a shell at the leaf begins after a touch that the root has asked for; the leaf names the device as the root’s, and coming back asks nothing', async () => {
  const open = await shell();
  expect(asked.splice(0).map(({ webauthn_challenge }) => webauthn_challenge?.publicKey.rpId)).toEqual(['localhost']);
  open.send('echo on-$((40+2))\n');
  await open.until('on-42');
  const again = await shell({ sid: open.sid });
  expect(asked).toEqual([]);
  again.send('echo again-$((40+2))\n');
  await open.until('again-42');
  open.send('exit\n');
  // What the leaf closes with comes through as it is.
  expect((await open.closed).code).toBe(1000);
  await again.closed;
  await expect
    .poll(async () => (await events('ben', 'acme-eu', 'T2000I')).map(({ user, with_mfa }) => `${user} ${with_mfa}`), {
      timeout: 10_000,
    })
    .toEqual([expect.stringMatching(/^hub\/admin \/hub\/[0-9a-f-]{36}$/)]);
});

test('a forged answer opens nothing, and the leaf never hears of it', async () => {
  const before = await events('ben', 'acme-eu', 'T2000I');
  await expect(shell({ isForged: true })).rejects.toThrow('The hardware key was not accepted.');
  expect(await events('ben', 'acme-eu', 'T2000I')).toEqual(before);
});

test('more output than a slow reader takes comes whole through the socket that has asked', async () => {
  const open = await shell();
  open.send('seq 1 200000 | tail -c 1000000; echo done-$((40+2))\n');
  await open.until('done-42');
  expect(open.received()).toBeGreaterThan(1_000_000);
  open.send('exit\n');
  await open.closed;
});

test('a lock at the leaf ends what a touch has opened, in words', async () => {
  const open = await shell();
  const lock = (await pair.ben.call('PUT', 'sites/acme-eu/locks', {
    targets: { user: 'hub/admin' },
    message: 'looked at',
    ttl: '1h',
  })) as { name: string };
  expect(await open.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('looked at') });
  await expect(shell()).rejects.toThrow('refused');
  await pair.ben.call('DELETE', `sites/acme-eu/locks/${lock.name}`);
});

test('nobody from a root moderates where a role asks for a second factor: it would have to be shown again and again', async () => {
  await pair.apply(
    'leaf',
    "kind: role\nversion: v7\nmetadata: {name: watching}\nspec: {allow: {join_sessions: [{name: all, roles: ['*'], kinds: [ssh], modes: [moderator]}]}}\n",
  );
  await pair.map('[{remote: access, local: [access, touched, watching]}]');
  const open = await pair.ben.shell({ server_id: server, login: LOGIN });
  asked.length = 0;
  await expect(shell({ sid: open.sid })).rejects.toThrow('refused');
  expect(asked).toEqual([]);
  // As the console asks why.
  const params = { ...{ server_id: '', login: '', sid: open.sid, mode: '' }, term: { h: 24, w: 80 } };
  const query = `access_token=${pair.ann.bearer}&params=${encodeURIComponent(JSON.stringify(params))}`;
  await expect(pair.ann.call('GET', `sites/acme-eu/connect?${query}`)).rejects.toThrow(
    'cannot be shown through your root cluster',
  );
  open.send('exit\n');
  await open.closed;
  await pair.map(MAP);
});

const touch = async (): Promise<string> => {
  const challenge = (await pair.ann.call('POST', 'mfa/authenticatechallenge')) as Challenge;
  return encodeURIComponent(JSON.stringify({ webauthnAssertionResponse: key.get(challenge) }));
};
test('a file is read after one touch, which is good for one reading; several are proven by one', async () => {
  const file = join(pair.leaf.folder, 'told');
  writeFileSync(file, 'to whoever has touched');
  const place = `sites/acme-eu/nodes/${server}/${LOGIN}/scp`;
  const { cookie, bearer } = pair.ann;
  const read = async (more: string) => {
    const url = `${pair.root.url}/v1/webapi/${place}?location=${encodeURIComponent(file)}${more}`;
    const answer = await fetch(url, { headers: { cookie, authorization: `Bearer ${bearer}` } });
    return `${answer.status} ${await answer.text()}`;
  };
  expect(await read('')).toContain('MFA required for file transfer');
  const webauthn = await touch();
  expect(await read(`&webauthn=${webauthn}`)).toBe('200 to whoever has touched');
  expect(await read(`&webauthn=${webauthn}`)).toContain('The hardware key was not accepted.');
  const transfers = [{ download: true, location: file }];
  const { set } = (await pair.ann.call('POST', `${place}/set`, {
    ...{ transfers, webauthn: decodeURIComponent(await touch()) },
  })) as { set: string };
  expect(await read(`&set=${set}`)).toBe('200 to whoever has touched');
  expect(await read(`&set=${set}`)).toMatch(/^403/);
});

async function newEvil(): Promise<HostileLeaf> {
  const { id } = (await pair.ann.call('POST', 'token', { roles: ['Trusted_cluster'], uses: 1 })) as { id: string };
  const evil = await openHostileLeaf({
    ...{ url: pair.root.url, rootName: 'hub', tunnelPort: pair.ports.root.ssh, token: id, name: 'evil' },
  });
  await vi.waitFor(
    async () => {
      const clusters = (await pair.ann.call('GET', 'sites')) as { name: string; status: string }[];
      expect(clusters.find(({ name }) => name === 'evil')?.status).toBe('online');
    },
    { timeout: 20_000 },
  );
  return evil;
}
test('a leaf that asks again and again gets one word of the root, for itself alone and for once, and nothing of what the key has said', async () => {
  const evil = await newEvil();
  try {
    const heard: string[] = [];
    evil.upgrade((request, socket) => {
      heard.push(JSON.stringify([request.url, request.headers]));
      socket.end('HTTP/1.1 403 No\r\npostern-factor-asked: session\r\ncontent-length: 0\r\n\r\n');
    });
    asked.length = 0;
    await expect(shell({ cluster: 'evil' })).rejects.toThrow('cluster "evil" refuses this, with status 403');
    expect(asked).toHaveLength(1);
    expect(heard).toHaveLength(2);
    const challenge = asked[0]?.webauthn_challenge?.publicKey.challenge ?? 'none';
    expect(heard.join()).not.toContain(challenge);
    expect(heard.join()).not.toContain('signature');

    const said = evil.factors.at(-1) ?? '';
    const who = evil.vouched.at(-1) ?? '';
    const root = { name: 'hub', key: evil.identityKey };
    const checking = createChecking('evil');
    expect(await checking.readFactor(said, root)).toMatchObject({ device: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await checking.readFactor(said, root)).toBeNull();
    expect(await createChecking('acme-eu').readFactor(said, root)).toBeNull();
    expect(await createChecking('evil').readFactor(said, { ...root, name: 'other' })).toBeNull();
    const { publicKey } = generateKeyPairSync('ed25519');
    const other = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expect(await createChecking('evil').readFactor(said, { ...root, key: other })).toBeNull();
    // Neither stands for the other.
    expect(await createChecking('evil').readFactor(who, root)).toBeNull();
    expect(await createChecking('evil').read(said, root)).toBeNull();
  } finally {
    await evil.dispose();
  }
});
