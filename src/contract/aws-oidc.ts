// What an AWS OIDC integration is asked in its account: databases, servers, networks, and ways into those networks.
import * as z from 'zod/mini';
import { awsAccount, awsRegion, groupId, subnetId, vpcId } from './aws-shapes.ts';
import { call } from './call.ts';
import { awsPlace, node } from './nodes.ts';
import { database } from './resources.ts';
import { clusterParams, labelName, labelValue, safeName } from './shapes.ts';

/** Audience of the web identity tokens: a constant of the product, which the identity provider in the account names as its client. */
export const AWS_AUDIENCE = 'discover.postern';
/** Subject of those tokens: the gateway itself. */
export const AWS_SUBJECT = 'system:proxy';

const nextToken = z.optional(z.string().check(z.maxLength(4096)));
const params = z.extend(clusterParams, { name: safeName });
const access = { resource: 'integration', verb: 'use' } as const;
const path = (last: string): string => `sites/:clusterId/integrations/aws-oidc/:name/${last}`;

export const rdsEngines = ['postgres', 'mysql', 'mariadb', 'aurora-mysql', 'aurora-postgresql'] as const;
export const listAwsDatabases = call('POST', path('databases'), {
  summary: 'Databases of RDS and Aurora in a region of the account.',
  access,
  params,
  body: z.object({
    rdsType: z.enum(['instance', 'cluster']),
    engines: z.array(z.enum(rdsEngines)).check(z.minLength(1), z.maxLength(rdsEngines.length)),
    region: awsRegion,
    nextToken,
  }),
  reply: z.object({ databases: z.array(database), nextToken: z.optional(z.string()) }),
});
export const listAwsServers = call('POST', path('ec2'), {
  summary: 'Running machines of EC2 in a region of the account.',
  access,
  params,
  body: z.object({ region: awsRegion, nextToken }),
  reply: z.object({
    servers: z.array(z.extend(node, { aws: awsPlace })),
    nextToken: z.optional(z.string()),
  }),
});
const rule = z.object({
  ipProtocol: z.string(),
  fromPort: z.number(),
  toPort: z.number(),
  cidrs: z.array(z.object({ cidr: z.string(), description: z.string() })),
});
export const listAwsSecurityGroups = call('POST', path('securitygroups'), {
  summary: 'Security groups of a network.',
  access,
  params,
  body: z.object({ region: awsRegion, vpcId, nextToken }),
  reply: z.object({
    securityGroups: z.array(
      z.object({
        name: z.string(),
        /** Both names of the wire. */
        id: z.string(),
        securityGroupId: z.string(),
        description: z.string(),
        inboundRules: z.array(rule),
        outboundRules: z.array(rule),
      }),
    ),
    nextToken: z.optional(z.string()),
  }),
});
const instanceConnect = z.object({
  name: z.string(),
  /** create-in-progress, create-complete, create-failed, delete-in-progress, delete-complete, delete-failed. */
  state: z.string(),
  stateMessage: z.string(),
  dashboardLink: z.string(),
  subnetId: z.string(),
});
export const listAwsConnectEndpoints = call('POST', path('ec2ice'), {
  summary: 'Instance connect endpoints of a network.',
  access,
  params,
  body: z.object({ region: awsRegion, vpcId, nextToken }),
  reply: z.object({
    /** Both names of the wire. */
    ec2Ices: z.array(instanceConnect),
    ec2InstanceConnectEndpoints: z.array(instanceConnect),
    nextToken: z.optional(z.string()),
  }),
});
export const createAwsConnectEndpoint = call('POST', path('deployec2ice'), {
  summary: 'Make an instance connect endpoint in a subnet.',
  access,
  params,
  body: z.object({
    region: awsRegion,
    subnetId,
    securityGroupIds: z.optional(z.array(groupId).check(z.maxLength(5, 'at most 5 security groups'))),
  }),
  reply: z.object({ name: z.string() }),
});

/** Name of a role, or its ARN. */
const taskRole = z
  .string()
  .check(
    z.regex(
      /^([\w+=,.@-]{1,64}|arn:aws(-[a-z]+)*:iam::\d{12}:role\/[\w+=,.@/-]{2,512})$/,
      'the name of an IAM role, or its ARN',
    ),
  );
const ecsName = z.string().check(z.regex(/^[\w-]{1,255}$/, 'at most 255 letters, digits, dashes and underscores'));
const databaseServiceWish = z.object({
  region: awsRegion,
  accountId: z.optional(awsAccount),
  subnetIds: z.array(subnetId).check(z.minLength(1, 'at least one subnet'), z.maxLength(16, 'at most 16 subnets')),
  securityGroups: z.optional(z.array(groupId).check(z.maxLength(5, 'at most 5 security groups'))),
  clusterName: z.optional(ecsName),
  serviceName: z.optional(ecsName),
  taskName: z.optional(ecsName),
  taskRoleArn: taskRole,
  deploymentMode: z.literal('database-service', 'database-service'),
  databaseAgentMatcherLabels: z
    .array(z.object({ name: labelName, value: labelValue }))
    .check(z.minLength(1, 'at least one label, such as *: *'), z.maxLength(64, 'at most 64 labels')),
});
export type DatabaseServiceWish = z.output<typeof databaseServiceWish>;
export const deployAwsDatabaseService = call('POST', path('deployservice'), {
  summary:
    'Run a service in ECS that leads to databases of its network; again, it leads to what its labels match then.',
  access,
  params,
  body: databaseServiceWish,
  reply: z.object({
    clusterArn: z.string(),
    serviceArn: z.string(),
    taskDefinitionArn: z.string(),
    serviceDashboardUrl: z.string(),
  }),
});
