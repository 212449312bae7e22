// Nonsense from clients of clusters: whatever they send, they hear a clear answer or are hung up on, and an API server hears nothing but
// plain requests as whom the roles give.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAuthority } from '../../../../../e2e/rigs/authority.ts';
import { EVERYTHING, kubernetesRole } from '../../../../../e2e/rigs/kubernetes-gateway.ts';
import type { AuditEntry } from '../../../ports/audit.ts';
import type { Who } from '../../../ports/who.ts';
import { createRights } from '../../rights/rights.ts';
import { parseRole } from '../../rights/role.ts';
import { requestEvent } from '../../sessions/kubernetes-audit.ts';
import { createRequestGuards } from '../../sessions/request-guards.ts';
import { type ClusterClients, openClusterClients } from './clients.ts';
import { type ClusterConnections, openClusterConnections } from './connection.ts';
import { type DoorParts, openDoor } from './door.ts';
import type { Cluster } from './target.ts';

const CASES = 5000;
const AT_ONCE = 25;
const GATEWAY_TOKEN = 'of-the-gateway';

const heard: IncomingMessage[] = [];
const problems: string[] = [];
const entries: AuditEntry[] = [];
let apiServer: ReturnType<typeof createServer>;
let connections: ClusterConnections;
let clients: ClusterClients;
let door: Server;
beforeAll(async () => {
  const authority = await createTestAuthority('cluster');
  const { certificate, key } = await authority.issue('localhost', { hosts: ['localhost'] });
  apiServer = createServer({ cert: certificate, key }, (request, response) => {
    heard.push(request);
    request.resume();
    response.setHeader('content-type', 'application/json').end('{"kind":"PodList","apiVersion":"v1","items":[]}');
  });
  // It agrees to whatever is to become a stream, and says nothing on it.
  apiServer.on('upgrade', (request, socket) => {
    heard.push(request);
    socket.on('error', () => undefined).resume();
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.once('end', () => socket.end());
  });
  apiServer.listen(0, '127.0.0.1');
  await once(apiServer, 'listening');
  const { port } = apiServer.address() as AddressInfo;
  const stream = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  connections = openClusterConnections({ stream });
  const cluster: Cluster = {
    ...{
      name: 'prod',
      address: `https://127.0.0.1:${port}`,
      labels: { team: 'shop' },
      host: '127.0.0.1',
      port,
      base: '',
    },
    ...{ serverName: 'localhost', authorities: authority.certificate, shown: undefined, token: GATEWAY_TOKEN },
  };
  const roles = [parseRole(kubernetesRole('dev', EVERYTHING))];
  const rights = createRights(roles, { name: 'ann', roles: ['dev'], traits: {} });
  const who = {
    user: 'ann',
    userId: 'ann',
    roles: ['dev'],
    rights,
    mfaDevice: '',
    grants: [],
    remoteAddr: '192.0.2.1',
  } as unknown as Who;
  const parts: DoorParts = {
    connections,
    audit: { emit: async (entry: AuditEntry) => void entries.push(entry) } as unknown as DoorParts['audit'],
    permit: async () => undefined,
    connect: async () => () => undefined,
    requestEvent,
    guards: createRequestGuards({
      ask: () => {
        throw new Error('no guard asks');
      },
    }),
    enter: () => () => undefined,
    sessions: {
      async relayContainer(asked) {
        const reached = await asked.reach();
        const end = (why: string): void => {
          reached.close();
          reached.farewell(why);
        };
        return {
          ...{ sid: 's', output: () => undefined, input: () => undefined, resize: () => undefined },
          ...{ exited: () => end(''), gone: end },
        };
      },
    },
  };
  clients = openClusterClients({ enter: async () => openDoor(parts, who, cluster, '') }, (problem, error) => {
    problems.push(`${problem}: ${error}`);
  });
  const identity = { userId: 'ann', webSessionId: 'w', target: 'prod', device: '' };
  door = createTcpServer(socket => {
    socket.on('error', () => undefined);
    clients.take(socket, { identity: identity as never, remoteAddr: '192.0.2.1' });
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
});
afterAll(() => {
  clients?.close();
  connections?.close();
  door?.close();
  apiServer?.closeAllConnections();
  apiServer?.close();
});

const segment = fc.constantFrom(
  ...[
    'api',
    'apis',
    'v1',
    'namespaces',
    'default',
    'kube-system',
    'pods',
    'web-0',
    'secrets',
    'exec',
    'attach',
    'portforward',
  ],
  ...[
    'proxy',
    'nodes',
    'watch',
    'log',
    '..',
    '.',
    '',
    '%2e%2e',
    '%2f',
    'a%2fb',
    '%252f',
    '%00',
    '%0d%0a',
    '\\',
    ';',
    '%',
    '%zz',
  ],
  ...['*', '@', ':', '~', '?watch=1', '#x', 'é', '\u0001', 'a b', 'x'.repeat(600)],
);
const path = fc
  .tuple(
    fc.constantFrom('/v1/clusters/prod', '/v1/clusters/prod/', '/v1/clusters/other', '/v1/clusters/%70rod', ''),
    fc.array(segment, { maxLength: 9 }),
  )
  .map(([before, parts]) => `${before}/${parts.join('/')}`);
const header = fc.constantFrom(
  ...[
    'Impersonate-User: admin',
    'impersonate-group: system:masters',
    'Impersonate-Uid: 1',
    'Impersonate-Extra-Scopes: x',
  ],
  ...[
    'IMPERSONATE-USER: ann',
    'Impersonate-User : root',
    'Impersonate_User: root',
    ' Impersonate-User: root',
    'Impersonate-User:',
  ],
  ...[
    'Connection: Impersonate-User, Authorization',
    'Connection: close',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Upgrade: SPDY/3.1',
  ],
  ...[
    'Upgrade: h2c',
    'Authorization: Bearer stolen',
    'X-Remote-User: root',
    'X-Forwarded-For: 1.2.3.4',
    'Cookie: a=b',
    'Host: elsewhere',
  ],
  ...[
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding : chunked',
    'Content-Length: 5',
  ],
  ...[
    'Content-Length: -1',
    'Content-Length: 99999999999',
    'Content-Length: 5, 6',
    'Expect: 100-continue',
    'Sec-WebSocket-Protocol: v5.channel.k8s.io',
  ],
  ...[
    'Sec-WebSocket-Key: x',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Protocol: SPDY/3.1+portforward.k8s.io',
    'Content-Type: application/json',
  ],
  ...[
    'Accept: application/vnd.kubernetes.protobuf',
    'X: é',
    'X: \u0000',
    `X: ${'y'.repeat(70_000)}`,
    'no colon',
    '\r\nGET / HTTP/1.1',
  ],
);
const body = fc.oneof(
  fc.constantFrom(
    '',
    'hello',
    '5\r\nhello\r\n0\r\n\r\n',
    '5;x=y\r\nhello\r\n0\r\n\r\n',
    'zz\r\nhello\r\n',
    'ffffffffffffffff\r\n',
    '-1\r\n',
    '0\r\n',
  ),
  fc.constantFrom(
    '0\r\n\r\nGET /v1/clusters/prod/api/v1/secrets HTTP/1.1\r\nImpersonate-User: admin\r\nHost: x\r\n\r\n',
    '{"metadata":{"name":["a"]}}',
  ),
  fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes).toString('latin1')),
);
const method = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'get',
  'PRI',
  'G\u0001T',
);
const written = fc
  .tuple(
    method,
    path,
    fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''),
    fc.array(header, { maxLength: 7 }),
    body,
    fc.boolean(),
  )
  .map(([verb, to, version, headers, rest, isCut]) => {
    const whole = `${verb} ${to} ${version}\r\nHost: gateway\r\n${headers.map(one => `${one}\r\n`).join('')}\r\n${rest}`;
    return Buffer.from(isCut ? whole.slice(0, Math.floor(whole.length * 0.7)) : whole, 'latin1');
  });
