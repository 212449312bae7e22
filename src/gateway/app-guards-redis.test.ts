// Guards in Redis sessions: a real server, redis-cli, pipelines and transactions, reviewers, and the audit log.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditTrail, type DatabaseClient, logIn, openCache } from '../../e2e/rigs/databases.ts';
import type { RedisRig } from '../../e2e/rigs/redis.ts';
import type { WaitingStatement } from '../contract/reviews.ts';
import type { Explanation } from '../contract/rights.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { encode } from './services/protocols/databases/redis/commands.ts';
import { keysOf } from './services/protocols/databases/redis/keys.ts';
import { roleResource } from './services/rights/source.ts';

const run = promisify(execFile);

let rig: Rig;
let server: RedisRig;
let folder: string;
let ann: Browser;
let reviewer: Browser;
let cache: DatabaseClient;

const careful = `kind: role
version: v7
metadata: { name: careful }
spec:
  guards:
    - { name: production, commands: [del, unlink, set, rename, copy, move], keys: ['prod:*'], effect: block, message: not here }
    - { name: secrets, keys: ['secret:*'], effect: block }
    - { name: settings, commands: [config set], effect: block }
    - { name: clear out, commands: [getdel], effect: ask }
    - { name: listing, commands: [keys], effect: warn }
`;
const reviewing = `kind: role
version: v7
metadata: { name: reviewing }
spec: { allow: { rules: [{ resources: [statement_review], verbs: [list, update] }] } }
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-re-guards-'));
  rig = await openRig({ databases: true });
  server = await openCache(rig);
  for (const role of [careful, reviewing]) await rig.store.resources.create(roleResource(role));
  await rig.addUser('ann', ['access', 'shop', 'careful']);
  await rig.addUser('bob', ['access', 'shop']);
  await rig.addUser('rob', ['access', 'reviewing']);
  ann = await rig.signIn('ann');
  reviewer = await rig.signIn('rob');
  cache = await logIn(folder, ann, 'cache');
});
afterAll(async () => {
  await server?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function redis(...words: readonly string[]): Promise<string> {
  const { port, authority, certificate, key } = cache;
  const options = ['-h', 'localhost', '-p', String(port), '--tls', '--cacert', authority, '--cert', certificate];
  const { stdout, stderr } = await run('redis-cli', [
    ...[...options, '--key', key, '--user', 'app', '--pass', 'x', '--no-auth-warning'],
    ...words,
  ]).catch(error => error as { stdout: string; stderr: string });
  return `${stdout}${stderr}`.trim();
}
/** What the server answers to commands that are sent in one piece, until `last` has come. */
async function piped(last: string, ...commands: readonly (readonly string[])[]): Promise<string> {
  const read = (path: string): string => readFileSync(path, 'utf8');
  const wire = connect({
    ...{ host: '127.0.0.1', servername: 'localhost', port: cache.port, ca: read(cache.authority) },
    ...{ cert: read(cache.certificate), key: read(cache.key) },
  });
  let said = '';
  wire.on('data', bytes => {
    said += bytes;
  });
  wire.write(Buffer.concat([['AUTH', 'app', 'x'], ...commands].map(words => encode(words))));
  await expect.poll(() => said).toContain(last);
  wire.destroy();
  return said;
}

test('what a guard blocks is not executed, and the client says why; keys are those that the command is about', async () => {
  const from = new Date();
  expect(await redis('set', 'note', 'prod:1')).toBe('OK');
  expect(await redis('set', 'prod:1', 'x')).toBe(
    'NOPERM Postern: guard "production" of role careful blocks command del, unlink, set, rename, copy, move on key prod:*: not here',
  );
  expect(await redis('rename', 'note', 'prod:1')).toContain('NOPERM Postern: guard "production"');
  expect(await redis('config', 'set', 'maxmemory', '1')).toContain('guard "settings" of role careful blocks');
  expect(await redis('config', 'get', 'maxmemory')).toContain("run the 'config|get' command");
  expect(await redis('get', 'note')).toBe('prod:1');
  await expect
    .poll(async () =>
      (await auditTrail(rig, from)).filter(({ guard, code }) => guard && code === 'TDB02W').map(({ guard }) => guard),
    )
    .toEqual(['production', 'production', 'settings']);
});

test.each([
  ['get', 'secret:1'],
  ['mget', 'a', 'secret:1'],
  ['zunionstore', 'a', '1', 'secret:1'],
  ['sort', 'a', 'by', 'nosort', 'get', 'sec*:1'],
  ['object', 'encoding', 'secret:1'],
  ['eval', "return redis.call('get', 'sec' .. 'ret:1')", '0'],
  ['fcall', 'f', '0'],
  ['migrate', 'localhost', '1', 'secret:1', '0', '10'],
  ['flushall'],
  ['scan', '0'],
  ['monitor'],
  ['nothing.known', 'a'],
])('what may be about a guarded key is blocked: %s %s', async (...words) => {
  expect(await redis(...words)).toMatch(/^NOPERM Postern: guard "(secrets|production)" of role careful blocks/);
});

test('answers keep their order where commands are sent at once, and a transaction with a blocked one is not executed', async () => {
  const said = await piped('+PONG', ['set', 'a', '1'], ['del', 'prod:1'], ['incr', 'a'], ['get', 'secret:1'], ['ping']);
  expect(said.split('\r\n').map(line => line.slice(0, 7))).toEqual([
    ...['+OK', '+OK', '-NOPERM', ':2', '-NOPERM', '+PONG', ''],
  ]);
  const transaction = await piped('+PONG', ['multi'], ['incr', 'a'], ['del', 'prod:1'], ['exec'], ['ping']);
  expect(transaction).toMatch(/\+QUEUED\r\n-NOPERM [^\r]*\r\n-EXECABORT/);
  expect(await redis('get', 'a')).toBe('2');
});

test('what a guard asks about waits for a reviewer, and what was sent behind it too', async () => {
  const REVIEWS = '/v1/webapi/sites/-current-/reviews';
  const held = async (): Promise<readonly WaitingStatement[]> =>
    ((await reviewer.call('GET', REVIEWS)).json as { items: WaitingStatement[] }).items;
  expect(await redis('set', 'b', '7')).toBe('OK');
  const said = piped('+PONG', ['getdel', 'b'], ['get', 'b'], ['ping']);
  await expect.poll(async () => (await held()).map(({ text, user }) => [text, user])).toEqual([['getdel b', 'ann']]);
  const [first] = await held();
  await reviewer.call('POST', `${REVIEWS}/${first?.id}`, { decision: 'once', reason: '' });
  expect(await said).toBe('+OK\r\n$1\r\n7\r\n$-1\r\n+PONG\r\n');
});

test('whoever asks what they may do there hears of the guards', async () => {
  const query = new URLSearchParams({ action: 'db', principal: 'app', target: 'cache' });
  const { json } = await ann.call('GET', `/v1/webapi/sites/-current-/rights/explain?${query}`);
  const { allowed, reasons } = json as Explanation;
  expect(allowed).toBe(true);
  expect(reasons.map(({ text }) => text)).toContain('Role careful asks about command getdel (guard "clear out").');
});

test('places of keys are those of the server', async () => {
  const own = await logIn(mkdtempSync(join(folder, 'bob-')), await rig.signIn('bob'), 'cache');
  cache = own;
  const commands: readonly (readonly string[])[] = [
    ...[
      ['mset', 'a', '1', 'b', '2'],
      ['blpop', 'a', 'b', '1'],
      ['bitop', 'and', 'a', 'b', 'c'],
      ['copy', 'a', 'b', 'db', '1'],
    ],
    ...[
      ['xgroup', 'create', 'a', 'g', '$'],
      ['memory', 'usage', 'a', 'samples', '5'],
      ['sinterstore', 'a', 'b', 'c'],
    ],
    ...[
      ['lcs', 'a', 'b', 'len'],
      ['setex', 'a', '1', 'b'],
      ['xadd', 'a', '*', 'f', 'v'],
      ['geosearchstore', 'a', 'b', 'fromlonlat', '1', '1', 'byradius', '1', 'm'],
    ],
  ];
  for (const words of commands)
    expect((await redis('command', 'getkeys', ...words)).split('\n')).toEqual(
      keysOf(words.map(word => Buffer.from(word))),
    );
  // All that the server has is known.
  const names = (await redis('command', 'list')).split('\n');
  expect(names.length).toBeGreaterThan(200);
  const opaque = names.filter(name => keysOf(name.split('|').map(word => Buffer.from(word))) === null);
  expect(opaque.sort()).toEqual(['eval', 'eval_ro', 'evalsha', 'evalsha_ro', 'fcall', 'fcall_ro']);
});
