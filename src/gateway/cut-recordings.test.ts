// Connections that are cut in the middle, on the client's side and on that of what it reached: the session is over, and its recording is sealed
// with what had been shown, in a database and in a container.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDatabases, logIn, openDatabases } from '../../e2e/rigs/databases.ts';
import { apiServerProgram, type ClusterRig, openCluster } from '../../e2e/rigs/kubernetes.ts';
import { addCluster, kubeLogin } from '../../e2e/rigs/kubernetes-gateway.ts';
import { type NetworkRig, openNetwork } from '../../e2e/rigs/network.ts';
import type { PostgresRig } from '../../e2e/rigs/postgres.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { workingClient } from './working-client.testing.ts';

const SLOW = { timeout: 20_000, interval: 50 };
let rig: Rig;
let postgres: PostgresRig;
let cluster: ClusterRig | undefined;
let folder: string;
let ann: Browser;
/** Between the gateway and what it reaches. */
let toDatabase: NetworkRig;
let toCluster: NetworkRig | undefined;
const ends: (() => void)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-cut-'));
  [rig, cluster] = await Promise.all([
    openRig({ databases: true }),
    apiServerProgram() === null ? undefined : openCluster(),
  ]);
  postgres = await openDatabases(rig);
  toDatabase = await openNetwork(postgres.port);
  await addDatabases(rig, 'postgres', toDatabase.port, ['distant']);
  if (cluster) {
    toCluster = await openNetwork(Number(new URL(cluster.url).port));
    const url = new URL(cluster.url);
    url.port = String(toCluster.port);
    await addCluster(rig, { ...cluster, url: url.origin });
    await cluster.addPod('web-0');
  }
  await rig.addUser('ann', ['access', 'shop', 'dev'].slice(0, cluster ? 3 : 2));
  ann = await rig.signIn('ann');
}, 90_000);
afterAll(async () => {
  for (const end of ends) end();
  toDatabase?.dispose();
  toCluster?.dispose();
  await postgres?.dispose();
  await cluster?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** psql in the middle of an answer. `network`: between it and the gateway. */
async function inDatabase(network: (port: number) => Promise<NetworkRig>): Promise<NetworkRig> {
  const { port, authority, certificate, key } = await logIn(folder, ann, 'distant');
  const near = await network(port);
  const line = `host=localhost hostaddr=127.0.0.1 port=${near.port} user=app dbname=orders sslmode=verify-full sslrootcert=${authority} sslcert=${certificate} sslkey=${key}`;
  const typed =
    "select 'shown ' || 'last';\ncopy (select repeat('row ', 64), pg_sleep(0.01) from generate_series(1, 100000)) to stdout;\n";
  ends.push(await workingClient('psql', ['-qAtX', '-d', line], typed, 'row row', SLOW));
  return near;
}
/** kubectl in the middle of what a program prints. */
async function inContainer(network: (port: number) => Promise<NetworkRig>): Promise<NetworkRig> {
  const { config, server } = await kubeLogin(folder, ann, 'prod');
  const near = await network(Number(new URL(server).port));
  const file = join(folder, `near-${near.port}.json`);
  writeFileSync(file, readFileSync(config, 'utf8').replace(`:${new URL(server).port}/`, `:${near.port}/`));
  const words = ['--kubeconfig', file, '--cache-dir', join(folder, 'cache'), 'exec', '-i', 'web-0', '--', 'sh'];
  const loop = 'n=0; while [ $n -lt 100000 ]; do n=$((n+1)); echo shown-$n; sleep 0.01; done\n';
  ends.push(await workingClient('kubectl', words, loop, 'shown-5', SLOW));
  return near;
}

const kinds = {
  'a database': {
    begin: inDatabase,
    far: () => toDatabase,
    code: 'TDB01I',
    of: { db_service: 'distant', db_user: 'app' },
    shows: ["select 'shown ' || 'last'", '(1 row, ', 'copy (select repeat'],
  },
  'a container': {
    begin: inContainer,
    far: () => toCluster,
    code: 'T2004I',
    of: { proto: 'kube', kubernetes_pod_name: 'web-0' },
    shows: ['shown-1\r\n', 'shown-5'],
  },
} as const;

test.each([
  ['a database', 'the client'],
  ['a database', 'what it reached'],
  ['a container', 'the client'],
  ['a container', 'what it reached'],
] as const)(
  'a session in %s whose connection to %s is cut has its end in the log, and its recording plays to what came last',
  async (kind, side) => {
    const { begin, far, code, of, shows } = kinds[kind];
    if (kind === 'a container' && !cluster) return;
    const from = new Date();
    const near = await begin(openNetwork);
    ends.push(near.dispose);
    if (side === 'the client') near.cut();
    else far()?.cut();
    const found = async () => {
      const to = new Date(Date.now() + 60_000);
      const { events } = await rig.store.events.search({ from, to, limit: 1000, types: [], descending: false });
      return events.filter(one => one.code === code).map(({ raw }) => raw);
    };
    await expect.poll(async () => (await found()).length, SLOW).toBe(1);
    far()?.mend();
    const [end] = await found();
    expect(end).toMatchObject({ ...of, user: 'ann', session_recording: 'node' });
    const sid = String(end?.sid);
    expect(await rig.services.recordings.summary(sid)).toMatchObject({ state: 'sealed', integrity: { ok: true } });
    const auditor = await rig.signIn('ann');
    const played = await auditor.call('GET', `/v1/webapi/sites/-current-/sessions/${sid}/stream`);
    for (const text of shows) expect(played.body).toContain(text);
    const { json } = await ann.call('GET', '/v1/webapi/sites/-current-/sessions');
    expect(json).toMatchObject({ sessions: [] });
  },
);
