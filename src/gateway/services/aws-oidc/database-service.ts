// A service in Amazon ECS that leads to databases of a network that the gateway cannot dial: one small task, which keeps a tunnel open with OpenSSH.
import type { DatabaseServiceWish } from '../../../contract/aws-oidc.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Actor } from '../../ports/who.ts';

/** What the task runs: a small image that everybody may fetch, which gets OpenSSH as it starts. */
const IMAGE = 'public.ecr.aws/docker/library/alpine:3';
/** Smallest size of Fargate: a quarter of a processor, 512 MB. */
const SIZE = { cpu: '256', memory: '512' } as const;
const NAME = 'postern-database-service';
/** Writes down what the task was told, and keeps the tunnel open. */
const START = `set -eu
command -v ssh > /dev/null || apk add --no-cache openssh-client-default > /dev/null
umask 077
state=\${POSTERN_STATE:-/etc/postern}
mkdir -p "$state"
printf '%s\\n' "$POSTERN_KEY" > "$state/tunnel_key"
printf '%s\\n' "$POSTERN_GATEWAY" > "$state/gateway"
printf '%s\\n' "$POSTERN_KNOWN_HOSTS" > "$state/known_hosts"
printf '%s\\n' "$POSTERN_FORWARDS" > "$state/forwards"
printf '%s\\n' "$POSTERN_TUNNEL" > "$state/tunnel"
exec sh "$state/tunnel"`;

/** What of AWS and of this gateway it takes. */
export interface DatabaseServiceParts {
  readonly ecs: (
    name: string,
    region: string,
  ) => Promise<{
    /** Of the role that the gateway is there. */
    readonly arn: string;
    ask(action: string, asked: object): Promise<Readonly<Record<string, unknown>>>;
  }>;
  readonly newKey: () => Promise<{ readonly privateKey: string; readonly line: string }>;
  /** Pins a key to the databases that these labels match. Throws Failure not_found, unavailable. */
  readonly lead: (
    publicKey: string,
    title: string,
    matchers: Readonly<Record<string, readonly string[]>>,
    by: Actor,
  ) => Promise<{
    readonly gateway: { readonly host: string; readonly port: number; readonly key: string };
    readonly forwards: readonly { readonly path: string; readonly to: string }[];
    /** What keeps the tunnel open. */
    readonly script: string;
  }>;
  readonly clusterName: string;
}
export interface DeployedService {
  readonly clusterArn: string;
  readonly serviceArn: string;
  readonly taskDefinitionArn: string;
  readonly serviceDashboardUrl: string;
}

/** Again with the same names, the service gets a new key and leads to what the labels match now. Throws Failure. */
export async function deployDatabaseService(
  { ecs, newKey, lead, clusterName }: DatabaseServiceParts,
  name: string,
  wish: DatabaseServiceWish,
  by: Actor,
): Promise<DeployedService> {
  const { region, subnetIds, securityGroups } = wish;
  const { arn, ask } = await ecs(name, region);
  const account = arn.split(':')[4] ?? '';
  if (wish.accountId !== undefined && wish.accountId !== account)
    throw new Failure('bad_request', `accountId: integration ${name} is for account ${account}`);
  const plain = `postern-${clusterName}`.replace(/[^\w-]/g, '-').slice(0, 255);
  const { clusterName: cluster = plain, serviceName: service = NAME, taskName: family = NAME } = wish;
  const labels = Map.groupBy(wish.databaseAgentMatcherLabels, ({ name: label }) => label);
  const matchers = Object.fromEntries([...labels].map(([label, all]) => [label, all.map(({ value }) => value)]));
  const tags = [
    { key: 'postern/cluster', value: clusterName },
    { key: 'postern/integration', value: name },
  ];
  // What needs rights comes before the key is pinned: a refusal of AWS changes nothing here.
  const made = of(await ask('CreateCluster', { clusterName: cluster, tags }), 'cluster');
  const key = await newKey();
  const { gateway, forwards, script } = await lead(key.line, `ECS ${region} ${cluster}/${service}`, matchers, by);
  const task = of(
    await ask('RegisterTaskDefinition', {
      family,
      ...SIZE,
      networkMode: 'awsvpc',
      requiresCompatibilities: ['FARGATE'],
      taskRoleArn: roleArn(wish.taskRoleArn, arn),
      containerDefinitions: [
        {
          name: NAME,
          image: IMAGE,
          essential: true,
          entryPoint: ['sh', '-c'],
          command: [START],
          environment: Object.entries({
            POSTERN_KEY: key.privateKey.trim(),
            POSTERN_GATEWAY: `${gateway.host}\n${gateway.port}`,
            POSTERN_KNOWN_HOSTS: `postern-gateway ${gateway.key}`,
            POSTERN_FORWARDS: forwards.map(({ path, to }) => `${path} ${to}`).join('\n'),
            POSTERN_TUNNEL: script,
          }).map(([variable, value]) => ({ name: variable, value })),
        },
      ],
      tags,
    }),
    'taskDefinition',
  );
  const taskDefinition = text(task, 'taskDefinitionArn');
  const networkConfiguration = {
    awsvpcConfiguration: {
      subnets: subnetIds,
      ...(securityGroups && { securityGroups }),
      // Without an address of its own it reaches neither its image nor the gateway, where the subnets have no NAT.
      assignPublicIp: 'ENABLED',
    },
  };
  const { services = [] } = (await ask('DescribeServices', { cluster, services: [service] })) as {
    readonly services?: readonly { readonly status?: string }[];
  };
  const isThere = services.some(({ status }) => status === 'ACTIVE');
  const started = of(
    isThere
      ? await ask('UpdateService', { cluster, service, taskDefinition, networkConfiguration, desiredCount: 1 })
      : await ask('CreateService', {
          ...{ cluster, serviceName: service, taskDefinition, networkConfiguration },
          ...{ desiredCount: 1, launchType: 'FARGATE', propagateTags: 'SERVICE', tags },
        }),
    'service',
  );
  const console = `https://${region}.console.aws.amazon.com/ecs/v2/clusters`;
  return {
    clusterArn: text(made, 'clusterArn'),
    serviceArn: text(started, 'serviceArn'),
    taskDefinitionArn: taskDefinition,
    serviceDashboardUrl: `${console}/${encodeURIComponent(cluster)}/services/${encodeURIComponent(service)}?region=${region}`,
  };
}

const of = (answer: Readonly<Record<string, unknown>>, name: string) =>
  (answer[name] ?? {}) as Readonly<Record<string, unknown>>;
const text = (from: Readonly<Record<string, unknown>>, name: string): string => String(from[name] ?? '');
/** A role by its name is one of the same account. */
const roleArn = (role: string, ours: string): string =>
  role.startsWith('arn:') ? role : `${ours.split(':').slice(0, 5).join(':')}:role/${role}`;
