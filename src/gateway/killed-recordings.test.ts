// A real gateway that is killed while somebody works in a database, in an application and in a container: what was shown is recorded, and the
// next start tells how each session ended.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { acceptInvite, signIn, type WireClient } from '../../e2e/rigs/client.ts';
import { filesByWire, logIn, openOrders, ordersDocument, role } from '../../e2e/rigs/databases.ts';
import { type GatewayRig, openGateway } from '../../e2e/rigs/gateway.ts';
import { apiServerProgram, type ClusterRig, openCluster } from '../../e2e/rigs/kubernetes.ts';
import { clusterDocument, EVERYTHING, kubeLogin, kubernetesRole } from '../../e2e/rigs/kubernetes-gateway.ts';
import type { PostgresRig } from '../../e2e/rigs/postgres.ts';
import type { Browser } from './app.testing.ts';
import { appYaml, askHost, type EchoApp, enterApp, openEchoApp } from './app-applications.testing.ts';
import { workingClient } from './working-client.testing.ts';

/** Real processes on a machine that is busy with other things. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 180_000 });
const run = promisify(execFile);
const SLOW = { timeout: 30_000, interval: 50 };
const PASSWORD = 'correct horse battery';

/** Who may use the application. */
const READER = `kind: role
version: v7
metadata: { name: reader }
spec:
  options: { reach_loopback: true }
  allow:
    app_labels: { team: shop }
`;

let gateway: GatewayRig;
let folder: string;
let who: WireClient;
let postgres: PostgresRig;
let echo: EchoApp;
let cluster: ClusterRig | undefined;
const ends: (() => unknown)[] = [];

/** As tests within the gateway's own process have them. */
const browserOf = (wire: WireClient): Browser =>
  ({
    user: 'mia',
    async call(method: string, path: string, body?: unknown) {
      const json = await wire.call(method, path.replace('/v1/webapi/', ''), body);
      return { status: 200, json, body: JSON.stringify(json) };
    },
  }) as unknown as Browser;

async function inDatabase(): Promise<void> {
  const { port, authority, certificate, key } = await logIn(folder, browserOf(who), 'orders');
  const line = `host=localhost port=${port} user=app dbname=orders sslmode=verify-full sslrootcert=${authority} sslcert=${certificate} sslkey=${key}`;
  ends.push(
    await workingClient(
      'psql',
      [line, '-qAtX'],
      "select 'shown ' || 'last';\nselect pg_sleep(600);\n",
      'shown last',
      SLOW,
    ),
  );
  const asked = "select count(*) from pg_stat_activity where query = 'select pg_sleep(600);'";
  await vi.waitFor(
    async () => expect((await run('psql', [postgres.url, '-qAtXc', asked])).stdout.trim()).toBe('1'),
    SLOW,
  );
}
async function inApplication(): Promise<void> {
  const host = 'wiki.localhost';
  const { port } = new URL(gateway.url);
  const cookie = await enterApp(null as never, Number(port), browserOf(who), host);
  const answer = await askHost(Number(port), host, '/page', { headers: { cookie } });
  expect(answer.status).toBe(200);
  const { sessions } = (await who.call('GET', 'sites/-current-/sessions')) as {
    sessions: { id: string; kind: string }[];
  };
  const sid = sessions.find(({ kind }) => kind === 'app')?.id;
  await vi.waitFor(async () => {
    const { commands } = (await who.call('GET', `sites/-current-/recordings/${sid}`)) as {
      commands: { text: string }[];
    };
    expect(commands.map(({ text }) => text)).toEqual(['GET /page']);
  }, SLOW);
}
async function inContainer(at: ClusterRig): Promise<void> {
  await at.addPod('web-0');
  const { config } = await kubeLogin(folder, browserOf(who), 'prod');
  const words = ['--kubeconfig', config, '--cache-dir', join(folder, 'cache'), 'exec', '-i', 'web-0', '--', 'sh'];
  ends.push(await workingClient('kubectl', words, 'echo shown-$((40 + 2))\n', 'shown-42', SLOW));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-killed-'));
  gateway = await openGateway({
    flags: ['--databases-listen', '--mysql-listen', '--ssh-listen'].flatMap(flag => [flag, '127.0.0.1:0']),
  });
  const admin = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
  postgres = await openOrders(await filesByWire(gateway.url, await signIn(gateway.url, admin, PASSWORD)));
  echo = await openEchoApp();
  cluster = apiServerProgram() === null ? undefined : await openCluster();
  const documents = [
    ordersDocument(postgres),
    appYaml('wiki', echo.uri, 'shop'),
    role('buyer', 'app'),
    READER,
    kubernetesRole('dev', EVERYTHING),
    ...(cluster ? [clusterDocument(cluster, 'prod')] : []),
  ];
  const file = join(folder, 'all.yaml');
  writeFileSync(file, documents.join('\n---\n'));
  await gateway.command('resources', 'apply', file);
  const said = await gateway.command('users', 'add', 'mia', '--roles', 'access,auditor,buyer,reader,dev');
  await acceptInvite(gateway.url, /http\S+/.exec(said)?.[0] ?? '', PASSWORD);
  who = await signIn(gateway.url, 'mia', PASSWORD);
  await inDatabase();
  await inApplication();
  if (cluster) await inContainer(cluster);
  await gateway.kill('SIGKILL');
  await gateway.start();
  who = await signIn(gateway.url, 'mia', PASSWORD);
});
afterAll(async () => {
  for (const end of ends) end();
  echo?.close();
  await gateway?.dispose();
  await cluster?.dispose();
  await postgres?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['a database', 'TDB01I', { db_service: 'orders', db_user: 'app' }, ['(1 row, ', 'select pg_sleep(600)']],
  ['an application', 'T2011I', { app_name: 'wiki' }, ['GET /page', '(200, ']],
  ['a container', 'T2004I', { proto: 'kube', server_hostname: 'prod' }, ['shown-42']],
])(
  'the session in %s has its end in the log, and its recording plays to what came last',
  async (kind, code, fields, shown) => {
    if (kind === 'a container' && !cluster) return;
    const found = async () => {
      const { events } = (await who.call('GET', 'sites/-current-/events/search?limit=500')) as {
        events: Record<string, unknown>[];
      };
      return events.filter(event => event.code === code);
    };
    await expect.poll(async () => (await found()).length, SLOW).toBe(1);
    const [end] = await found();
    expect(end).toMatchObject({ ...fields, user: 'mia', recording_cut: true });
    const recording = `sites/-current-/recordings/${String(end?.sid)}`;
    const summary = (await who.call('GET', recording)) as {
      state: string;
      integrity: { ok: boolean };
      keyframes: unknown[];
    };
    expect(summary).toMatchObject({ state: 'cut', integrity: { ok: true } });
    const last = (await who.call('GET', `${recording}/segments/${summary.keyframes.length - 1}`)) as {
      screen: string;
      bytes: string;
    };
    const played = last.screen + Buffer.from(last.bytes, 'base64').toString();
    for (const text of shown) expect(played).toContain(text);
  },
);