/** A program that is begun in good order, and nonsense where its messages should be. */
const streamed = fc
  .tuple(fc.constantFrom('exec?command=sh&stdin=1', 'attach?stdin=1', 'portforward'), fc.uint8Array({ maxLength: 400 }))
  .map(([what, bytes]) => {
    const said = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
    ];
    const head = `GET /v1/clusters/prod/api/v1/namespaces/default/pods/web-0/${what} HTTP/1.1\r\nHost: gateway\r\n${said.join('\r\n')}\r\nSec-WebSocket-Protocol: v5.channel.k8s.io\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), bytes]);
  });
const nonsense = fc.oneof(
  { weight: 6, arbitrary: written },
  { weight: 2, arbitrary: streamed },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 500 }).map(bytes => Buffer.from(bytes)) },
);

/** A client that has heard nothing for so long has nothing more to say, ms. */
const PATIENCE_MS = 60;
/** What comes back until both have hung up. */
async function say(bytes: Buffer): Promise<string> {
  const socket = connect((door.address() as AddressInfo).port, '127.0.0.1');
  const pieces: Buffer[] = [];
  socket.on('error', () => undefined).setTimeout(PATIENCE_MS, () => socket.end());
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    socket.end();
  });
  socket.write(bytes);
  const closed = await Promise.race([
    new Promise(done => socket.once('close', () => done(true))),
    new Promise(done => setTimeout(done, 30_000, false).unref()),
  ]);
  if (closed !== true)
    throw new Error(`nobody hangs up after ${JSON.stringify(bytes.toString('latin1').slice(0, 600))}`);
  return Buffer.concat(pieces).toString('latin1');
}

test('5,000 malformed requests are answered in words or hung up on; what reaches the cluster is plain, and as whom the roles give', async () => {
  const cases = fc.sample(nonsense, { numRuns: CASES, seed: 20_261_123 });
  const answers: string[] = [];
  const next = cases[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let one = next.next(); !one.done; one = next.next()) answers.push(await say(one.value));
    }),
  );
  expect(answers).toHaveLength(CASES);
  expect(answers.filter(answer => answer !== '' && !/^HTTP\/1\.1 \d{3} /.test(answer))).toEqual([]);
  expect(answers.filter(answer => /^HTTP\/1\.1 5/.test(answer))).toEqual([]);
  expect(problems).toEqual([]);
  // Some are good requests by chance: the cases are not all refused at the first byte.
  expect(heard.length).toBeGreaterThan(100);
  for (const { url = '', rawHeaders } of heard) {
    const values = (name: string) =>
      rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
    expect([values('impersonate-user'), values('impersonate-group')]).toEqual([['ann'], ['dev']]);
    expect(values('authorization')).toEqual([`Bearer ${GATEWAY_TOKEN}`]);
    expect(rawHeaders.join('\n')).not.toMatch(/^(x-remote-user|cookie|x-forwarded-for|impersonate-(uid|extra))/im);
    expect(url.split('?')[0]).not.toMatch(/\/\.{1,2}(\/|$)|\/\/|%2f|%5c|%00|\\/i);
  }
  expect(
    await say(Buffer.from('GET /v1/clusters/prod/version HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n')),
  ).toMatch(/^HTTP\/1\.1 200/);
}, 120_000);
