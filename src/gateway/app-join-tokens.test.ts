// Join tokens: made, listed, revoked, used once by whoever is first, and never told again.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JoinToken } from '../contract/join-tokens.ts';
import type { MadeToken } from '../contract/new-join-token.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { allOf } from './services/lists.ts';

let rig: Rig;
let ann: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['editor', 'auditor'], []);
  ann = await rig.signIn('ann');
});
afterAll(() => rig.dispose());

const TOKENS = '/v1/webapi/tokens';
async function make(body: object = {}): Promise<MadeToken> {
  const { status, json } = await ann.call('POST', '/v1/webapi/token', { roles: ['Node'], ...body });
  expect([status, json]).toEqual([200, expect.anything()]);
  return json as MadeToken;
}
const listed = async (name: string) =>
  ((await ann.call('GET', TOKENS)).json as readonly JoinToken[]).find(token => token.name === name);
const use = (text: string) =>
  rig.services.tokens.use(text, 'Node').then(
    () => 'in',
    (error: Error) => error.message,
  );

// Rule 7.3: a join token
test('a token is answered once, listed without its secret, and leaves none in the store or the audit log', async () => {
  const made = await make({ labels: [{ name: 'env', value: 'prod' }], uses: 2, ttl: '1h' });
  expect(made).toMatchObject({ method: 'token', id: expect.stringMatching(/^t[0-9a-f]{10}\.[\w-]{32}$/) });
  expect(made.suggestedLabels.map(({ name }) => name)).toEqual(['env', 'postern.internal/resource-id']);
  expect(made.lines).toEqual([
    { role: 'Node', line: expect.stringMatching(`^curl -fsSL '.*/scripts/${made.id}/install-node\\.sh' \\| sudo sh$`) },
  ]);
  expect(await listed(made.name)).toMatchObject({
    roles: ['Node'],
    labels: [{ name: 'env', value: 'prod' }],
    usesLeft: 2,
    used: 0,
    createdBy: 'ann',
  });
  const [, secret = ''] = made.id.split('.');
  const row = await rig.store.resources.get('token', made.name);
  expect(JSON.stringify(row)).not.toContain(secret);
  const log = await ann.call('GET', `/v1/webapi/sites/-current-/events/search?include=join_token.create`);
  expect(log.json).toMatchObject({
    events: [expect.objectContaining({ name: made.name, roles: ['Node'], user: 'ann' })],
  });
  expect(log.body).not.toContain(secret);
});

test('of many that use the last one at the same time, one gets in; what led to nothing is given back', async () => {
  const { id, name } = await make({ uses: 1 });
  const said = await Promise.all(Array.from({ length: 12 }, () => use(id)));
  expect(said.filter(one => one === 'in')).toHaveLength(1);
  expect(new Set(said)).toEqual(new Set(['in', 'this join token has been used up: ask for another']));
  expect(await listed(name)).toMatchObject({ usesLeft: 0, used: 1 });
  await rig.services.tokens.giveBack(name);
  expect(await use(id)).toBe('in');
});

test('an unknown, a mistyped, a revoked and an ended one are refused in the same words; one for something else in its own', async () => {
  const made = await make();
  const words = 'this join token is not known here: it was mistyped, has ended, or was revoked';
  for (const text of ['', 'x', '.', `${made.id}x`, `${made.name}.`, made.name, `nobody.${made.id}`, '__proto__.x'])
    expect([text, await use(text)]).toEqual([text, words]);
  expect((await ann.call('DELETE', `${TOKENS}/${made.name}`)).status).toBe(200);
  expect((await ann.call('DELETE', `${TOKENS}/${made.name}`)).status).toBe(404);
  expect(await use(made.id)).toBe(words);
  const short = await make({ ttl: '1s' });
  await expect.poll(() => use(short.id), { timeout: 20_000 }).toBe(words);
  const other = await make({ roles: ['db', 'App'] });
  expect(await use(other.id)).toBe('this join token is for databases and applications, not for servers');
});

// Rule 7.3: sign/db
test('a database server gets its certificate with a token for databases, once, and with no other', async () => {
  const sign = (bearer: string, hostname = 'db.example.com') =>
    rig.app.inject({
      method: 'POST',
      url: '/v1/webapi/sites/-current-/sign/db',
      headers: { authorization: `Bearer ${bearer}` },
      payload: { hostname },
    });
  const { id } = await make({ roles: ['Db'], uses: 1 });
  expect((await sign(id, 'no host name')).statusCode).toBe(400);
  const signed = await sign(id);
  expect([signed.statusCode, signed.headers['content-type']]).toEqual([200, 'application/gzip']);
  expect([(await sign(id)).statusCode, (await sign(id)).body]).toEqual([403, expect.stringContaining('used up')]);
  const { id: forServers } = await make();
  expect((await sign(forServers)).body).toContain('this join token is for servers, not for databases');
  expect((await sign('x.y')).body).toContain('not known here');
});

test.each([
  [{ roles: [] }, 'at least one role'],
  [{ roles: ['Robot'] }, 'one of Node'],
  [{ roles: ['Bot'] }, 'which bot joins with it'],
  [{ roles: ['Bot', 'Node'], bot_name: 'ci' }, 'Bot stands alone'],
  [{ roles: ['Node'], join_method: 'circleci' }, 'this gateway knows no other way'],
  [{ roles: ['Node'], uses: 0 }, 'from 1'],
  [{ roles: ['Node'], ttl: '400d' }, 'at most a year'],
  [{ roles: ['Node'], labels: [{ name: 'postern.internal/tunnel', value: 'x' }] }, "the gateway's own"],
])('%j makes none', async (body, words) => {
  const { status, json } = await ann.call('POST', '/v1/webapi/token', body);
  expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(words)]);
});

