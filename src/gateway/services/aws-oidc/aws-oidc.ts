// What an AWS OIDC integration is asked: the gateway becomes its role by a web identity token of its own, and asks RDS and EC2 as that role.
import type { DBCluster, DBInstance, Tag } from '@aws-sdk/client-rds';
import { AWS_AUDIENCE, type rdsEngines } from '../../../contract/aws-oidc.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Integration } from '../../../contract/integrations.ts';
import { type AwsPlace, EC2_SUB_KIND } from '../../../contract/nodes.ts';
import type { Label } from '../../../contract/shapes.ts';
import type { RdsLogins } from '../../ports/databases.ts';
import { ConnectError } from '../../ports/reach.ts';
import type { Instances } from '../../ports/servers.ts';
import type { Actor } from '../../ports/who.ts';
import { partitionOf } from '../aws-console.ts';
import type { Answered } from './ec2.ts';
import type { AwsIssuer } from './issuer.ts';
import type { AwsCredentials } from './signed-post.ts';

/** Credentials of a role last this long, s, and are used again until a minute before. */
const LIFE_SECONDS = 3600;
const EARLY_MS = 60_000;
const ANSWER_MS = 15_000;
/** Databases of one page (RDS: 20 to 100) and machines of one (EC2: 5 to 1000). */
const RDS_PAGE = 100;
const EC2_PAGE = '100';
/** Certificates of those who vouch for RDS are read anew after so long, ms. */
const BUNDLE_MS = 24 * 3_600_000;
/** The gateway itself: whether the person may use an integration was asked of the call. */
const GATEWAY: Actor = { user: 'system', rights: null };

export interface AwsOidcParts {
  readonly issuer: AwsIssuer;
  readonly integrations: {
    get(name: string, by: Actor): Promise<Integration>;
    list(by: Actor, page: object): Promise<{ readonly items: readonly Integration[] }>;
  };
  readonly clusterName: string;
  readonly clock: () => Date;
  /** In place of AWS: where each of its services is asked. */
  readonly endpoint?: (service: Service, region: string) => string;
}
/** `truststore`: the certificates of those who vouch for databases of RDS; `tunnel`: instance connect endpoints. */
type Service = 'sts' | 'rds' | 'ec2' | 'ecs' | 'ec2-instance-connect' | 'truststore' | 'tunnel';
interface Paged {
  readonly region: string;
  readonly nextToken?: string | undefined;
}
type Engine = (typeof rdsEngines)[number];

