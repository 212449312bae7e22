// Machines of EC2 that nothing but AWS leads to: added through an integration, and used through an instance connect endpoint with a real sshd behind it.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSshd, type SshdRig } from '../../e2e/rigs/sshd.ts';
import type { Node } from '../contract/nodes.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import {
  type AwsOidcDouble,
  FORBIDDEN_LOGIN,
  INSTANCE,
  openAwsOidcDouble,
  TRUSTED_ROLE,
} from './aws-oidc-double.testing.ts';
import { createLocalConnector } from './services/protocols/local/connector.ts';
import { createAuthority } from './services/protocols/ssh/authority.ts';
import { createSshConnector, type SshConnector } from './services/protocols/ssh/connector.ts';
import { createDirectReach } from './services/reach/direct.ts';
import { createReach } from './services/reach/router.ts';
import { roleResource } from './services/rights/source.ts';
import { watchShell } from './services/shell-watch.testing.ts';

const login = userInfo().username;
const site = `/v1/webapi/sites/${CLUSTER}`;
const folder = mkdtempSync(join(tmpdir(), 'postern-instances-'));
let rig: Rig;
let ann: Browser;
let aws: AwsOidcDouble;
let sshd: SshdRig;
let ssh: SshConnector;
const published = async <Body>(path: string): Promise<Body> => (await rig.app.inject({ url: path })).json() as Body;

beforeAll(async () => {
  aws = await openAwsOidcDouble({
    discovery: () => published('/.well-known/openid-configuration'),
    keys: () => published<JSONWebKeySet>('/.well-known/jwks-oidc'),
  });
  const authority = createAuthority(generateKeyPairSync('ed25519').privateKey, 'test');
  const keys = join(folder, 'keys');
  // The machine trusts no authority of the gateway's: only what AWS hands it lets anybody in.
  const stranger = createAuthority(generateKeyPairSync('ed25519').privateKey, 'stranger');
  sshd = await openSshd({ trustedUserCa: stranger.trustedUserCaLine(), config: [`AuthorizedKeysFile ${keys}`] });
  aws.hand = ({ SSHPublicKey, InstanceOSUser }) => writeFileSync(keys, InstanceOSUser === login ? SSHPublicKey : '');
  aws.behind.set('10.0.0.7:22', sshd.port);
  const instances = {
    introduce: (...asked: Parameters<typeof rig.services.awsOidc.instances.introduce>) =>
      rig.services.awsOidc.instances.introduce(...asked),
    open: (...asked: Parameters<typeof rig.services.awsOidc.instances.open>) =>
      rig.services.awsOidc.instances.open(...asked),
  };
  const nowhere = { open: () => Promise.reject(new Error('no tunnel')) };
  ssh = createSshConnector({
    reach: createReach(createDirectReach(), nowhere, instances),
    ...{ authority, instances, audit: { emit: async () => undefined } },
  });
  rig = await openRig({
    awsEndpoint: () => aws.url,
    probe: ssh.probe,
    sshClients: { ssh, local: createLocalConnector() },
  });
  await rig.addUser('ann', ['editor', 'access'], [login, FORBIDDEN_LOGIN]);
  ann = await rig.signIn('ann');
  for (const [name, roleArn] of [
    ['prod', TRUSTED_ROLE],
    ['other', 'arn:aws:iam::999999999999:role/other'],
  ])
    await ann.call('POST', `${site}/integrations`, { name, subKind: 'aws-oidc', awsoidc: { roleArn } });
}, 30_000);
afterAll(async () => {
  aws?.close();
  await rig?.dispose();
  await sshd?.dispose();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  aws.endpoint = 'create-complete';
  aws.mayOpen = true;
});