test('a file makes tokens, shows them without their secret, and gives nobody another try when it is applied again', async () => {
  const secret = 'k'.repeat(40);
  const content = (more: string) =>
    `kind: token\nversion: v2\nmetadata: {name: rack-2}\nspec:\n  roles: [node]\n  uses: 1\n${more}`;
  const apply = (more: string) => rig.declared.apply([{ name: 't.yaml', content: content(more) }], { by: 'ann' });
  expect((await apply('')).problems).toEqual([expect.stringContaining('spec.secret: a new token needs one')]);
  expect((await apply(`  secret: ${secret}\n`)).problems).toEqual([]);
  expect(await use(`rack-2.${secret}`)).toBe('in');
  expect((await apply('  suggested_labels: {env: [prod]}\n')).problems).toEqual([]);
  expect(await use(`rack-2.${secret}`)).toBe('this join token has been used up: ask for another');
  expect(JSON.stringify(await rig.declared.get('token', 'rack-2'))).not.toContain(secret);
});

/** Words that would run a command wherever a shell read them as more than a word. */
const hostile = [
  "it's here'; touch ran; '",
  '"; touch ran; "',
  '$(touch ran) `touch ran`',
  'two words & touch ran',
  "\\'; touch ran #",
] as const;
/** Runs a script without a network, and answers what it said and which files it made. */
function runScript(script: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'postern script '));
  try {
    const words = ['-s', '--', '--dry-run', '--state', join(cwd, 'state')];
    const { stdout, stderr } = spawnSync('sh', words, {
      cwd,
      input: script,
      encoding: 'utf8',
      env: { PATH: '/bin:/usr/bin' },
    });
    return { said: stdout + stderr, made: readdirSync(cwd) };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
const sshKey = (): string => {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const head = Buffer.from('0000000b7373682d6564323535313900000020', 'hex');
  return `ssh-ed25519 ${Buffer.concat([head, Buffer.from(x, 'base64url')]).toString('base64')}`;
};

test('labels with spaces, quotes and commands in them reach what joins as they are, and stand in no line and no script', async () => {
  const labels = hostile.map((value, at) => ({ name: `note-${at}`, value }));
  const { id, lines } = await make({ labels, uses: 1 });
  expect(lines[0]?.line).not.toContain('touch');
  const { body: script } = await rig.app.inject({ url: `/scripts/${id}/install-node.sh` });
  expect(script).not.toContain('touch ran');
  const joined = await rig.app.inject({
    method: 'POST',
    url: `/scripts/${id}/join`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      role: 'Node',
      name: 'web-9',
      address: '192.0.2.9',
      tunnelKey: sshKey(),
      hostKey: sshKey(),
    }).toString(),
  });
  expect([joined.statusCode, joined.body]).toEqual([200, expect.stringMatching(/^name web-9\n/)]);
  expect(joined.body).not.toContain('touch');
  const items = await allOf(rig.store.resources, 'node');
  expect(items.find(({ labels: own }) => own['note-0'] !== undefined)?.labels).toMatchObject(
    Object.fromEntries(labels.map(({ name, value }) => [name, value])),
  );
});

test.each(hostile)('a label named %j is refused in words', async name => {
  for (const body of [{ labels: [{ name, value: 'x' }] }, { suggested_agent_matcher_labels: { [name]: ['x'] } }]) {
    const { status, json } = await ann.call('POST', '/v1/webapi/token', { roles: ['Node'], ...body });
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('label')]);
  }
});

// Rule 7.3: scripts below /scripts
test.each(hostile)('%j in the address of a script is a word of it, and never a command', async word => {
  const { id } = await make({ roles: ['App'] });
  const { body: script } = await rig.app.inject({
    url: `/scripts/${id}/install-app.sh`,
    query: { name: word, uri: word },
  });
  expect(script).toContain('touch ran');
  expect(runScript(script)).toEqual({ said: expect.not.stringContaining('not found'), made: [] });
  const { body: refusal } = await rig.app.inject({ url: `/scripts/${encodeURIComponent(word)}/install-app.sh` });
  expect(runScript(refusal)).toEqual({ said: expect.stringMatching(/^postern: [^\n]+\n$/), made: [] });
});

test('scripts that prepare a domain are for everybody, but for the one that a token gives', async () => {
  const at = '/v1/webapi/scripts/desktop-access';
  const answer = async (path: string) => rig.app.inject({ url: `${at}/${path}` });
  for (const name of ['install-ad-ds.ps1', 'install-ad-cs.ps1']) {
    const { statusCode, headers, body } = await answer(name);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body).toContain('Install-WindowsFeature');
  }
  const { id } = await make({ roles: ['WindowsDesktop'] });
  const { body } = await answer(`configure/${id}/configure-ad.ps1`);
  expect(body).toMatch(/^\$cluster = '[^'\n]+'$/m);
  expect(body).not.toContain(id);
  const { id: other } = await make({ roles: ['Node'] });
  for (const token of [other, "it's", 'nobody']) {
    const refused = await answer(`configure/${encodeURIComponent(token)}/configure-ad.ps1`);
    expect([refused.statusCode, refused.body]).toEqual([200, expect.stringMatching(/^throw 'postern: [^'\n]+'\n$/)]);
  }
});
