// Joining by what AWS says of a machine: the real script signs with the credentials of its role, the gateway asks a double of STS.
import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../e2e/rigs/gateway.ts';
import type { MadeToken } from '../contract/new-join-token.ts';
import type { Node } from '../contract/nodes.ts';
import { type Browser, HOST_KEY, openRig, type Rig } from './app.testing.ts';
import { type AwsOidcDouble, GIVEN, openAwsOidcDouble, STS_HOST } from './aws-oidc-double.testing.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'postern-iam-'));
let rig: Rig;
let ann: Browser;
let aws: AwsOidcDouble;
let metadata: Server;
let token: string;
const published = async <Body>(path: string): Promise<Body> => (await rig.app.inject({ url: path })).json() as Body;
const allow = [{ aws_account: '123456789012', aws_arn: 'arn:aws:sts::123456789012:assumed-role/web/i-*' }];
const make = (more: object = {}) =>
  ann.call('POST', '/v1/webapi/token', { roles: ['Node'], join_method: 'iam', allow, ...more });

beforeAll(async () => {
  aws = await openAwsOidcDouble({
    discovery: () => published('/.well-known/openid-configuration'),
    keys: () => published<JSONWebKeySet>('/.well-known/jwks-oidc'),
  });
  const port = await freePort();
  rig = await openRig({ awsEndpoint: () => aws.url, config: { publicUrl: `http://127.0.0.1:${port}` } });
  await rig.app.listen({ host: '127.0.0.1', port });
  await rig.addUser('ann', ['editor', 'access', 'auditor'], []);
  ann = await rig.signIn('ann');
  token = ((await make()).json as MadeToken).id;
  // What a machine of EC2 asks of itself (EC2 user guide, "Instance metadata", version 2: with a token).
  metadata = createServer((request, answer) => {
    const said: Readonly<Record<string, string>> = {
      'PUT /latest/api/token': 'a-session',
      'GET /latest/meta-data/placement/region': 'eu-central-1',
      'GET /latest/meta-data/iam/security-credentials/': 'web',
      'GET /latest/meta-data/iam/security-credentials/web': JSON.stringify(
        { Code: 'Success', Type: 'AWS-HMAC', AccessKeyId: GIVEN.id, SecretAccessKey: GIVEN.secret, Token: GIVEN.token },
        null,
        2,
      ),
    };
    const isIn = request.method === 'PUT' || request.headers['x-aws-ec2-metadata-token'] === 'a-session';
    const text = said[`${request.method} ${request.url}`];
    answer.writeHead(text === undefined ? 404 : isIn ? 200 : 401).end(isIn ? text : '');
  });
  metadata.listen(0, '127.0.0.1');
  await once(metadata, 'listening');
}, 30_000);
afterAll(async () => {
  metadata?.close();
  aws?.close();
  await rig?.dispose();
  rmSync(folder, { recursive: true });
});

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const challenge = async (of = token): Promise<string> =>
  (await rig.app.inject({ method: 'POST', url: `/scripts/${of}/challenge` })).body.trim();

