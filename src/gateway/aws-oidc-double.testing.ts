// AWS for tests, where there is none: STS, RDS, EC2, EC2 Instance Connect and ECS as their published models have them. STS takes a web identity token
// by the keys that its issuer publishes; the others take what is signed (Signature Version 4) with the credentials that STS gave. An instance connect
// endpoint takes a WebSocket whose address is signed, as AWS's own command line opens one.
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { createWebSocketStream, WebSocketServer } from 'ws';

/** What its identity provider was set up with, and the role that trusts it. */
export const TRUSTED_ROLE = 'arn:aws:iam::123456789012:role/postern';
/** What STS gives. */
export const GIVEN = { id: 'ASIATEMPORARY0000000', secret: 'temporary+key/', token: 'session-token=' };

interface HandedKey {
  readonly InstanceId: string;
  readonly InstanceOSUser: string;
  readonly SSHPublicKey: string;
}
export interface AwsOidcDouble {
  readonly url: string;
  /** Action and parameters of each call that was done, the newest last. */
  readonly done: URLSearchParams[];
  /** Web identity tokens that STS was shown. */
  readonly tokens: string[];
  /** What ECS was asked: action and body, the newest last. */
  readonly ecs: (readonly [action: string, asked: Readonly<Record<string, unknown>>])[];
  /** Keys that EC2 Instance Connect was given, the newest last. */
  readonly keys: HandedKey[];
  /** Hands the machine a key that it was given. */
  hand: (key: HandedKey) => void;
  /** Where an instance connect endpoint leads: the port of this machine behind each privateIpAddress:remotePort. */
  readonly behind: Map<string, number>;
  /** Tunnels that were asked for, the newest last; what AWS allows of them is `mayOpen`. */
  readonly opened: URLSearchParams[];
  mayOpen: boolean;
  /** State of the endpoint of the network. */
  endpoint: string | null;
  /** Who signs with what STS gave, as GetCallerIdentity answers, and how often it did. */
  caller: { readonly account: string; readonly arn: string };
  callers: number;
  /** What it publishes as the certificates of those who vouch for RDS. */
  bundle: string;
  close(): void;
}
/** Where machines of eu-central-1 ask who they are. */
export const STS_HOST = 'sts.eu-central-1.amazonaws.com';
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const signatureOf = (scope: readonly string[], date: string, canonical: string): string => {
  const text = ['AWS4-HMAC-SHA256', date, [...scope, 'aws4_request'].join('/'), hash(canonical)].join('\n');
  const key = [...scope, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${GIVEN.secret}`);
  return hmac(key, text).toString('hex');
};
const SIGNATURE = 'X-Amz-Signature';
/** Whether the address of a tunnel is signed with what STS gave (AWS, "Create a signed AWS API request", by query). */
function isSignedTunnel({ url = '', headers }: IncomingMessage): boolean {
  const { pathname, searchParams } = new URL(url, 'http://double');
  const [id, day = '', region = '', service = ''] = (searchParams.get('X-Amz-Credential') ?? '').split('/');
  const word = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...searchParams]
    .filter(([name]) => name !== SIGNATURE)
    .map(([name, value]) => `${word(name)}=${word(value)}`)
    .sort()
    .join('&');
  const date = searchParams.get('X-Amz-Date') ?? '';
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const isIn = Math.abs(Date.now() - at) < Number(searchParams.get('X-Amz-Expires')) * 1000;
  const canonical = ['GET', pathname, query, `host:${headers.host}\n`, 'host', hash('')].join('\n');
  return (
    isIn &&
    pathname === '/openTunnel' &&
    [id, service, searchParams.get('X-Amz-Security-Token')].join() ===
      [GIVEN.id, 'ec2-instance-connect', GIVEN.token].join() &&
    signatureOf([day, region, service], date, canonical) === searchParams.get(SIGNATURE)
  );
}

/** AWS, "Create a signed AWS API request". */
function isSigned({ headers }: IncomingMessage, body: string, wanted: string, host = headers.host): boolean {
  const [, id, day, region, service, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (id !== GIVEN.id || !day || !region || service !== wanted) return false;
  if (headers['x-amz-security-token'] !== GIVEN.token || !names.split(';').includes('host')) return false;
  const lines = names.split(';').map(name => `${name}:${String(name === 'host' ? host : headers[name]).trim()}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, hash(body)].join('\n');
  return signatureOf([day, region, service], String(headers['x-amz-date']), canonical) === signature;
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

/** The machine that there is, at 10.0.0.7 of network vpc-0a1b2c3d. */
export const INSTANCE = 'i-0a1b2c3d4e5f67890';
const ENDPOINT = 'eice-0a1b2c3d4e5f67890';
/** Login that this account lets nobody be. */
export const FORBIDDEN_LOGIN = 'forbidden';
const endpoints = (state: string): string =>
  `<item><instanceConnectEndpointId>${ENDPOINT}</instanceConnectEndpointId><state>${state}</state><stateMessage/><dnsName>${ENDPOINT}.x.ec2-instance-connect-endpoint.eu-central-1.amazonaws.com</dnsName><vpcId>vpc-0a1b2c3d</vpcId><subnetId>subnet-0a1b2c3d</subnetId></item>`;

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
    `<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><reservationSet><item><ownerId>123456789012</ownerId><instancesSet><item><instanceId>${INSTANCE}</instanceId><privateIpAddress>10.0.0.7</privateIpAddress><privateDnsName>ip-10-0-0-7.internal</privateDnsName><vpcId>vpc-0a1b2c3d</vpcId><subnetId>subnet-0a1b2c3d</subnetId><tagSet><item><key>Name</key><value>web &amp; more</value></item></tagSet></item></instancesSet></item></reservationSet><nextToken>more</nextToken></DescribeInstancesResponse>`,
  DescribeSecurityGroups: () =>
    `<DescribeSecurityGroupsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><securityGroupInfo><item><groupId>sg-0a1b2c3d</groupId><groupName>web</groupName><groupDescription>Web</groupDescription><ipPermissions>${rule}</ipPermissions><ipPermissionsEgress><item><ipProtocol>-1</ipProtocol><ipv6Ranges><item><cidrIpv6>::/0</cidrIpv6></item></ipv6Ranges></item></ipPermissionsEgress></item></securityGroupInfo></DescribeSecurityGroupsResponse>`,
  CreateInstanceConnectEndpoint: asked =>
    `<CreateInstanceConnectEndpointResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><instanceConnectEndpoint><instanceConnectEndpointId>eice-new</instanceConnectEndpointId><subnetId>${asked.get('SubnetId')}</subnetId></instanceConnectEndpoint></CreateInstanceConnectEndpointResponse>`,
};

