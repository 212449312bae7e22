// AWS for tests, where there is none: STS, RDS, EC2 and ECS as their published models have them. STS takes a web identity token by the keys that
// its issuer publishes; RDS and EC2 take what is signed (Signature Version 4) with the credentials that STS gave.
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';

/** What its identity provider was set up with, and the role that trusts it. */
export const TRUSTED_ROLE = 'arn:aws:iam::123456789012:role/postern';
/** What STS gives. */
export const GIVEN = { id: 'ASIATEMPORARY0000000', secret: 'temporary+key/', token: 'session-token=' };

export interface AwsOidcDouble {
  readonly url: string;
  /** Action and parameters of each call that was done, the newest last. */
  readonly done: URLSearchParams[];
  /** Web identity tokens that STS was shown. */
  readonly tokens: string[];
  /** What ECS was asked: action and body, the newest last. */
  readonly ecs: (readonly [action: string, asked: Readonly<Record<string, unknown>>])[];
  /** What it publishes as the certificates of those who vouch for RDS. */
  bundle: string;
  close(): void;
}
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** AWS, "Create a signed AWS API request". */
function isSigned({ headers }: IncomingMessage, body: string, wanted: string): boolean {
  const [, id, day, region, service, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/(\w+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (id !== GIVEN.id || !day || !region || service !== wanted) return false;
  if (headers['x-amz-security-token'] !== GIVEN.token || !names.split(';').includes('host')) return false;
  const lines = names.split(';').map(name => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, hash(body)].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${GIVEN.secret}`);
  return hmac(key, text).toString('hex') === signature;
}

const queryError = (code: string, message: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
const ec2Error = (code: string, message: string): string =>
  `<?xml version="1.0"?><Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>1</RequestID></Response>`;

const network =
  '<DBSubnetGroup><VpcId>vpc-0a1b2c3d</VpcId><Subnets><Subnet><SubnetIdentifier>subnet-0a1b2c3d</SubnetIdentifier></Subnet><Subnet><SubnetIdentifier>subnet-0a1b2c3e</SubnetIdentifier></Subnet></Subnets></DBSubnetGroup>';
const instance = (id: string, more = '') =>
  `<DBInstance><DBInstanceIdentifier>${id}</DBInstanceIdentifier><Engine>postgres</Engine><DBInstanceStatus>available</DBInstanceStatus><Endpoint><Address>${id}.x.eu-central-1.rds.amazonaws.com</Address><Port>5432</Port></Endpoint><DBInstanceArn>arn:aws:rds:eu-central-1:123456789012:db:${id}</DBInstanceArn><DbiResourceId>db-${id}</DbiResourceId><TagList><Tag><Key>env</Key><Value>prod</Value></Tag></TagList>${network}${more}</DBInstance>`;
const member = '<DBClusterIdentifier>shop</DBClusterIdentifier>';
const rule =
  '<item><ipProtocol>tcp</ipProtocol><fromPort>22</fromPort><toPort>22</toPort><ipRanges><item><cidrIp>10.0.0.0/8</cidrIp><description>inside</description></item></ipRanges></item>';

/** Answers by action, as the models say. */
const answers: Readonly<Record<string, (asked: URLSearchParams) => string>> = {
  DescribeDBInstances: asked => {
    const isOfCluster = asked.get('Filters.Filter.1.Name') === 'db-cluster-id';
    const all = isOfCluster ? instance('shop-1', member) : instance('orders') + instance('shop-1', member);
    const marker = isOfCluster || asked.get('Marker') ? '' : '<Marker>more</Marker>';
    return `<DescribeDBInstancesResponse xmlns="http://rds.amazonaws.com/doc/2014-10-31/"><DescribeDBInstancesResult><DBInstances>${all}</DBInstances>${marker}</DescribeDBInstancesResult></DescribeDBInstancesResponse>`;
  },
  DescribeDBClusters: () =>
    '<DescribeDBClustersResponse xmlns="http://rds.amazonaws.com/doc/2014-10-31/"><DescribeDBClustersResult><DBClusters><DBCluster><DBClusterIdentifier>shop</DBClusterIdentifier><Engine>aurora-mysql</Engine><Endpoint>shop.cluster-x.rds.amazonaws.com</Endpoint><Port>3306</Port><Status>available</Status><DBClusterArn>arn:aws:rds:eu-central-1:123456789012:cluster:shop</DBClusterArn><DbClusterResourceId>cluster-SHOP</DbClusterResourceId></DBCluster></DBClusters></DescribeDBClustersResult></DescribeDBClustersResponse>',
  DescribeInstances: () =>
    '<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><reservationSet><item><ownerId>123456789012</ownerId><instancesSet><item><instanceId>i-0a1b2c3d4e5f67890</instanceId><privateIpAddress>10.0.0.7</privateIpAddress><privateDnsName>ip-10-0-0-7.internal</privateDnsName><vpcId>vpc-0a1b2c3d</vpcId><subnetId>subnet-1</subnetId><tagSet><item><key>Name</key><value>web &amp; more</value></item></tagSet></item></instancesSet></item></reservationSet><nextToken>more</nextToken></DescribeInstancesResponse>',
  DescribeSecurityGroups: () =>
    `<DescribeSecurityGroupsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><securityGroupInfo><item><groupId>sg-0a1b2c3d</groupId><groupName>web</groupName><groupDescription>Web</groupDescription><ipPermissions>${rule}</ipPermissions><ipPermissionsEgress><item><ipProtocol>-1</ipProtocol><ipv6Ranges><item><cidrIpv6>::/0</cidrIpv6></item></ipv6Ranges></item></ipPermissionsEgress></item></securityGroupInfo></DescribeSecurityGroupsResponse>`,
  DescribeInstanceConnectEndpoints: () =>
    '<DescribeInstanceConnectEndpointsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><instanceConnectEndpointSet><item><instanceConnectEndpointId>eice-1</instanceConnectEndpointId><state>create-complete</state><stateMessage/><subnetId>subnet-1</subnetId></item></instanceConnectEndpointSet></DescribeInstanceConnectEndpointsResponse>',
  CreateInstanceConnectEndpoint: asked =>
    `<CreateInstanceConnectEndpointResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><instanceConnectEndpoint><instanceConnectEndpointId>eice-new</instanceConnectEndpointId><subnetId>${asked.get('SubnetId')}</subnetId></instanceConnectEndpoint></CreateInstanceConnectEndpointResponse>`,
};

const inEcs = (kind: string, name: unknown): string => `arn:aws:ecs:eu-central-1:123456789012:${kind}/${name}`;
/** Answers of ECS by action (JSON protocol): what is wrong with a call is told by its `__type`. */
function askedOfEcs(
  running: Map<string, unknown>,
  action: string,
  asked: Readonly<Record<string, unknown>>,
): readonly [number, object] {
  const { clusterName, family, service, serviceName = service, taskRoleArn, services } = asked;
  if (action === 'CreateCluster') return [200, { cluster: { clusterArn: inEcs('cluster', clusterName) } }];
  if (action === 'RegisterTaskDefinition')
    return String(taskRoleArn).endsWith('/forbidden')
      ? [400, { __type: 'AccessDeniedException', message: `User is not authorized to perform: iam:PassRole` }]
      : [200, { taskDefinition: { taskDefinitionArn: inEcs('task-definition', `${family}:1`) } }];
  if (action === 'DescribeServices') {
    const found = (services as string[]).filter(name => running.has(name));
    return [200, { services: found.map(name => ({ serviceName: name, status: 'ACTIVE' })), failures: [] }];
  }
  const isNew = action === 'CreateService';
  if (!isNew && action !== 'UpdateService') return [400, { __type: 'UnknownOperationException' }];
  if (isNew === running.has(String(serviceName)))
    return [400, { __type: 'com.amazonaws.ecs#InvalidParameterException', message: 'Creation was not idempotent' }];
  running.set(String(serviceName), asked);
  return [200, { service: { serviceArn: inEcs('service', serviceName) } }];
}

/** `discovery` and `keys`: what its issuer publishes, asked anew for each token. */
export async function openAwsOidcDouble(publishes: {
  readonly discovery: () => Promise<{ readonly issuer: string }>;
  readonly keys: () => Promise<JSONWebKeySet>;
}): Promise<AwsOidcDouble> {
  const done: URLSearchParams[] = [];
  const tokens: string[] = [];
  const running = new Map<string, unknown>();
  async function assume(form: URLSearchParams): Promise<readonly [number, string]> {
    const token = form.get('WebIdentityToken') ?? '';
    tokens.push(token);
    const { issuer } = await publishes.discovery();
    const proved = await jwtVerify(token, createLocalJWKSet(await publishes.keys()), {
      ...{ issuer, audience: 'discover.postern', subject: 'system:proxy', algorithms: ['RS256'] },
    }).catch(() => null);
    if (!proved)
      return [400, queryError('InvalidIdentityToken', 'The web identity token that was passed is not valid')];
    if (form.get('RoleArn') !== TRUSTED_ROLE)
      return [403, queryError('AccessDenied', 'Not authorized to perform sts:AssumeRoleWithWebIdentity')];
    if (form.get('Version') !== '2011-06-15' || !/^[\w+=,.@-]{2,64}$/.test(form.get('RoleSessionName') ?? ''))
      return [400, queryError('ValidationError', 'RoleSessionName')];
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    return [
      200,
      `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>${GIVEN.id}</AccessKeyId><SecretAccessKey>${GIVEN.secret}</SecretAccessKey><SessionToken>${GIVEN.token}</SessionToken><Expiration>${expires}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
    ];
  }
  const server = createServer(async (request, answer) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (request.method === 'GET') return void answer.end(double.bundle);
    const [, ecsAction] =
      /^AmazonEC2ContainerServiceV20141113\.(\w+)$/.exec(String(request.headers['x-amz-target'])) ?? [];
    if (ecsAction !== undefined) {
      const asked: Readonly<Record<string, unknown>> = JSON.parse(body);
      const [status, said] = isSigned(request, body, 'ecs')
        ? askedOfEcs(running, ecsAction, asked)
        : [400, { __type: 'InvalidSignatureException', message: 'It does not match' }];
      double.ecs.push([ecsAction, asked]);
      return void answer.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(said));
    }
    const form = new URLSearchParams(body);
    const action = form.get('Action') ?? '';
    answer.setHeader('content-type', 'text/xml');
    const say = (status: number, text: string): void => void answer.writeHead(status).end(text);
    if (action === 'AssumeRoleWithWebIdentity') return say(...(await assume(form)));
    const service = form.get('Version') === '2016-11-15' ? 'ec2' : 'rds';
    const refuse = service === 'ec2' ? ec2Error : queryError;
    if (!isSigned(request, body, service)) return say(403, refuse('SignatureDoesNotMatch', 'It does not match'));
    if (form.get('SubnetId') === 'subnet-00000000')
      return say(403, refuse('UnauthorizedOperation', 'You are not authorized to perform this operation.'));
    const made = answers[action];
    if (!made) return say(400, refuse('InvalidAction', `The action ${action} is not valid`));
    done.push(form);
    say(200, made(form));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const double: AwsOidcDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bundle: '',
    ecs: [],
    done,
    tokens,
    close: () => void server.close().closeAllConnections(),
  };
  return double;
}
