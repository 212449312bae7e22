// A service in ECS that leads to databases: what ECS is told to run is run here, with real sh and ssh, and the database is reached by it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { acceptInvite, signIn, type WireClient } from '../../e2e/rigs/client.ts';
import { freePort, type GatewayRig, openGateway } from '../../e2e/rigs/gateway.ts';
import type { Database } from '../contract/resources.ts';
import { type AwsOidcDouble, openAwsOidcDouble, TRUSTED_ROLE } from './aws-oidc-double.testing.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
let home: string;
let gateway: GatewayRig;
let aws: AwsOidcDouble;
let ann: WireClient;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'postern task '));
  ends.push(() => rm(home, { recursive: true, force: true }));
  const published = async (path: string) => (await fetch(`${gateway.url}/.well-known/${path}`)).json();
  aws = await openAwsOidcDouble({
    discovery: () => published('openid-configuration'),
    keys: () => published('jwks-oidc'),
  });
  ends.push(() => aws.close());
  gateway = await openGateway({ flags: ['--ssh-listen', `127.0.0.1:${await freePort()}`, '--aws-endpoint', aws.url] });
  ends.push(() => gateway.dispose());
  await acceptInvite(gateway.url, gateway.invite(), 'correct horse battery');
  ann = await signIn(gateway.url, 'admin', 'correct horse battery');
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

interface Container {
  readonly entryPoint: readonly string[];
  readonly command: readonly string[];
  readonly environment: readonly { readonly name: string; readonly value: string }[];
}
/** The task that was registered last, as ECS starts its container. */
function run(folder: string): void {
  const [, asked] = aws.ecs.findLast(([action]) => action === 'RegisterTaskDefinition') ?? [];
  const [{ entryPoint, command, environment } = { entryPoint: [], command: [], environment: [] }] =
    (asked?.containerDefinitions ?? []) as readonly Container[];
  const [file = '', ...words] = [...entryPoint, ...command];
  const told = Object.fromEntries(environment.map(({ name, value }) => [name, value]));
  const task = spawn(file, words, {
    env: { PATH: process.env.PATH, ...told, POSTERN_STATE: join(home, folder) },
    stdio: 'ignore',
    detached: true,
  });
  ends.push(() => task.pid && process.kill(-task.pid, 'SIGTERM'));
}
const reason = async (): Promise<string> => {
  const { items } = (await ann.call('GET', `sites/${ann.cluster}/databases?search=orders`)) as { items: Database[] };
  return items[0]?.offline ?? 'up';
};

test('the task keeps the way to the databases of its labels open, deployed anew it takes over, and other machines keep theirs', async () => {
  const database = createServer(socket => void socket.end()).listen(0, '127.0.0.1');
  ends.push(() => database.close());
  await once(database, 'listening');
  const { port } = database.address() as AddressInfo;
  const site = `sites/${ann.cluster}`;
  const labels = [{ name: 'team', value: 'shop' }];
  await ann.call('POST', `${site}/databases`, {
    name: 'orders',
    protocol: 'postgres',
    uri: `127.0.0.1:${port}`,
    labels,
  });
  await ann.call('POST', `${site}/integrations`, {
    ...{ name: 'prod', subKind: 'aws-oidc', awsoidc: { roleArn: TRUSTED_ROLE } },
  });
  const deploy = () =>
    ann.call('POST', `${site}/integrations/aws-oidc/prod/deployservice`, {
      ...{ region: 'eu-central-1', subnetIds: ['subnet-0a1b2c3d'], securityGroups: ['sg-0a1b2c3d'] },
      ...{ taskRoleArn: 'postern-task', deploymentMode: 'database-service', databaseAgentMatcherLabels: labels },
    });
  expect(await deploy()).toEqual({
    clusterArn: expect.stringMatching(/^arn:aws:ecs:eu-central-1:123456789012:cluster\/postern-/),
    serviceArn: 'arn:aws:ecs:eu-central-1:123456789012:service/postern-database-service',
    taskDefinitionArn: 'arn:aws:ecs:eu-central-1:123456789012:task-definition/postern-database-service:1',
    serviceDashboardUrl: expect.stringContaining(
      'https://eu-central-1.console.aws.amazon.com/ecs/v2/clusters/postern-',
    ),
  });
  const created = aws.ecs.find(([action]) => action === 'CreateService')?.[1];
  expect(created).toMatchObject({
    ...{ launchType: 'FARGATE', desiredCount: 1 },
    networkConfiguration: { awsvpcConfiguration: { subnets: ['subnet-0a1b2c3d'], securityGroups: ['sg-0a1b2c3d'] } },
  });
  expect(await reason()).toContain('tunnel');
  run('first');
  await expect.poll(reason, { timeout: 30_000 }).toBe('up');

  await deploy();
  expect(aws.ecs.at(-1)?.[0]).toBe('UpdateService');
  await expect.poll(reason, { timeout: 30_000 }).not.toBe('up');
  run('second');
  await expect.poll(reason, { timeout: 30_000 }).toBe('up');
  expect(await readFile(join(home, 'second', 'forwards'), 'utf8')).toContain(`127.0.0.1:${port}`);
  // The key of the task is in no log of the gateway.
  const [key = ''] = /BEGIN OPENSSH[\s\S]{80}/.exec(await readFile(join(home, 'second', 'tunnel_key'), 'utf8')) ?? [];
  expect(gateway.output()).not.toContain(key);
});