interface Signing {
  readonly secret?: string;
  /** The challenge; a new one of the token unless said. */
  readonly given?: string;
  readonly unsigned?: string;
}
/** What a machine signs, line by line (AWS, "Create a signed AWS API request"). */
async function signed({ secret = GIVEN.secret, given, unsigned }: Signing = {}): Promise<Record<string, string>> {
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    host: STS_HOST,
    'x-amz-date': date,
    'x-amz-security-token': GIVEN.token,
    'x-postern-challenge': given ?? (await challenge()),
  };
  const names = Object.keys(headers).filter(name => name !== unsigned);
  const lines = names.map(name => `${name}:${headers[name]}\n`).join('');
  const body = hash('Action=GetCallerIdentity&Version=2011-06-15');
  const scope = [date.slice(0, 8), 'eu-central-1', 'sts', 'aws4_request'];
  const request = hash(['POST', '/', '', lines, names.join(';'), body].join('\n'));
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', date, scope.join('/'), request].join('\n')).toString('hex');
  const { 'content-type': _type, host: _host, ...sent } = headers;
  const credential = `${GIVEN.id}/${scope.join('/')}`;
  return {
    region: 'eu-central-1',
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}
let machines = 0;
/** What is answered to a machine that shows this, another one each time. */
async function joined(shown: Readonly<Record<string, string>> | string, of = token): Promise<string> {
  machines += 1;
  const lines = typeof shown === 'string' ? shown : Object.entries(shown).map(([name, value]) => `${name}: ${value}`);
  const answer = await rig.app.inject({
    method: 'POST',
    url: `/scripts/${of}/join`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      ...{ role: 'Node', name: `m-${machines}`, address: `10.0.0.${machines}:22`, hostKey: HOST_KEY },
      tunnelKey: `ssh-ed25519 ${createHash('sha256').update(String(machines)).digest('base64')}`,
      awsRequest: [lines].flat().join('\n'),
    }).toString(),
  });
  return answer.statusCode === 200 ? 'in' : `${answer.statusCode} ${answer.body.trim()}`;
}

test('a token for AWS is the same for the same rules, never ends, and has no secret', async () => {
  const { json } = await make();
  expect(json).toMatchObject({ id: token, name: token, method: 'iam', expiry: '' });
  expect(token).toMatch(/^iam-[0-9a-f]{20}$/);
  const other = (await make({ allow: [{ aws_account: '999999999999' }] })).json as MadeToken;
  expect(other.id).not.toBe(token);
  const listed = (await ann.call('GET', '/v1/webapi/tokens')).json as { name: string }[];
  expect(listed.map(({ name }) => name).toSorted()).toEqual([token, other.id].toSorted());
});

test('a machine of EC2 joins by the script, as its role alone, and the audit log says how', async () => {
  const text = join(folder, 'join.sh');
  writeFileSync(text, (await rig.app.inject({ url: `/scripts/${token}/install-node.sh` })).body);
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'host')]);
  const config = join(folder, 'sshd_config');
  writeFileSync(config, `HostKey ${join(folder, 'host')}\nPidFile none\n`);
  const options = ['--name', 'web', '--address', '10.0.1.1', '--sshd-config', config, '--state', join(folder, 'state')];
  const { AWS_ACCESS_KEY_ID: _id, AWS_REGION: _region, ...env } = process.env;
  const at = `http://127.0.0.1:${(metadata.address() as AddressInfo).port}`;
  const { stdout } = await run('sh', [text, ...options], { env: { ...env, AWS_EC2_METADATA_SERVICE_ENDPOINT: at } });
  expect(stdout).toContain('Joined as web.');
  const { items } = (await ann.call('GET', '/v1/webapi/sites/here/nodes')).json as { items: Node[] };
  expect(items).toEqual([expect.objectContaining({ hostname: 'web', addr: '10.0.1.1:22' })]);
  const { json } = await ann.call('GET', '/v1/webapi/sites/here/events/search?include=instance.join');
  expect((json as { events: readonly object[] }).events).toContainEqual(
    expect.objectContaining({ method: 'iam', node_name: 'web', success: true }),
  );
  expect(rig.log.join()).not.toContain(GIVEN.token);
}, 60_000);

test('what is signed for the gateway now lets a machine in once', async () => {
  const shown = await signed();
  expect(await joined(shown)).toBe('in');
  expect(await joined(shown)).toContain('has been used');
  const both = await signed();
  const answers = await Promise.all([joined(both), joined(both)]);
  expect(answers.toSorted()).toEqual([expect.stringContaining('used'), 'in']);
});

