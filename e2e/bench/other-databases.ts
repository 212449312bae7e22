// MariaDB and Redis through the gateway beside a direct connection and a bare pipe of the same runtime, all over TLS, to one server: a point
// query, eight clients, and bulk.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openRig } from '../../src/gateway/app.testing.ts';
import { type DatabaseClient, directClient, logIn, openBooks, openCache } from '../rigs/databases.ts';
import { openBarePipe } from './pipe.ts';
import { median, type Row } from './row.ts';

const run = promisify(execFile);
const ROUNDS = 3;
const CLIENTS = 8;
const QUERIES = 1500;
const ROWS = 100_000;
const COPIED_BYTES = 300_000_000;
const VALUE_BYTES = 100_000;

/** How long one client, eight, and bulk take: milliseconds, a second, megabytes a second. */
type Measure = readonly [latency: number, many: number, bulk: number];
type Ways = Readonly<Record<'direct' | 'pipe' | 'gateway', () => Promise<Measure>>>;

async function measure(engine: string, ways: Ways): Promise<readonly Row[]> {
  const seen: Record<keyof Ways, Measure[]> = { direct: [], pipe: [], gateway: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const way of ['direct', 'pipe', 'gateway'] as const) seen[way].push(await ways[way]());
  const row = (what: string, target: string, index: 0 | 1 | 2, unit: string, digits: number): Row => {
    const [direct = 0, pipe = 0, gateway = 0] = [seen.direct, seen.pipe, seen.gateway].map(all =>
      median(all.map(one => one[index])),
    );
    return {
      what: `${engine}: ${what}`,
      target,
      measured: `${gateway.toFixed(digits)} ${unit}, ${(gateway / direct).toFixed(2)} ×`,
      reference: `direct, over TLS: ${direct.toFixed(digits)} ${unit}; a bare pipe of Node: ${(pipe / direct).toFixed(2)} ×`,
    };
  };
  return [
    row('point query, one client', '≤ 2.5 × direct', 0, 'ms', 3),
    row(`point queries, ${CLIENTS} clients`, '≥ 0.45 × direct', 1, 'a second', 0),
    row('bulk to the client', '≥ 0.45 × direct', 2, 'MB/s', 0),
  ];
}

async function benchMariadb(line: string, folder: string): Promise<Measure> {
  const timed = async (command: string): Promise<number> => {
    const began = performance.now();
    await run('sh', ['-c', command]);
    return performance.now() - began;
  };
  const points = `${line} < ${join(folder, 'points.sql')} > /dev/null`;
  // What starting the client and logging in takes is the same each time.
  const start = await timed(`${line} -e 'select 1' > /dev/null`);
  const one = (await timed(points)) - start;
  const many = (await timed(`${Array(CLIENTS).fill(`{ ${points}; } &`).join(' ')} wait`)) - start;
  const rows = `select repeat('y', 1000) from seq_1_to_${COPIED_BYTES / 1000}`;
  const bulk = (await timed(`${line} --quick -e "${rows}" > /dev/null`)) - start;
  return [one / QUERIES, (CLIENTS * QUERIES * 1000) / many, COPIED_BYTES / 1000 / bulk];
}
async function benchRedis(words: readonly string[]): Promise<Measure> {
  const said = async (...more: readonly string[]): Promise<readonly number[]> => {
    const { stdout } = await run('redis-benchmark', [...words, '--csv', '--precision', '3', ...more]);
    const line = stdout.split('\n').findLast(one => one.startsWith('"GET"')) ?? '';
    return [...line.matchAll(/"([\d.]+)"/g)].map(([, number]) => Number(number));
  };
  // Requests a second; mean, least and median of the latency.
  const [, , , latency = Number.NaN] = await said('-t', 'get', '-c', '1', '-n', '4000');
  const [many = Number.NaN] = await said('-t', 'get', '-c', String(CLIENTS), '-n', '12000');
  const [bulk = Number.NaN] = await said('-t', 'set,get', '-d', String(VALUE_BYTES), '-c', '1', '-n', '500');
  return [latency, many, (bulk * VALUE_BYTES) / 1e6];
}

export async function benchOtherDatabases(): Promise<readonly Row[]> {
  const gateway = await openRig({ databases: true });
  const mariadb = await openBooks(gateway);
  const redis = await openCache(gateway);
  const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'));
  const closing: (() => void)[] = [];
  try {
    await gateway.addUser('ada', ['access', 'shop']);
    const ada = await gateway.signIn('ada');
    const points = Array.from(
      { length: QUERIES },
      (_, index) => `select v from t where id = ${(index * 7919) % ROWS};\n`,
    );
    await writeFile(join(folder, 'points.sql'), points.join(''));
    await mariadb.admin(
      `use orders; create table t (id int primary key, v text); insert into t select seq, repeat('x', 100) from seq_0_to_${ROWS - 1}`,
    );
    const line = ({ port, authority, certificate, key }: DatabaseClient, host: string, verifies = true): string =>
      `mariadb --no-defaults -N -h${host} --protocol=tcp -P${port} -uapp -Dorders ${verifies ? `--ssl-ca=${authority} --ssl-verify-server-cert` : '--disable-ssl-verify-server-cert'} --ssl-cert=${certificate} --ssl-key=${key}`;
    const words = ({ port, authority, certificate, key }: DatabaseClient): string[] => [
      ...['-h', '127.0.0.1', '-p', String(port), '--tls', '--cacert', authority, '--cert', certificate, '--key', key],
    ];
    const [books, cache] = [await logIn(folder, ada, 'books'), await logIn(folder, ada, 'cache')];
    const [straight, near] = await Promise.all([mariadb, redis].map(({ port }) => directClient(gateway, folder, port)));
    if (!straight || !near) throw new Error('no certificates');
    const pipes = {
      books: await openBarePipe('mysql', mariadb.port, straight),
      cache: await openBarePipe('redis', redis.port, near),
    };
    closing.push(pipes.books.dispose, pipes.cache.dispose);
    return [
      ...(await measure('MariaDB', {
        direct: () => benchMariadb(line(straight, '127.0.0.1'), folder),
        pipe: () => benchMariadb(line({ ...straight, port: pipes.books.port }, '127.0.0.1', false), folder),
        gateway: () => benchMariadb(line(books, 'localhost'), folder),
      })),
      ...(await measure('Redis', {
        direct: () => benchRedis([...words(near), '--user', 'direct', '-a', 'any']),
        pipe: () =>
          benchRedis([...words({ ...near, port: pipes.cache.port }), '--insecure', '--user', 'direct', '-a', 'any']),
        gateway: () => benchRedis(words(cache)),
      })),
    ];
  } finally {
    for (const close of closing) close();
    await Promise.all([mariadb.dispose(), redis.dispose()]);
    await gateway.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}