export function createAwsOidc(parts: AwsOidcParts) {
  const { issuer, integrations, clusterName, clock } = parts;
  /** By role and region. */
  const held = new Map<string, { readonly credentials: AwsCredentials; readonly until: number }>();
  const suffix = (region: string): string => (partitionOf(region) === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com');
  const endpointOf = (service: Exclude<Service, 'truststore' | 'tunnel'>, region: string): string =>
    parts.endpoint?.(service, region) ?? `https://${service}.${region}.${suffix(region)}`;
  const options = (service: 'sts' | 'rds', region: string) => ({
    region,
    ...(parts.endpoint && { endpoint: parts.endpoint(service, region) }),
    maxAttempts: 2,
    requestHandler: { requestTimeout: ANSWER_MS, connectionTimeout: ANSWER_MS },
  });

  /** Throws Failure denied, unreachable. */
  async function become(arn: string, region: string): Promise<AwsCredentials> {
    const id = `${arn} ${region}`;
    const kept = held.get(id);
    if (kept && kept.until > clock().getTime()) return kept.credentials;
    const { AssumeRoleWithWebIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
    const client = new STSClient({
      ...options('sts', region),
      // The token is the proof: nothing of this machine's own is asked for or sent.
      credentials: async () => ({ accessKeyId: '', secretAccessKey: '' }),
    });
    try {
      const { Credentials: given } = await client.send(
        new AssumeRoleWithWebIdentityCommand({
          RoleArn: arn,
          RoleSessionName: `postern-${clusterName.replace(/[^\w+=,.@-]/g, '-')}`.slice(0, 64),
          WebIdentityToken: await issuer.token(),
          DurationSeconds: LIFE_SECONDS,
        }),
      );
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = given ?? {};
      if (!AccessKeyId || !SecretAccessKey || !SessionToken) throw new Error('it answered no credentials');
      const credentials = {
        accessKeyId: AccessKeyId,
        secretAccessKey: SecretAccessKey,
        sessionToken: SessionToken,
      };
      const until = (Expiration?.getTime() ?? clock().getTime() + LIFE_SECONDS * 1000) - EARLY_MS;
      if (held.size > 1000) held.clear();
      held.set(id, { credentials, until });
      return credentials;
    } catch (error) {
      throw refusalOf(error, `AWS does not let the gateway act as ${arn}`);
    } finally {
      client.destroy();
    }
  }
  async function roleOf(name: string, region: string): Promise<{ credentials: AwsCredentials; arn: string }> {
    const { awsoidc } = await integrations.get(name, GATEWAY);
    return { credentials: await become(awsoidc.roleArn, region), arn: awsoidc.roleArn };
  }
  async function ec2(name: string, region: string, action: string, asked: Readonly<Record<string, string>>) {
    const { credentials, arn } = await roleOf(name, region);
    // What signs and reads for it is loaded only where it is wanted: it would cost every gateway memory.
    const { askEc2 } = await import('./ec2.ts');
    try {
      return { arn, answer: await askEc2({ endpoint: endpointOf('ec2', region), region, credentials }, action, asked) };
    } catch (error) {
      throw refusalOf(error, `EC2 does not answer ${action} as ${arn}`);
    }
  }
  /** By region. */
  const bundles = new Map<string, { readonly pem: Promise<string>; readonly until: number }>();
  const rdsLogins: RdsLogins = {
    async authorities(region) {
      const { readBundle, bundleAddress } = await import('./rds-logins.ts');
      const kept = bundles.get(region);
      if (kept && kept.until > clock().getTime()) return kept.pem;
      const pem = readBundle(parts.endpoint?.('truststore', region) ?? bundleAddress(region));
      bundles.set(region, { pem, until: clock().getTime() + BUNDLE_MS });
      // What failed is asked for again.
      pem.catch(() => bundles.delete(region));
      return pem;
    },
    async password(to) {
      const { items } = await integrations.list(GATEWAY, {});
      const found = items.find(({ awsoidc }) => accountOf(awsoidc.roleArn) === to.accountId);
      if (!found)
        throw new ConnectError(
          'failed',
          `No AWS OIDC integration is for account ${to.accountId}: the gateway logs in to databases of RDS as its role.`,
        );
      const { rdsPassword } = await import('./rds-logins.ts');
      try {
        return await rdsPassword(await become(found.awsoidc.roleArn, to.region), to, clock);
      } catch (error) {
        throw error instanceof Failure ? new ConnectError('failed', `${error.message}.`) : error;
      }
    },
  };
  const instances: Instances = {
    async introduce({ integration, region, instanceId }, login, publicKey) {
      const { askJson } = await import('./json-ask.ts');
      const service = 'ec2-instance-connect';
      try {
        const { credentials, arn } = await roleOf(integration, region);
        try {
          await askJson(
            { endpoint: endpointOf(service, region), region, service, credentials },
            'AWSEC2InstanceConnectService.SendSSHPublicKey',
            { InstanceId: instanceId, InstanceOSUser: login, SSHPublicKey: publicKey },
          );
        } catch (error) {
          throw refusalOf(error, `EC2 Instance Connect does not take the key of this session as ${arn}`);
        }
      } catch (error) {
        throw error instanceof Failure ? new ConnectError('failed', `${error.message}.`) : error;
      }
    },
    async open(to, host, port) {
      const { integration, region, vpcId } = to;
      const { endpointFor, openTunnel } = await import('./instance-connect.ts');
      try {
        const asked = { 'Filter.1.Name': 'vpc-id', 'Filter.1.Value.1': vpcId };
        const { answer } = await ec2(integration, region, 'DescribeInstanceConnectEndpoints', asked);
        const by = { ...(await roleOf(integration, region)), region, clock };
        return await openTunnel(endpointFor(answer, to), by, { host, port }, parts.endpoint?.('tunnel', region));
      } catch (error) {
        throw error instanceof Failure ? new ConnectError('unreachable', error.message) : error;
      }
    },
  };
  const pageOf = ({ nextToken }: Pick<Paged, 'nextToken'>) => ({
    MaxResults: EC2_PAGE,
    ...(nextToken && { NextToken: nextToken }),
  });
  const next = (answer: Answered) => {
    const token = answer.text('nextToken');
    return token === '' ? {} : { nextToken: token };
  };

  return {
    rdsLogins,
    instances,

    /** Who has signed a request for the STS of a region. Throws Failure denied, unavailable. */
    async callerIdentity(region: string, headers: Readonly<Record<string, string>>) {
      const { callerIdentity } = await import('./caller-identity.ts');
      return callerIdentity(endpointOf('sts', region), headers);
    },

    /** Throws Failure unless the account of the integration has the machine there, at this address (host:port). */
    async checkInstance(aws: AwsPlace, addr: string): Promise<void> {
      const { integration, accountId, region, instanceId } = aws;
      const account = accountOf((await integrations.get(integration, GATEWAY)).awsoidc.roleArn);
      if (account !== accountId) {
        const why = `integration ${integration} is for account ${account}`;
        throw new Failure('bad_request', `aws.accountId: ${why}`, { 'aws.accountId': why });
      }
      const { answer } = await ec2(integration, region, 'DescribeInstances', { 'InstanceId.1': instanceId });
      const { checkPlace } = await import('./instance-connect.ts');
      checkPlace(answer, aws, addr);
    },

    /** ECS as the role of an integration. Throws Failure. */
    async ecs(name: string, region: string) {
      const { credentials, arn } = await roleOf(name, region);
      const { askJson } = await import('./json-ask.ts');
      return {
        arn,
        async ask(action: string, asked: object) {
          try {
            return await askJson(
              { endpoint: endpointOf('ecs', region), region, service: 'ecs', credentials },
              `AmazonEC2ContainerServiceV20141113.${action}`,
              asked,
            );
          } catch (error) {
            throw refusalOf(error, `ECS does not answer ${action} as ${arn}`);
          }
        },
      };
    },

    async databases(
      name: string,
      asked: Paged & { readonly rdsType: 'instance' | 'cluster'; readonly engines: readonly Engine[] },
    ) {
      const { region, rdsType, engines, nextToken } = asked;
      const { credentials, arn } = await roleOf(name, region);
      const { DescribeDBClustersCommand, DescribeDBInstancesCommand, RDSClient } = await import('@aws-sdk/client-rds');
      const client = new RDSClient({ ...options('rds', region), credentials });
      const given = {
        Filters: [{ Name: 'engine', Values: [...engines] }],
        MaxRecords: RDS_PAGE,
        ...(nextToken && { Marker: nextToken }),
      };
      try {
        if (rdsType === 'instance') {
          const { DBInstances = [], Marker } = await client.send(new DescribeDBInstancesCommand(given));
          // Those of a cluster are reached by the cluster.
          const own = DBInstances.filter(({ DBClusterIdentifier }) => !DBClusterIdentifier);
          return { databases: own.flatMap(one => instanceItem(one, region)), ...(Marker && { nextToken: Marker }) };
        }
        const { DBClusters = [], Marker } = await client.send(new DescribeDBClustersCommand(given));
        const ids = DBClusters.flatMap(({ DBClusterIdentifier: id }) => id ?? []);
        // Where a cluster is in the network, only its members say.
        const members =
          ids.length === 0
            ? []
            : ((
                await client.send(
                  new DescribeDBInstancesCommand({
                    Filters: [{ Name: 'db-cluster-id', Values: ids }],
                    MaxRecords: RDS_PAGE,
                  }),
                )
              ).DBInstances ?? []);
        const memberOf = (id: string | undefined) => members.find(one => one.DBClusterIdentifier === id);
        const databases = DBClusters.flatMap(one => clusterItem(one, memberOf(one.DBClusterIdentifier), region));
        return { databases, ...(Marker && { nextToken: Marker }) };
      } catch (error) {
        throw refusalOf(error, `RDS does not answer as ${arn}`);
      } finally {
        client.destroy();
      }
    },

    async servers(name: string, asked: Paged) {
      const { region } = asked;
      const { answer } = await ec2(name, region, 'DescribeInstances', {
        ...pageOf(asked),
        'Filter.1.Name': 'instance-state-name',
        'Filter.1.Value.1': 'running',
      });
      const servers = answer.items('reservationSet').flatMap(reservation =>
        reservation.items('instancesSet').map(machine => {
          const tags = tagsOf(machine);
          const instanceId = machine.text('instanceId');
          const named = tags.find(tag => tag.name === 'Name')?.value;
          return {
            id: instanceId,
            siteId: clusterName,
            subKind: EC2_SUB_KIND,
            hostname: named || machine.text('privateDnsName') || instanceId,
            addr: `${machine.text('privateIpAddress')}:22`,
            tags,
            aws: {
              accountId: reservation.text('ownerId'),
              instanceId,
              region,
              vpcId: machine.text('vpcId'),
              integration: name,
              subnetId: machine.text('subnetId'),
            },
          };
        }),
      );
      return { servers, ...next(answer) };
    },

    async securityGroups(name: string, asked: Paged & { readonly vpcId: string }) {
      const { answer } = await ec2(name, asked.region, 'DescribeSecurityGroups', {
        ...pageOf(asked),
        'Filter.1.Name': 'vpc-id',
        'Filter.1.Value.1': asked.vpcId,
      });
      const securityGroups = answer.items('securityGroupInfo').map(group => ({
        name: group.text('groupName'),
        id: group.text('groupId'),
        securityGroupId: group.text('groupId'),
        description: group.text('groupDescription'),
        inboundRules: group.items('ipPermissions').map(ruleOf),
        outboundRules: group.items('ipPermissionsEgress').map(ruleOf),
      }));
      return { securityGroups, ...next(answer) };
    },

    async connectEndpoints(name: string, asked: Paged & { readonly vpcId: string }) {
      const { region } = asked;
      const { answer } = await ec2(name, region, 'DescribeInstanceConnectEndpoints', {
        ...(asked.nextToken && { NextToken: asked.nextToken }),
        'Filter.1.Name': 'vpc-id',
        'Filter.1.Value.1': asked.vpcId,
      });
      const all = answer.items('instanceConnectEndpointSet').map(one => {
        const id = one.text('instanceConnectEndpointId');
        const page = `https://${region}.console.aws.amazon.com/vpcconsole/home?region=${region}`;
        return {
          name: id,
          state: one.text('state'),
          stateMessage: one.text('stateMessage'),
          dashboardLink: `${page}#InstanceConnectEndpointDetails:instanceConnectEndpointId=${encodeURIComponent(id)}`,
          subnetId: one.text('subnetId'),
        };
      });
      return { ec2Ices: all, ec2InstanceConnectEndpoints: all, ...next(answer) };
    },

    async createConnectEndpoint(
      name: string,
      asked: {
        readonly region: string;
        readonly subnetId: string;
        readonly securityGroupIds?: readonly string[] | undefined;
      },
    ) {
      const groups = (asked.securityGroupIds ?? []).map((id, at) => [`SecurityGroupId.${at + 1}`, id]);
      const tags = {
        'TagSpecification.1.ResourceType': 'instance-connect-endpoint',
        'TagSpecification.1.Tag.1.Key': 'postern/cluster',
        'TagSpecification.1.Tag.1.Value': clusterName,
        'TagSpecification.1.Tag.2.Key': 'postern/integration',
        'TagSpecification.1.Tag.2.Value': name,
      };
      const { answer } = await ec2(name, asked.region, 'CreateInstanceConnectEndpoint', {
        SubnetId: asked.subnetId,
        ...Object.fromEntries(groups),
        ...tags,
      });
      return { name: answer.one('instanceConnectEndpoint').text('instanceConnectEndpointId') };
    },
  };
}
export type AwsOidc = ReturnType<typeof createAwsOidc>;

const PROTOCOLS: Readonly<Record<string, string>> = {
  postgres: 'postgres',
  'aurora-postgresql': 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  'aurora-mysql': 'mysql',
};
const accountOf = (arn = ''): string => arn.split(':')[4] ?? '';
const labelsOf = (tags: readonly Tag[] = [], more: Readonly<Record<string, string>>): Label[] => [
  ...tags.flatMap(({ Key, Value = '' }) => (Key ? [{ name: Key, value: Value }] : [])),
  ...Object.entries(more).map(([name, value]) => ({ name, value })),
];

/** Where in AWS a database is, and its labels: those of its own, and those that say so. */
function placeOf(
  tags: readonly Tag[] | undefined,
  network: DBInstance['DBSubnetGroup'],
  place: { readonly arn: string | undefined; readonly region: string; readonly engine: string },
) {
  const { arn, region, engine } = place;
  const account = accountOf(arn);
  const vpc = network?.VpcId ?? '';
  return {
    account,
    vpc,
    subnets: (network?.Subnets ?? []).flatMap(({ SubnetIdentifier: id }) => id ?? []),
    labels: labelsOf(tags, { 'account-id': account, region, engine, ...(vpc !== '' && { 'vpc-id': vpc }) }),
  };
}
/** One that has no address yet cannot be enrolled: it is left out. */
function instanceItem(one: DBInstance, region: string) {
  const { DBInstanceIdentifier: name, Engine: engine = '', Endpoint, DBInstanceArn: arn, DBSubnetGroup: network } = one;
  const protocol = PROTOCOLS[engine];
  if (!name || !protocol || !Endpoint?.Address) return [];
  const { account, vpc, subnets, labels } = placeOf(one.TagList, network, { arn, region, engine });
  return [
    {
      name,
      protocol,
      type: 'rds',
      uri: `${Endpoint.Address}:${Endpoint.Port}`,
      labels,
      aws: {
        account_id: account,
        region,
        rds: { resource_id: one.DbiResourceId ?? '', instance_id: name, subnets, vpc_id: vpc },
        status: one.DBInstanceStatus ?? '',
      },
    },
  ];
}
function clusterItem(one: DBCluster, member: DBInstance | undefined, region: string) {
  const { DBClusterIdentifier: name, Engine: engine = '', Endpoint: host, DBClusterArn: arn } = one;
  const protocol = PROTOCOLS[engine];
  if (!name || !protocol || !host) return [];
  const { account, vpc, subnets, labels } = placeOf(one.TagList, member?.DBSubnetGroup, { arn, region, engine });
  return [
    {
      name,
      protocol,
      type: 'rds',
      uri: `${host}:${one.Port}`,
      labels,
      aws: {
        account_id: account,
        region,
        rds: { resource_id: one.DbClusterResourceId ?? '', cluster_id: name, subnets, vpc_id: vpc },
        status: one.Status ?? '',
      },
    },
  ];
}
const tagsOf = (machine: Answered): Label[] =>
  machine.items('tagSet').map(tag => ({ name: tag.text('key'), value: tag.text('value') }));
/** All ports, where EC2 names none: 0 to 65535. */
const ruleOf = (rule: Answered) => ({
  ipProtocol: rule.text('ipProtocol') === '-1' ? 'all' : rule.text('ipProtocol'),
  fromPort: Number(rule.text('fromPort') || 0),
  toPort: Number(rule.text('toPort') || 65_535),
  cidrs: [
    ...rule.items('ipRanges').map(range => ({ cidr: range.text('cidrIp'), description: range.text('description') })),
    ...rule
      .items('ipv6Ranges')
      .map(range => ({ cidr: range.text('cidrIpv6'), description: range.text('description') })),
  ],
});

function refusalOf(error: unknown, what: string): Failure {
  if (error instanceof Failure) return error;
  const { name = '', message = String(error) } = error instanceof Error ? error : {};
  const isDenied = ['AccessDenied', 'AccessDeniedException', 'AuthException', 'UnauthorizedOperation'].includes(name);
  if (name.startsWith('InvalidInstanceID'))
    return new Failure('bad_request', `aws.instanceId: ${message.slice(0, 300)}`);
  const hint =
    name === 'InvalidIdentityToken' ? `; its identity provider must be this gateway, for ${AWS_AUDIENCE}` : '';
  return new Failure(isDenied ? 'denied' : 'unreachable', `${what}: ${message.slice(0, 300)}${hint}`);
}