test('whoever no rule names stays outside, whatever AWS says of them', async () => {
  const before = aws.caller;
  try {
    for (const [account, name] of [
      ['999999999999', 'assumed-role/web/i-1'],
      ['123456789012', 'assumed-role/other/i-1'],
      ['123456789012', 'assumed-role/web/me'],
    ] as const) {
      const arn = `arn:aws:sts::${account}:${name}`;
      aws.caller = { account, arn };
      expect(await joined(await signed())).toBe(`403 no rule of this join token lets "${arn}" in`);
    }
    aws.caller = { account: '123456789012', arn: 'arn:aws:sts::999999999999:assumed-role/web/i-1' };
    expect(await joined(await signed())).toContain('nothing that can be read');
  } finally {
    aws.caller = before;
  }
});

const changed = async (more: Readonly<Record<string, string>>) => ({ ...(await signed()), ...more });
test.each<[string, () => Promise<Record<string, string> | string>, string]>([
  ['a challenge that is not signed', () => signed({ unsigned: 'x-postern-challenge' }), 'challenge is not signed'],
  ['a host that is not signed', () => signed({ unsigned: 'host' }), 'host is not signed'],
  ['a challenge of its own', () => signed({ given: 'mine' }), 'its challenge is not one'],
  ['a region of its own making', () => changed({ region: 'eu-central-1.evil.example' }), 'none of AWS'],
  ['another region than is signed', () => changed({ region: 'eu-west-1' }), 'signed for eu-central-1'],
  ['a header more', () => changed({ 'x-forwarded-host': 'evil.example' }), 'not understood'],
  ['a host', () => changed({ host: 'evil.example' }), 'not understood'],
  ['no signature', () => changed({ authorization: 'Bearer x' }), 'no signature of version 4'],
  ['an endless line', () => changed({ 'x-amz-security-token': 'x'.repeat(9000) }), 'longer than'],
  ['a word that ends its line early', () => changed({ 'x-amz-date': 'x\rhost: evil' }), 'not understood'],
  ['nothing that is lines', async () => 'e30.e30.e30', 'not understood'],
])('%s is refused before AWS is asked', async (_what, show, words) => {
  const shown = await show();
  const before = aws.callers;
  expect(await joined(shown)).toMatch(new RegExp(`^403 .*${words}`));
  expect(aws.callers).toBe(before);
});

test('a signature by another secret, a challenge of another token and one that is old are refused', async () => {
  expect(await joined(await signed({ secret: 'guessed' }))).toContain('SignatureDoesNotMatch');
  const other = ((await make({ allow: [{ aws_account: '123456789012' }] })).json as MadeToken).id;
  expect(await joined(await signed(), other)).toContain('its challenge is not one');
  expect(await joined(await signed({ given: await challenge(other) }), other)).toBe('in');
  const old = await signed();
  rig.later(121_000);
  expect(await joined(old)).toContain('its challenge is not one');
  expect((await rig.app.inject({ method: 'POST', url: '/scripts/nobody/challenge' })).statusCode).toBe(403);
});

test.each([
  [{ allow: undefined }, 'allow: join_method iam needs rules'],
  [{ allow: [] }, 'at least one rule'],
  [{ allow: [{}] }, 'a rule names aws_account or aws_arn'],
  [{ allow: [{ aws_arn: '*' }] }, 'an ARN with its account'],
  [{ allow: [{ aws_arn: 'arn:aws:sts::*:assumed-role/web/x' }] }, 'an ARN with its account'],
  [{ allow: [{ aws_account: '1' }] }, 'twelve digits'],
  [{ join_method: 'token' }, 'allow: only with join_method iam'],
  [{ roles: ['Bot'], bot_name: 'ci' }, 'a bot joins with another'],
  [{ roles: ['Trusted_cluster'] }, 'a leaf cluster joins with token'],
])('a token of %j is refused', async (more, words) => {
  const { status, body } = await make(more);
  expect([status, body]).toEqual([400, expect.stringContaining(words)]);
});