/** SendSSHPublicKey by the constraints of its model. */
function takesKey(
  { InstanceId: id, InstanceOSUser: login, SSHPublicKey: key }: Readonly<Record<string, string>>,
  isOurs: boolean,
): readonly [number, object] {
  const refused = (type: string, message: string) => [400, { __type: type, message }] as const;
  if (!isOurs) return refused('InvalidSignatureException', 'It does not match');
  if (id !== INSTANCE) return refused('EC2InstanceNotFoundException', 'The instance was not found');
  if (
    !/^[A-Za-z_][A-Za-z0-9@._-]{0,30}[A-Za-z0-9$_-]?$/.test(login ?? '') ||
    !key ||
    key.length < 80 ||
    key.length > 4096
  )
    return refused('InvalidArgsException', 'One of the parameters is not valid');
  if (login === FORBIDDEN_LOGIN)
    return refused('AuthException', 'User is not authorized to perform: ec2-instance-connect:SendSSHPublicKey');
  return [200, { RequestId: '1', Success: true }];
}

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
    if (request.headers['x-amz-target'] === 'AWSEC2InstanceConnectService.SendSSHPublicKey') {
      const key = JSON.parse(body);
      const [status, said] = takesKey(key, isSigned(request, body, 'ec2-instance-connect'));
      if (status === 200) {
        double.keys.push(key);
        double.hand(key);
      }
      return void answer.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(said));
    }
    const form = new URLSearchParams(body);
    const action = form.get('Action') ?? '';
    answer.setHeader('content-type', 'text/xml');
    const say = (status: number, text: string): void => void answer.writeHead(status).end(text);
    if (action === 'AssumeRoleWithWebIdentity') return say(...(await assume(form)));
    if (action === 'GetCallerIdentity') {
      // It stands for the STS of the region, by whose name a machine signs.
      if (!isSigned(request, body, 'sts', STS_HOST))
        return say(403, queryError('SignatureDoesNotMatch', 'The request signature we calculated does not match'));
      double.callers += 1;
      const { account, arn } = double.caller;
      return say(
        200,
        `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>${arn}</Arn><UserId>AROAEXAMPLE:i-0a1b2c3d</UserId><Account>${account}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></GetCallerIdentityResponse>`,
      );
    }
    const service = form.get('Version') === '2016-11-15' ? 'ec2' : 'rds';
    const refuse = service === 'ec2' ? ec2Error : queryError;
    if (!isSigned(request, body, service)) return say(403, refuse('SignatureDoesNotMatch', 'It does not match'));
    if (form.get('SubnetId') === 'subnet-00000000')
      return say(403, refuse('UnauthorizedOperation', 'You are not authorized to perform this operation.'));
    const isAsked = action === 'DescribeInstanceConnectEndpoints';
    const isThere = double.endpoint !== null && form.get('Filter.1.Value.1') === 'vpc-0a1b2c3d';
    const found = isThere ? endpoints(double.endpoint ?? '') : '';
    const made = isAsked
      ? () =>
          `<DescribeInstanceConnectEndpointsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><instanceConnectEndpointSet>${found}</instanceConnectEndpointSet></DescribeInstanceConnectEndpointsResponse>`
      : answers[action];
    const unknown = form.get('InstanceId.1') ?? INSTANCE;
    if (unknown !== INSTANCE)
      return say(400, refuse('InvalidInstanceID.NotFound', `The instance ID '${unknown}' does not exist`));
    if (!made) return say(400, refuse('InvalidAction', `The action ${action} is not valid`));
    done.push(form);
    say(200, made(form));
  });
  const tunnels = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    const asked = new URL(request.url ?? '', 'http://double').searchParams;
    const to = double.behind.get(`${asked.get('privateIpAddress')}:${asked.get('remotePort')}`);
    const isKnown =
      asked.get('instanceConnectEndpointId') === ENDPOINT && Number(asked.get('maxTunnelDuration')) <= 3600;
    if (!isSignedTunnel(request) || !isKnown || !double.mayOpen || to === undefined)
      return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    double.opened.push(asked);
    tunnels.handleUpgrade(request, socket, head, tunnel => {
      const machine = connect(to, '127.0.0.1');
      const stream = createWebSocketStream(tunnel);
      for (const end of [machine, stream]) end.on('error', () => undefined);
      stream.pipe(machine).pipe(stream);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const double: AwsOidcDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bundle: '',
    caller: { account: '123456789012', arn: `arn:aws:sts::123456789012:assumed-role/web/${INSTANCE}` },
    callers: 0,
    keys: [],
    hand: () => undefined,
    behind: new Map(),
    opened: [],
    mayOpen: true,
    endpoint: 'create-complete',
    ecs: [],
    done,
    tokens,
    close() {
      for (const tunnel of tunnels.clients) tunnel.terminate();
      server.close().closeAllConnections();
    },
  };
  return double;
}
