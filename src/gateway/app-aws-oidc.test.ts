// AWS accounts by a web identity of the gateway's own: what it publishes, what it is let in by, and what it finds there.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { type AwsOidcDouble, openAwsOidcDouble, TRUSTED_ROLE } from './aws-oidc-double.testing.ts';
import { roleResource } from './services/rights/source.ts';

let rig: Rig;
let ann: Browser;
let aws: AwsOidcDouble;
const published = async <Body>(path: string): Promise<Body> => (await rig.app.inject({ url: path })).json() as Body;
beforeAll(async () => {
  aws = await openAwsOidcDouble({
    discovery: () => published('/.well-known/openid-configuration'),
    keys: () => published<JSONWebKeySet>('/.well-known/jwks-oidc'),
  });
  rig = await openRig({ awsEndpoint: () => aws.url });
  await rig.addUser('ann', ['editor'], []);
  ann = await rig.signIn('ann');
  for (const [name, roleArn] of [
    ['prod', TRUSTED_ROLE],
    ['other', 'arn:aws:iam::123456789012:role/other'],
  ])
    await ann.call('POST', `/v1/webapi/sites/${CLUSTER}/integrations`, {
      name,
      subKind: 'aws-oidc',
      awsoidc: { roleArn },
    });
});
afterAll(async () => {
  aws.close();
  await rig.dispose();
});

const region = 'eu-central-1';
const ask = (what: string, body: object, name = 'prod', by = ann) =>
  by.call('POST', `/v1/webapi/sites/${CLUSTER}/integrations/aws-oidc/${name}/${what}`, { region, ...body });

test('the gateway says who it is as AWS asks it, and its key is public', async () => {
  const { issuer, jwks_uri: keys } = await published<Readonly<Record<string, string>>>(
    '/.well-known/openid-configuration',
  );
  expect([issuer, keys]).toEqual(['https://console.example.com', `${issuer}/.well-known/jwks-oidc`]);
  const set = await published<JSONWebKeySet>('/.well-known/jwks-oidc');
  expect(set.keys).toEqual([expect.objectContaining({ kty: 'RSA', alg: 'RS256', use: 'sig' })]);
  for (const secret of ['d', 'p', 'q']) expect(set.keys[0]).not.toHaveProperty(secret);
});

// Rule 7.3: databases that AWS has are listed
test('databases of RDS come with their address, labels and network; those of a cluster by the cluster', async () => {
  const first = await ask('databases', { rdsType: 'instance', engines: ['postgres'] });
  expect([first.status, first.json]).toEqual([
    200,
    {
      databases: [
        expect.objectContaining({
          name: 'orders',
          protocol: 'postgres',
          type: 'rds',
          uri: 'orders.x.eu-central-1.rds.amazonaws.com:5432',
          labels: expect.arrayContaining([
            { name: 'env', value: 'prod' },
            { name: 'account-id', value: '123456789012' },
          ]),
          aws: {
            account_id: '123456789012',
            region,
            rds: {
              resource_id: 'db-orders',
              instance_id: 'orders',
              subnets: ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'],
              vpc_id: 'vpc-0a1b2c3d',
            },
            status: 'available',
          },
        }),
      ],
      nextToken: 'more',
    },
  ]);
  const next = await ask('databases', { rdsType: 'instance', engines: ['mysql', 'mariadb'], nextToken: 'more' });
  expect(next.json).not.toHaveProperty('nextToken');
  expect(aws.done.at(-1)?.get('Filters.Filter.1.Values.Value.2')).toBe('mariadb');
  const clusters = await ask('databases', { rdsType: 'cluster', engines: ['aurora-mysql'] });
  expect(clusters.json).toMatchObject({
    databases: [
      {
        name: 'shop',
        protocol: 'mysql',
        uri: 'shop.cluster-x.rds.amazonaws.com:3306',
        aws: { rds: { cluster_id: 'shop', vpc_id: 'vpc-0a1b2c3d' } },
      },
    ],
  });
});

