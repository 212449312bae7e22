// Bytes that no client of a database sends, before its log-in, in it and behind it: each ends its own connection, and nothing else.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseClient, logIn, openBooks, openCache, openDatabases } from '../../e2e/rigs/databases.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

/** Of each protocol: on the bare connection, within TLS with a certificate that counts, and in a session that has begun. */
const CASES = { bare: 4800, secure: 150, session: 50 } as const;
/** Clients that are gone as soon as they have logged in. */
const GONE = 10;
const AT_ONCE = 20;
const SEED = 20_261_127;
/** A client that has heard nothing for so long has nothing more to say, ms. */
const PATIENCE_MS = 20;
/** Real servers on a machine that is busy with other things, ms. */
const SLOW_MS = 240_000;

interface Nonsense {
  readonly bytes: Buffer;
  /** The client hangs up behind them, or waits for what comes. */
  readonly isLast: boolean;
}
const raw = (most: number) => fc.uint8Array({ maxLength: most }).map(bytes => Buffer.from(bytes));
const latin = (...texts: readonly string[]) => fc.constantFrom(...texts.map(text => Buffer.from(text, 'latin1')));
const pieces = (...of: readonly fc.Arbitrary<Buffer>[]): fc.Arbitrary<Buffer> =>
  fc.array(fc.oneof(...of), { maxLength: 6 }).map(all => Buffer.concat(all));
/** A number as it is written before something that may be of another length. */
const number = (bytes: number, isLittle: boolean) =>
  fc.oneof(fc.nat(40), fc.nat(2 ** (8 * bytes) - 1), fc.constant(2 ** (8 * bytes) - 1)).map(value => {
    const written = Buffer.alloc(bytes);
    if (isLittle) written.writeUIntLE(value, 0, bytes);
    else written.writeUIntBE(value, 0, bytes);
    return written;
  });
const words = raw(30);
const tlsRecords = fc
  .tuple(fc.constantFrom(0x14, 0x15, 0x16, 0x17), number(2, false), raw(200))
  .map(([kind, length, body]) => Buffer.concat([Buffer.from([kind, 3, 1]), length, body]));
const otherProtocols = latin(
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'SSH-2.0-OpenSSH_9.6\r\n',
  '\x03\0\0\x13\x0e\xe0\0\0\0\0\0',
  'RFB 003.008\n',
);
const big = (value: number): Buffer => {
  const written = Buffer.alloc(4);
  written.writeInt32BE(value);
  return written;
};
/** As PostgreSQL begins: the length of all, and a code. */
const asked = (code: number): Buffer => Buffer.concat([big(8), big(code)]);
const requests = fc.constantFrom(
  asked(80877103),
  asked(80877104),
  Buffer.concat([big(16), big(80877102), big(1), big(2)]),
);
const startUps = fc
  .tuple(number(4, false), fc.constantFrom(big(196608), big(196610), big(131072), big(-1)), words)
  .map(([length, version, text]) => Buffer.concat([length, version, text]));
const messages = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...'QPBEDCSHXFpdcf').map(letter => letter.charCodeAt(0)),
      fc.nat(255),
    ),
    number(4, false),
    words,
  )
  .map(([kind, length, body]) => Buffer.concat([Buffer.from([kind]), length, body]));
const packets = fc
  .tuple(number(3, true), fc.oneof(fc.nat(3), fc.nat(255)), fc.oneof(fc.nat(30), fc.nat(255)), words)
  .map(([length, sequence, command, body]) => Buffer.concat([length, Buffer.from([sequence, command]), body]));
const commands = pieces(
  latin(
    '*2\r\n',
    '*-1\r\n',
    '*99999999999\r\n',
    '*x\r\n',
    '*1\r\n$-1\r\n',
    '$3\r\n',
    '\r\n',
    '\n',
    '*0\r\n',
    '* 1\r\n',
  ),
  latin(
    '$4\r\nPING\r\n',
    '$9999999999\r\n',
    'GET "a',
    "SET 'x\n",
    'PING\r\n',
    '%1\r\n',
    '>1\r\n',
    'AUTH',
    'HELLO 9\r\n',
  ),
  words,
);