const place = {
  accountId: '123456789012',
  instanceId: INSTANCE,
  region: 'eu-central-1',
  vpcId: 'vpc-0a1b2c3d',
  integration: 'prod',
  subnetId: 'subnet-0a1b2c3d',
};
const wanted = {
  name: 'ec2-web',
  subKind: 'openssh-ec2-ice',
  hostname: 'web',
  addr: '10.0.0.7:22',
  labels: [],
  aws: place,
};
const add = (more: object = {}, by = ann) => by.call('POST', `${site}/nodes`, { ...wanted, ...more });
const listed = async (): Promise<readonly Node[]> =>
  ((await ann.call('GET', `${site}/nodes`)).json as { items: Node[] }).items;
const who = async () =>
  rig.services.identity.sessions.authenticate({ cookie: ann.cookie, bearer: ann.bearer, remoteAddr: '192.0.2.1' });
const request = (as = login) => ({ user: 'ann', sid: 's', login: as, size: { cols: 80, rows: 24 }, ttlMs: 60_000 });
const tried = async (principal = login) =>
  (
    await ann.call('POST', `${site}/diagnostics/connections`, {
      ...{ resource_kind: 'node', resource_name: 'ec2-web', ssh_principal: principal },
    })
  ).json as { readonly success: boolean };

test('a machine is added by what AWS says of it, listed with where it is, and its shells go through the endpoint with a key of their own', async () => {
  const { status, json, body } = await add({ labels: [{ name: 'env', value: 'prod' }] });
  expect(status, body).toBe(200);
  const item = { kind: 'node', id: 'ec2-web', subKind: 'openssh-ec2-ice', hostname: 'web', tunnel: false, aws: place };
  expect(json).toMatchObject({ ...item, addr: '10.0.0.7:22', tags: [{ name: 'env', value: 'prod' }] });
  expect(await listed()).toEqual([expect.objectContaining(item)]);
  expect(aws.opened.at(-1)?.get('privateIpAddress')).toBe('10.0.0.7');
  const before = aws.keys.length;
  const target = await rig.services.servers.target(await who(), 'web');
  const shell = watchShell(await ssh.open(target, { ...request(), command: 'echo through-$((40 + 2)); exit 3' }));
  expect(await shell.ended()).toMatchObject({ code: 3 });
  expect(shell.text()).toContain('through-42');
  expect(aws.keys.slice(before)).toEqual([
    { InstanceId: INSTANCE, InstanceOSUser: login, SSHPublicKey: expect.stringMatching(/^ssh-ed25519 \S{68}$/) },
  ]);
  expect(await tried()).toMatchObject({ success: true });
  const keys = aws.keys.map(({ SSHPublicKey }) => SSHPublicKey);
  expect(new Set(keys).size).toBe(keys.length);
  const signatures = aws.opened.flatMap(one => one.get('X-Amz-Signature') ?? []);
  expect(rig.log.join()).not.toMatch(new RegExp(signatures.join('|')));
});

test('what AWS does not do is said in words, and nobody is led there another way', async () => {
  const target = await rig.services.servers.target(await who(), 'web');
  const said = (as = login): Promise<string> =>
    ssh.open(target, request(as)).then(
      () => 'in',
      (error: Error) => error.message,
    );
  aws.endpoint = null;
  expect(await said()).toBe(
    'Cannot reach web at 10.0.0.7:22: network vpc-0a1b2c3d in eu-central-1 has no instance connect endpoint.',
  );
  aws.endpoint = 'create-in-progress';
  expect(await said()).toContain('is not ready: create-in-progress');
  aws.endpoint = 'create-complete';
  aws.mayOpen = false;
  expect(await said()).toContain(`AWS does not let ${TRUSTED_ROLE} open a tunnel to 10.0.0.7:22`);
  aws.mayOpen = true;
  expect(await said(FORBIDDEN_LOGIN)).toContain('not authorized to perform: ec2-instance-connect:SendSSHPublicKey');
  expect(await said('nobody-here')).toContain('EC2 Instance Connect must be installed there');
  expect(await tried(FORBIDDEN_LOGIN)).toMatchObject({ success: false });
  expect(await said()).toBe('in');
});