// Rule 7.3: integrations and AWS OIDC
// Rule 3.4: a server found in AWS has its account, instance, region and network
test('machines, security groups and ways into a network are listed as the wire has them', async () => {
  expect((await ask('ec2', {})).json).toEqual({
    servers: [
      expect.objectContaining({
        hostname: 'web & more',
        addr: '10.0.0.7:22',
        aws: {
          accountId: '123456789012',
          instanceId: 'i-0a1b2c3d4e5f67890',
          region,
          vpcId: 'vpc-0a1b2c3d',
          integration: 'prod',
          subnetId: 'subnet-0a1b2c3d',
        },
      }),
    ],
    nextToken: 'more',
  });
  expect((await ask('securitygroups', { vpcId: 'vpc-0a1b2c3d' })).json).toEqual({
    securityGroups: [
      {
        ...{ name: 'web', id: 'sg-0a1b2c3d', securityGroupId: 'sg-0a1b2c3d', description: 'Web' },
        inboundRules: [
          { ipProtocol: 'tcp', fromPort: 22, toPort: 22, cidrs: [{ cidr: '10.0.0.0/8', description: 'inside' }] },
        ],
        outboundRules: [{ ipProtocol: 'all', fromPort: 0, toPort: 65_535, cidrs: [{ cidr: '::/0', description: '' }] }],
      },
    ],
  });
  const { json } = await ask('ec2ice', { vpcId: 'vpc-0a1b2c3d' });
  const [one] = (json as { ec2Ices: readonly object[] }).ec2Ices;
  expect(one).toMatchObject({ name: 'eice-0a1b2c3d4e5f67890', state: 'create-complete', subnetId: 'subnet-0a1b2c3d' });
  expect(json).toMatchObject({ ec2InstanceConnectEndpoints: [one] });
  const made = await ask('deployec2ice', { subnetId: 'subnet-0a1b2c3d', securityGroupIds: ['sg-0a1b2c3d'] });
  expect([made.status, made.json]).toEqual([200, { name: 'eice-new' }]);
  expect(aws.done.at(-1)?.get('SecurityGroupId.1')).toBe('sg-0a1b2c3d');
});

test('one token serves for an hour of calls; another role, another issuer and a refused call are told in words', async () => {
  const before = aws.tokens.length;
  await ask('ec2', {});
  await ask('ec2ice', { vpcId: 'vpc-0a1b2c3d' });
  expect(aws.tokens.length).toBe(before);
  const other = await ask('ec2', {}, 'other');
  expect([other.status, other.body]).toEqual([403, expect.stringContaining('does not let the gateway act as')]);
  const refused = await ask('deployec2ice', { subnetId: 'subnet-00000000' });
  expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('not authorized')]);
  const unknown = await ask('ec2', {}, 'nobody');
  expect(unknown.status).toBe(404);
  expect(JSON.stringify([other.body, refused.body, rig.log])).not.toContain(aws.tokens[0]);
});

const service = {
  ...{ subnetIds: ['subnet-0a1b2c3d'], taskRoleArn: 'postern-task', deploymentMode: 'database-service' },
  databaseAgentMatcherLabels: [{ name: 'team', value: 'none' }],
};
test('a service that no database is for, one whose role may not be passed, and one by somebody who may let nothing join, end in words', async () => {
  const nothing = await ask('deployservice', service);
  expect([nothing.status, nothing.body]).toEqual([404, expect.stringContaining('no database in the list has these')]);
  expect(aws.ecs.map(([action]) => action)).toEqual(['CreateCluster']);
  const content =
    'kind: db\nversion: v3\nmetadata: { name: far, labels: { team: far } }\nspec: { protocol: postgres, uri: "10.0.0.9:5432" }\n';
  await rig.declared.apply([{ name: 'far.yaml', content }], { by: 'root' });
  const far = { ...service, databaseAgentMatcherLabels: [{ name: 'team', value: 'far' }] };
  const refused = await ask('deployservice', { ...far, taskRoleArn: 'forbidden' });
  expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('iam:PassRole')]);
  const user =
    'kind: role\nversion: v7\nmetadata: { name: using }\nspec: { allow: { rules: [{ resources: [integration], verbs: [use] }] } }\n';
  await rig.store.resources.create(roleResource(user));
  await rig.addUser('una', ['access', 'using'], []);
  const denied = await ask('deployservice', far, 'prod', await rig.signIn('una'));
  expect([denied.status, denied.body]).toEqual([403, expect.stringContaining('access denied: no role gives you')]);
  const elsewhere = await ask('deployservice', { ...far, accountId: '999999999999' });
  expect([elsewhere.status, elsewhere.body]).toEqual([400, expect.stringContaining('123456789012')]);
});

test.each([
  ['deployservice', { ...service, subnetIds: [] }, 'subnetIds'],
  ['deployservice', { ...service, taskRoleArn: 'a b' }, 'taskRoleArn'],
  ['deployservice', { ...service, deploymentMode: 'all' }, 'deploymentMode'],
  ['deployservice', { ...service, databaseAgentMatcherLabels: [] }, 'databaseAgentMatcherLabels'],
  ['ec2', { region: 'eu-central-1.evil.example' }, 'region'],
  ['ec2', { region: 'x' }, 'region'],
  ['securitygroups', { vpcId: 'vpc' }, 'vpcId'],
  ['databases', { rdsType: 'instance', engines: ['oracle'] }, 'engines'],
  ['databases', { rdsType: 'instance', engines: [] }, 'engines'],
  ['deployec2ice', { subnetId: 'subnet-0a1b2c3d', securityGroupIds: ['x'] }, 'securityGroupIds'],
])('%s with %j is refused before anybody is asked', async (what, body, words) => {
  const before = aws.done.length;
  const { status, body: text } = await ask(what, body);
  expect([status, text]).toEqual([400, expect.stringContaining(words)]);
  expect(aws.done.length).toBe(before);
});