interface Protocol {
  readonly name: string;
  readonly database: string;
  /** Before TLS. */
  readonly bare: fc.Arbitrary<Buffer>;
  /** In place of a log-in. */
  readonly secure: fc.Arbitrary<Buffer>;
  /** Behind one. */
  readonly session: fc.Arbitrary<Buffer>;
  /** What logs in, and what says that it has. */
  readonly login: Buffer;
  readonly isIn: string;
  /** A statement and what its answer has in it. */
  readonly statement: Buffer;
  readonly answer: string;
}
const parameters = Buffer.from('\0\x03\0\0user\0app\0database\0orders\0\0');
const mysqlPacket = (sequence: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUIntLE(body.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, body]);
};
const mysqlLogin = Buffer.concat([
  Buffer.from([0x00, 0xa2, 0x08, 0x00, 0, 0, 0, 1]),
  Buffer.alloc(24),
  Buffer.from('app\0\0mysql_native_password\0'),
]);
const query = Buffer.from('select 40 + 2\0');
const protocols: readonly Protocol[] = [
  {
    ...{ name: 'PostgreSQL', database: 'orders' },
    bare: fc.oneof(
      pieces(requests, startUps, words),
      pieces(requests, tlsRecords),
      startUps,
      tlsRecords,
      raw(300),
      otherProtocols,
    ),
    secure: fc.oneof(pieces(requests, startUps), startUps, messages, raw(300), otherProtocols),
    session: fc.oneof(pieces(messages), raw(300)),
    login: Buffer.concat([big(parameters.length + 4), parameters]),
    isIn: 'Z\0\0\0\x05I',
    statement: Buffer.concat([Buffer.from('Q'), big(query.length + 4), query]),
    answer: '42',
  },
  {
    ...{ name: 'MySQL', database: 'books' },
    bare: fc.oneof(pieces(packets, words), packets, tlsRecords, raw(300), otherProtocols),
    secure: fc.oneof(packets, pieces(packets), raw(300), otherProtocols),
    session: fc.oneof(pieces(packets), raw(300)),
    login: mysqlPacket(1, mysqlLogin),
    isIn: '\0\0\x02\0',
    statement: mysqlPacket(0, Buffer.from('\x03select 40 + 2')),
    answer: '\x0242',
  },
  {
    ...{ name: 'Redis', database: 'cache' },
    bare: fc.oneof(commands, tlsRecords, raw(300), otherProtocols),
    secure: fc.oneof(commands, raw(300), otherProtocols),
    session: fc.oneof(commands, raw(300)),
    login: Buffer.from('PING\r\n'),
    isIn: '+PONG\r\n',
    statement: Buffer.from('*2\r\n$4\r\nECHO\r\n$2\r\n42\r\n'),
    answer: '42',
  },
];

let rig: Rig;
let folder: string;
let ann: Browser;
/** Of connections that were begun and left so, each once the gateway has hung up. */
const left: Promise<unknown>[] = [];
const servers: { dispose(): Promise<void> }[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-hostile-'));
  rig = await openRig({ databases: true });
  for (const open of [openDatabases, openBooks, openCache]) servers.push(await open(rig));
  const many = 'kind: role\nversion: v7\nmetadata: { name: many }\nspec: { options: { max_sessions: 1000 } }\n';
  await rig.store.resources.create(roleResource(many));
  await rig.addUser('ann', ['access', 'shop', 'many']);
  ann = await rig.signIn('ann');
  for (const protocol of protocols) {
    const { bare, secure } = ways(await logIn(folder, ann, protocol.database), protocol);
    for (const begun of ['', '\0', '\x16\x03'])
      for (const socket of [await bare(), (await secure()).socket]) {
        left.push(once(socket, 'close'));
        socket.write(Buffer.from(begun, 'latin1'));
      }
  }
}, SLOW_MS);
afterAll(async () => {
  for (const server of servers) await server.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

interface Secured {
  readonly socket: Socket;
  /** What its TLS runs over. */
  readonly under: Socket;
  /** Resolves once the gateway has said it. */
  hears(what: string): Promise<void>;
}
const turn = () => new Promise(done => setImmediate(done));
/** What is heard on a socket, from now on. */
function ears(socket: Socket) {
  let said = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => {
    said += bytes.toString('latin1');
    if (said.length > 4096) said = said.slice(-2048);
  });
  return {
    async hears(what: string): Promise<void> {
      await expect.poll(() => said, { timeout: SLOW_MS / 4 }).toContain(what);
    },
  };
}
/** Says it, and hangs up at once or once nothing more comes. Resolves when the gateway has hung up too. */
async function say(socket: Socket, { bytes, isLast }: Nonsense): Promise<void> {
  const closed = once(socket, 'close');
  socket.setTimeout(PATIENCE_MS, () => socket.end());
  if (isLast) socket.end(bytes);
  else socket.write(bytes);
  await closed;
}
async function each(cases: readonly Nonsense[], run: (one: Nonsense) => Promise<void>): Promise<void> {
  const next = cases[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let one = next.next(); !one.done; one = next.next()) await run(one.value);
    }),
  );
}
const sample = (bytes: fc.Arbitrary<Buffer>, numRuns: number) =>
  fc.sample(fc.record({ bytes, isLast: fc.boolean() }), { numRuns, seed: SEED });

