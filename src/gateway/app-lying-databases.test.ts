// Databases that lie: before TLS, about who they are, as they let somebody in and in their answers. The client hears a sentence or is hung up
// on, its session ends, and the gateway goes on.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAuthority } from '../../e2e/rigs/authority.ts';
import { addDatabases, auditTrail, type DatabaseClient, logIn, role, signedFiles } from '../../e2e/rigs/databases.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const run = promisify(execFile);
/** Real clients on a machine that is busy with other things, ms. */
const SLOW_MS = 60_000;

let rig: Rig;
let folder: string;
let ann: Browser;
let files: Readonly<Record<string, string>>;
let foreign: { readonly certificate: string; readonly key: string };
const liars: Server[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-lies-'));
  rig = await openRig({ databases: true });
  await rig.store.resources.create(roleResource(role('shop', 'app')));
  await rig.addUser('ann', ['access', 'shop']);
  ann = await rig.signIn('ann');
  files = await signedFiles(rig, '127.0.0.1');
  foreign = await (await createTestAuthority('somebody')).issue('127.0.0.1', { hosts: ['127.0.0.1'] });
}, SLOW_MS);
afterAll(async () => {
  for (const liar of liars) liar.close();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** What a server does with a connection. */
type Lie = (socket: Socket) => Promise<void> | void;
const says =
  (text: string): Lie =>
  socket =>
    void socket.write(Buffer.from(text, 'latin1'));
const heard = (socket: Socket): Promise<unknown> => once(socket, 'data');
/** TLS as it should be, or with the certificate of somebody else, and then this. */
function within(lie: Lie, begins: Lie = () => undefined, shown?: { certificate: string; key: string }): Lie {
  return async raw => {
    await begins(raw);
    const secured = new TLSSocket(raw, {
      isServer: true,
      cert: shown?.certificate ?? files['server.crt'] ?? '',
      key: shown?.key ?? files['server.key'] ?? '',
    });
    secured.on('error', () => undefined);
    await lie(secured);
  };
}
const agrees: Lie = async socket => {
  await heard(socket);
  socket.write('S');
};
/** Answers each thing that it hears with the next of these. */
const answers =
  (...texts: readonly string[]): Lie =>
  async socket => {
    for (const text of texts) {
      await heard(socket);
      socket.write(Buffer.from(text, 'latin1'));
    }
    socket.resume();
  };

const clients: Readonly<Record<string, (at: DatabaseClient) => readonly [file: string, words: readonly string[]]>> = {
  postgres: ({ port, authority, certificate, key }) => [
    'psql',
    [
      `host=localhost port=${port} user=app dbname=orders sslmode=verify-full sslrootcert=${authority} sslcert=${certificate} sslkey=${key}`,
      '-qAtXc',
      'select 1',
    ],
  ],
  redis: ({ port, authority, certificate, key }) => [
    'redis-cli',
    [
      ...['-h', 'localhost', '-p', String(port), '--tls', '--cacert', authority, '--cert', certificate, '--key', key],
      'PING',
    ],
  ],
};
let count = 0;
/** What the engine's own client says of a server that does this. */
async function told(protocol: string, lie: Lie): Promise<string> {
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    Promise.resolve(lie(socket)).catch(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  liars.push(server);
  const name = `liar-${++count}`;
  await addDatabases(rig, protocol, (server.address() as AddressInfo).port, [name]);
  const [file, words] = clients[protocol]?.(await logIn(folder, ann, name)) ?? ['false', []];
  const { stdout, stderr } = await run(file, words, { timeout: SLOW_MS / 2 }).catch(
    (error: unknown) => error as { stdout: string; stderr: string; killed?: boolean },
  );
  return `${stdout}${stderr}`.trim();
}
const hangsUp: Lie = async socket => {
  await heard(socket);
  socket.end();
};
const ok = 'R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I';

test.each<[string, string, Lie, RegExp]>([
  ['PostgreSQL', 'has no TLS', answers('N'), /does not offer TLS/],
  ['PostgreSQL', 'speaks something else', says('HTTP/1.1 400 Bad Request\r\n\r\n'), /does not offer TLS/],
  ['PostgreSQL', 'puts words in the clear before TLS', answers(`S${ok}`), /does not offer TLS/],
  ['PostgreSQL', 'shows a certificate of somebody else', agrees, /./],
  ['PostgreSQL', 'hangs up on a log-in', within(hangsUp, agrees), /./],
  [
    'PostgreSQL',
    'answers a log-in with a message of 4 GB',
    within(answers('R\xff\xff\xff\xffxx'), agrees),
    /not as postgres writes it|closed|invalid/,
  ],
  [
    'PostgreSQL',
    'answers a log-in with no message',
    within(answers('\0\0\0\0\0\0\0\0\0'), agrees),
    /not as postgres writes it|closed|expected/,
  ],
  [
    'PostgreSQL',
    'answers a statement with nonsense',
    within(answers(ok, 'T\0\0\0\x02'), agrees),
    /not as postgres writes it|closed/,
  ],
  ['Redis', 'speaks in the clear', says('-ERR no TLS here\r\n'), /NOPERM Postern: /],
  ['Redis', 'shows a certificate of somebody else', () => undefined, /NOPERM Postern: /],
  ['Redis', 'lets in without end', within(answers('x'.repeat(4096))), /NOPERM Postern: .* refused database user "app"/],
  ['Redis', 'lets in with a list', within(answers('*1\r\n')), /NOPERM Postern: .* refused database user "app"/],
  ['Redis', 'refuses in its own words', within(answers('-ERR the moon is full\r\n')), /the moon is full/],
  ['Redis', 'answers with more than there is', within(answers('+OK\r\n', '*99999999999\r\n')), /./],
  ['Redis', 'answers with nonsense', within(answers('+OK\r\n', '\0\xff\xfe\r\n')), /./],
])(
  'a %s that %s',
  async (engine, what, lie, said) => {
    const from = new Date();
    const isForeign = what === 'shows a certificate of somebody else';
    const shown = isForeign ? within(() => undefined, engine === 'Redis' ? undefined : agrees, foreign) : lie;
    const printed = await told(engine === 'Redis' ? 'redis' : 'postgres', shown);
    expect(printed).toMatch(said);
    if (isForeign) expect(printed).toMatch(/certificate/);
    // What began has ended.
    const open = async (): Promise<number> => {
      const codes = (await auditTrail(rig, from)).map(({ code }) => code);
      return codes.filter(code => code === 'TDB00I').length - codes.filter(code => code === 'TDB01I').length;
    };
    await expect.poll(open, { timeout: SLOW_MS / 2 }).toBe(0);
    expect(rig.log.filter(line => !line.startsWith('{'))).toEqual([]);
  },
  SLOW_MS,
);
