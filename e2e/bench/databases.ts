// PostgreSQL through the gateway beside a direct connection and a bare pipe of the same runtime, all over TLS, to one server: a point query,
// eight clients at once, and COPY; and the point query with guards in the person's roles beside the same without.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { roleResource } from '../../src/gateway/services/rights/source.ts';
import { openCommandLine } from '../rigs/command-line.ts';
import { directClient, openDatabases } from '../rigs/databases.ts';
import { programs } from '../rigs/postgres.ts';
import { openBarePipe } from './pipe.ts';
import { median, type Row } from './row.ts';

const run = promisify(execFile);
const ROUNDS = 3;
const SECONDS = 3;
const CLIENTS = 8;
const COPIED_BYTES = 300_000_000;

/** A role whose guards every point query is held against. */
const guarding = `kind: role
version: v7
metadata: { name: careful }
spec:
  guards:
    - { name: blind, statements: [update_without_where, delete_without_where, ddl], effect: block }
    - { name: secrets, columns: [t.secret], effect: block }
`;

/** A role whose guard asks a reviewer about something else than the point query. */
const asking = `kind: role
version: v7
metadata: { name: asked }
spec:
  guards:
    - { name: watched, columns: [t.secret], effect: ask }
`;

/** A role that hides the column which every point query reads. */
const masking = `kind: role
version: v7
metadata: { name: masked }
spec:
  guards:
    - { name: personal, columns: [t.v], effect: mask }
`;

/** What pgbench says of so many clients. */
async function pgbench(line: string, script: string, clients: number, said: RegExp): Promise<number> {
  const words = ['-n', '-f', script, '-c', String(clients), '-T', String(SECONDS), line];
  const { stdout } = await run(join(programs(), 'pgbench'), words);
  return Number(said.exec(stdout)?.[1]);
}
/** Megabytes a second of a COPY to the client. */
async function copy(line: string): Promise<number> {
  const statement = `copy (select repeat('y', 1000) from generate_series(1, ${COPIED_BYTES / 1000})) to stdout`;
  const began = performance.now();
  await run('psql', ['-qAtX', '-d', line, '-o', '/dev/null', '-c', statement]);
  return COPIED_BYTES / 1000 / (performance.now() - began);
}

export async function benchDatabases(): Promise<readonly Row[]> {
  const rig = await openCommandLine({ databases: true });
  const postgres = await openDatabases(rig.gateway);
  const pipe = await openBarePipe(
    'postgres',
    postgres.port,
    await directClient(rig.gateway, rig.folder, postgres.port),
  );
  try {
    await rig.gateway.addUser('ada', ['access', 'shop']);
    await rig.signIn('ada');
    await rig.run(['db', 'login', 'orders']);
    process.env.PGSERVICEFILE = join(rig.folder, 'config', 'postern', 'databases', 'orders', 'service.conf');
    const straight = (port: number): string => `host=127.0.0.1 port=${port} user=postern dbname=orders sslmode=require`;
    const lines = {
      direct: straight(postgres.port),
      pipe: straight(pipe.port),
      gateway: 'service=postern user=app dbname=orders',
    };
    const script = join(rig.folder, 'point.sql');
    await writeFile(script, '\\set i random(1, 100000)\nselect v from t where id = :i;\n');
    await run('psql', [
      ...['-qX', '-d', lines.gateway, '-c', 'create table t (id int primary key, v text)'],
      ...['-c', "insert into t select i, repeat('x', 100) from generate_series(1, 100000) i"],
      ...['-c', 'grant select on t to public'],
    ]);
    for (const role of [guarding, asking, masking]) await rig.gateway.store.resources.create(roleResource(role));
    const hold = async (...roles: readonly string[]): Promise<unknown> =>
      rig.gateway.services.identity.accounts.update({ name: 'ada', roles: [...roles] }, { user: 'root', rights: null });
    const seen = { point: ways(), many: ways(), copied: ways() };
    const guarded: number[] = [];
    const asked: number[] = [];
    const masked: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await hold('access', 'shop', 'careful');
      guarded.push(await pgbench(lines.gateway, script, 1, /latency average = ([\d.]+)/));
      await hold('access', 'shop', 'asked');
      asked.push(await pgbench(lines.gateway, script, 1, /latency average = ([\d.]+)/));
      await hold('access', 'shop', 'masked');
      masked.push(await pgbench(lines.gateway, script, 1, /latency average = ([\d.]+)/));
      await hold('access', 'shop');
      for (const way of ['direct', 'pipe', 'gateway'] as const) {
        seen.point[way].push(await pgbench(lines[way], script, 1, /latency average = ([\d.]+)/));
        seen.many[way].push(await pgbench(lines[way], script, CLIENTS, /tps = ([\d.]+)/));
        seen.copied[way].push(await copy(lines[way]));
      }
    }
    const row = (what: string, target: string, { direct, pipe, gateway }: Ways, unit: string, digits: number): Row => ({
      what: `PostgreSQL: ${what}`,
      target,
      measured: `${median(gateway).toFixed(digits)} ${unit}, ${(median(gateway) / median(direct)).toFixed(2)} ×`,
      reference: `direct, over TLS: ${median(direct).toFixed(digits)} ${unit}; a bare pipe of Node: ${(median(pipe) / median(direct)).toFixed(2)} ×`,
    });
    const beside = (what: string, took: readonly number[]): Row => ({
      what: `PostgreSQL: point query, one client, ${what}`,
      target: '≤ 1.3 × without',
      measured: `${median(took).toFixed(3)} ms, ${(median(took) / median(seen.point.gateway)).toFixed(2)} ×`,
      reference: `without: ${median(seen.point.gateway).toFixed(3)} ms`,
    });
    return [
      row('point query, one client', '≤ 2.2 × direct', seen.point, 'ms', 3),
      row(`point queries, ${CLIENTS} clients`, '≥ 0.5 × direct', seen.many, 'a second', 0),
      row('COPY to the client', '≥ 0.5 × direct', seen.copied, 'MB/s', 0),
      beside('with guards', guarded),
      beside('with a guard that asks about other columns', asked),
      beside('its column masked', masked),
    ];
  } finally {
    pipe.dispose();
    await postgres.dispose();
    await rig.dispose();
  }
}

interface Ways {
  readonly direct: number[];
  readonly pipe: number[];
  readonly gateway: number[];
}
const ways = (): Ways => ({ direct: [], pipe: [], gateway: [] });