// Rule 7.3: the script that configures AWS
test('the script makes the provider and the role by the command line of AWS, and again without harm', async () => {
  const url = '/v1/webapi/scripts/integrations/configure/awsoidc-idp.sh';
  const { body, headers } = await rig.app.inject({ url: `${url}?integrationName=prod&role=postern` });
  expect(headers['content-type']).toContain('text/plain');
  const folder = mkdtempSync(join(tmpdir(), 'postern-aws-'));
  try {
    // The command line of AWS, as far as the script knows it: what it is asked is written down, what there is not is missing at first.
    writeFileSync(
      join(folder, 'aws'),
      `#!/bin/sh
printf '%s\\n' "$*" >> ${folder}/asked
case "$*" in
*get-caller-identity*) echo arn:aws:sts::123456789012:assumed-role/admin/me ;;
*"get-role"*"Role.Arn"*) echo arn:aws:iam::123456789012:role/postern ;;
*get-role*) [ -e ${folder}/role ] ;;
*get-open-id-connect-provider*) [ -e ${folder}/provider ] ;;
*create-open-id-connect-provider*) : > ${folder}/provider ;;
*create-role*) : > ${folder}/role ;;
esac
`,
    );
    chmodSync(join(folder, 'aws'), 0o755);
    const run = () =>
      spawnSync('sh', [], { input: body, encoding: 'utf8', env: { PATH: `${folder}:${process.env.PATH}` } });
    const first = run();
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('arn:aws:iam::123456789012:role/postern');
    const asked = readFileSync(join(folder, 'asked'), 'utf8');
    expect(asked).toContain(
      'create-open-id-connect-provider --url https://console.example.com --client-id-list discover.postern',
    );
    const [, trust = ''] = /--assume-role-policy-document (\{.*?\}) --description/.exec(asked) ?? [];
    expect(JSON.parse(trust)).toMatchObject({
      Statement: [
        {
          Condition: {
            StringEquals: { 'console.example.com:aud': 'discover.postern', 'console.example.com:sub': 'system:proxy' },
          },
        },
      ],
    });
    const again = run();
    expect([again.status, again.stderr]).toEqual([0, '']);
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const query of ['integrationName=prod', "integrationName=prod&role=a'b", 'integrationName=a%20b&role=postern']) {
    const failing = await rig.app.inject({ url: `${url}?${query}` });
    expect(spawnSync('sh', [], { input: failing.body, encoding: 'utf8' }).status).toBe(1);
  }
});

test('the script for machines without an address lets the role open tunnels for SSH in one region, and nothing else', async () => {
  const url = '/v1/webapi/scripts/integrations/configure/eice-iam.sh';
  const { body } = await rig.app.inject({ url: `${url}?awsRegion=${region}&role=postern` });
  const folder = mkdtempSync(join(tmpdir(), 'postern-aws-'));
  try {
    writeFileSync(
      join(folder, 'aws'),
      `#!/bin/sh
case "$*" in
*get-caller-identity*) echo arn:aws:sts::123456789012:assumed-role/admin/me ;;
*put-role-policy*) printf '%s' "$8" > ${folder}/policy ;;
esac
`,
    );
    chmodSync(join(folder, 'aws'), 0o755);
    const run = (input: string) =>
      spawnSync('sh', [], { input, encoding: 'utf8', env: { PATH: `${folder}:${process.env.PATH}` } });
    expect(run(body)).toMatchObject({ status: 0, stderr: '' });
    const { Statement } = JSON.parse(readFileSync(join(folder, 'policy'), 'utf8'));
    expect(Statement.slice(1)).toEqual([
      {
        Effect: 'Allow',
        Action: 'ec2-instance-connect:OpenTunnel',
        Resource: 'arn:aws:ec2:eu-central-1:123456789012:instance-connect-endpoint/*',
        Condition: { NumericEquals: { 'ec2-instance-connect:remotePort': '22' } },
      },
      {
        Effect: 'Allow',
        Action: 'ec2-instance-connect:SendSSHPublicKey',
        Resource: 'arn:aws:ec2:eu-central-1:123456789012:instance/*',
      },
    ]);
    for (const query of ['role=postern', "awsRegion=eu-central-1&role=a'b", 'awsRegion=eu;x-central-1&role=postern'])
      expect(run((await rig.app.inject({ url: `${url}?${query}` })).body)).toMatchObject({ status: 1, stdout: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// Rule 3.3: integrations also has use
test('whoever has no right to use integrations asks nothing', async () => {
  await rig.addUser('eve', ['access'], []);
  expect((await ask('ec2', {}, 'prod', await rig.signIn('eve'))).status).toBe(403);
});