function ways({ port, tlsPort, authority, certificate, key }: DatabaseClient, { database, name }: Protocol) {
  const shown = { ca: readFileSync(authority), cert: readFileSync(certificate), key: readFileSync(key) };
  const protocol = { orders: 'postgresql', books: 'postern-mysql', cache: 'postern-redis' }[database] ?? name;
  const bare = async (at = port): Promise<Socket> => {
    const socket = connect(at, '127.0.0.1');
    ears(socket);
    await once(socket, 'connect');
    return socket;
  };
  const secure = async (): Promise<Secured> => {
    const under = await bare(tlsPort);
    const socket = connectTls({ socket: under, servername: 'localhost', ALPNProtocols: [protocol], ...shown });
    const { hears } = ears(socket);
    await once(socket, 'secureConnect');
    return { socket, under, hears };
  };
  return { bare, secure };
}

/** Sessions that have begun since and have not ended, in one database or in all. */
async function openSince(from: Date, database?: string): Promise<number> {
  const types = ['db.session.start', 'db.session.end'];
  const to = new Date(Date.now() + 60_000);
  const { events } = await rig.store.events.search({ from, to, limit: 2000, types, descending: false });
  const count = (code: string) =>
    events.filter(event => event.code === code && (database === undefined || event.raw.db_service === database)).length;
  return count('TDB00I') - count('TDB01I');
}

test.each(protocols.map(protocol => [protocol.name, protocol] as const))(
  '5,000 generated beginnings, log-ins and messages of %s end their own connections, and so does who is gone at once; a session beside them goes on',
  async (_name, protocol) => {
    const { bare, secure } = ways(await logIn(folder, ann, protocol.database), protocol);
    const begin = async (): Promise<Secured> => {
      const client = await secure();
      client.socket.write(protocol.login);
      await client.hears(protocol.isIn);
      return client;
    };
    const from = new Date();
    const beside = await begin();
    await each(sample(protocol.bare, CASES.bare), async one => say(await bare(), one));
    await each(sample(protocol.secure, CASES.secure), async one => say((await secure()).socket, one));
    await each(sample(protocol.session, CASES.session), async one => say((await begin()).socket, one));
    await Promise.all(
      Array.from({ length: GONE }, async () => {
        const { socket, under } = await secure();
        await new Promise(done => socket.write(protocol.login, done));
        await turn();
        under.resetAndDestroy();
      }),
    );
    beside.socket.write(protocol.statement);
    await beside.hears(protocol.answer);
    beside.socket.destroy();
    await expect.poll(() => openSince(from, protocol.database), { timeout: SLOW_MS / 4 }).toBe(0);
    // Nothing else is the matter.
    expect(rig.log.filter(line => !line.startsWith('{'))).toEqual([]);
  },
  SLOW_MS,
);

test(
  'connections that are left in the middle of a beginning or a log-in are hung up on, and no session is left open',
  async () => {
    expect(left).toHaveLength(18);
    await Promise.all(left);
    await expect.poll(() => openSince(new Date(0)), { timeout: SLOW_MS / 4 }).toBe(0);
  },
  SLOW_MS,
);