test('a machine that changes its key is held back as any other, and the new key is read through AWS', async () => {
  await sshd.rotateHostKey();
  const target = await rig.services.servers.target(await who(), 'web');
  await expect(ssh.open(target, request())).rejects.toMatchObject({ reason: 'host_key_changed' });
  const { json } = await ann.call('POST', `${site}/nodes/ec2-web/hostkey`, {});
  const { pinned, shown } = json as {
    pinned: { fingerprint: string }[];
    shown: { fingerprint: string; publicKey: string };
  };
  expect(shown.fingerprint).toBe(sshd.fingerprint);
  const replaces = pinned.map(({ fingerprint }) => fingerprint);
  await ann.call('PUT', `${site}/nodes/ec2-web/hostkey`, { hostKey: shown.publicKey, replaces });
  expect(await tried()).toMatchObject({ success: true });
});

test('no file makes one, or makes it another', async () => {
  const yaml = `kind: node\nversion: v2\nmetadata: { name: ec2-web }\nspec: { hostname: web, addr: "10.0.0.8:22", hostKey: ${sshd.hostKey} }\n`;
  const { problems } = await rig.declared.apply([{ name: 'n.yaml', content: yaml }], { by: 'ann' });
  expect(problems).toEqual([expect.stringContaining('was added through an integration with AWS')]);
  expect(await listed()).toEqual([expect.objectContaining({ addr: '10.0.0.7:22', aws: place })]);
});

test.each([
  ['no name', { name: undefined }, 400, 'name'],
  ['no host name', { hostname: undefined }, 400, 'hostname'],
  ['no address', { addr: undefined }, 400, 'addr'],
  ['another kind', { subKind: 'teleport' }, 400, 'subKind'],
  ['no place', { aws: undefined }, 400, 'aws'],
  ['a region that is none', { aws: { ...place, region: 'eu.evil.example' } }, 400, 'aws.region'],
  [
    'another account than that of the integration',
    { aws: { ...place, accountId: '999999999999' } },
    400,
    'aws.accountId',
  ],
  ['a machine that is not there', { aws: { ...place, instanceId: 'i-00000000' } }, 400, 'aws.instanceId'],
  ['another network', { aws: { ...place, vpcId: 'vpc-00000000' } }, 400, 'aws.vpcId'],
  ['another subnet', { aws: { ...place, subnetId: 'subnet-00000000' } }, 400, 'aws.subnetId'],
  ['the address of another machine', { addr: '10.0.0.8:22' }, 400, 'addr'],
  ['an integration that is not there', { aws: { ...place, integration: 'none' } }, 404, 'there is no integration'],
  [
    'a role that AWS does not give',
    { aws: { ...place, integration: 'other', accountId: '999999999999' } },
    403,
    'act as',
  ],
  ['an id that is taken', { hostname: 'web-2' }, 409, 'there is a server'],
  ['a host name that is taken', { name: 'ec2-web-2' }, 409, 'exists'],
])('%s is refused, and nothing is kept', async (_what, more, status, words) => {
  const isNew = status !== 409;
  const answer = await add({ ...(isNew && { name: 'ec2-new', hostname: 'new' }), ...more });
  expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(words)]);
  expect((await listed()).length).toBe(1);
});

test('whoever may add servers and not use integrations adds none of AWS', async () => {
  await rig.store.resources.create(
    roleResource(
      'kind: role\nversion: v7\nmetadata: { name: adding }\nspec: { allow: { node_labels: { "*": "*" }, rules: [{ resources: [node], verbs: [create] }] } }\n',
    ),
  );
  await rig.addUser('una', ['adding'], []);
  const before = aws.done.length;
  const { status, body } = await add({ name: 'ec2-new', hostname: 'new' }, await rig.signIn('una'));
  expect([status, body]).toEqual([403, expect.stringContaining('\\"use\\" on \\"integration\\"')]);
  expect(aws.done.length).toBe(before);
});
