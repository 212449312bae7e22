// Servers that are no database, or lie about what they are: nothing is sent to them but the wish for TLS, and the sentence says why.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import type { DatabaseTarget } from '../../../ports/databases.ts';
import { createCertificates } from '../../certificates/certificates.ts';
import { createDirectReach } from '../../reach/direct.ts';
import { dial } from './dial.ts';
import { askForTls } from './postgresql/relay.ts';

const kept = new Map<string, unknown>();
const certificates = createCertificates({
  settings: {
    get: async key => kept.get(key) ?? null,
    putIfAbsent: async (key, value) => {
      if (!kept.has(key)) kept.set(key, value);
      return kept.get(key);
    },
  },
  secrets: { seal: async secret => secret, open: sealed => sealed },
  clusterName: 'here',
});

/** None of these is in AWS. */
const nothing = () => Promise.reject(new Error('not asked'));
const awsOidc = { rdsLogins: { authorities: nothing, password: nothing } };

/** Why a server that answers so was not taken, and all that it was sent. */
async function refused(answer: (socket: Socket) => void, more: Partial<DatabaseTarget> = {}) {
  const sent: Buffer[] = [];
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    socket.once('data', bytes => {
      sent.push(bytes);
      answer(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const database: DatabaseTarget = {
    name: 'orders',
    protocol: 'postgres',
    uri: '',
    host: '127.0.0.1',
    port,
    serverName: 'db.internal',
    authorities: null,
    labels: {},
    made: null,
    type: 'self-hosted',
    namesDatabases: true,
    rds: null,
    ...more,
  };
  const how = { database, dbUser: 'app', dbName: 'orders', ttlMs: 60_000, own: true, alpn: ['postgresql'] };
  try {
    const socket = await dial({ reach: createDirectReach(), certificates, awsOidc }, { ...how, begin: askForTls });
    socket.destroy();
    return 'taken';
  } catch (error) {
    expect(Buffer.concat(sent).subarray(0, 8).toString('hex')).toBe('0000000804d2162f');
    return (error as Error).message;
  } finally {
    server.close();
  }
}
const showing =
  (purpose: 'databaseServers' | 'gateway', name: string) =>
  async (socket: Socket): Promise<void> => {
    const ends = new Date(Date.now() + 60_000);
    const { certificate, privateKey } = await certificates.issue(purpose, { name, ends, for: 'server', hosts: [name] });
    socket.write('S');
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: createSecureContext({ cert: certificate, key: privateKey }),
    });
    secure.on('error', () => undefined);
  };

test.each<[string, (socket: Socket) => void]>([
  ['N', socket => void socket.write('N')],
  ['another protocol', socket => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['bytes in the clear behind its yes', socket => void socket.write('SE\0\0\0\0')],
  ['nothing', socket => void socket.end()],
])('a server that answers %s is not taken for a database', async (_what, answer) => {
  expect(await refused(answer)).toMatch(/^orders could not be reached over TLS: /);
});

test('a certificate counts by who vouches for it and by its name', async () => {
  expect(await refused(showing('databaseServers', 'db.internal'))).toBe('taken');
  expect(await refused(showing('gateway', 'db.internal'))).toContain('Nobody that this cluster knows vouches for');
  expect(await refused(showing('databaseServers', 'other.internal'))).toContain('is for another name');
  const authorities = await certificates.authority('gateway');
  expect(await refused(showing('gateway', 'db.internal'), { authorities })).toBe('taken');
  expect(await refused(showing('databaseServers', 'db.internal'), { authorities })).toContain('spec.tls.ca_cert');
});
