// What is on the gateway's own machine, or on its link, is reached by whom a role lets there: by each way in, and by whatever name it is given.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn } from '../../e2e/rigs/databases.ts';
import { kubeLogin } from '../../e2e/rigs/kubernetes-gateway.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { apply, appYaml, askHost, enterApp } from './app-applications.testing.ts';
import { roleResource } from './services/rights/source.ts';

const run = promisify(execFile);
const SLOW_MS = 60_000;

let rig: Rig;
let folder: string;
let ann: Browser;
let port: number;
let here: Server;
let herePort: number;
/** Connections that came to this machine. */
let came = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-own-'));
  rig = await openRig({ databases: true });
  await rig.app.listen({ host: '127.0.0.1', port: 0 });
  port = (rig.app.server.address() as AddressInfo).port;
  here = createServer(socket => {
    came += 1;
    socket.destroy();
  }).listen(0);
  await once(here, 'listening');
  herePort = (here.address() as AddressInfo).port;
  await rig.store.resources.create(
    roleResource(`kind: role
version: v7
metadata: { name: far }
spec:
  allow:
    app_labels: { team: shop }
    db_labels: { team: shop }
    db_users: [app]
    db_names: [orders]
    kubernetes_labels: { team: shop }
    kubernetes_groups: [dev]
    kubernetes_resources: [{ kind: '*', namespace: '*', name: '*', verbs: ['*'] }]
`),
  );
  await rig.addUser('ann', ['access', 'far']);
  ann = await rig.signIn('ann');
});
afterAll(async () => {
  here?.close();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const database = (name: string, protocol: string, uri: string): string =>
  `kind: db\nversion: v3\nmetadata: { name: ${name}, labels: { team: shop } }\nspec: { protocol: ${protocol}, uri: "${uri}" }\n`;
const failed = (error: unknown) => error as { stdout: string; stderr: string };
/** What each way in says of something at a host. */
const ways: Readonly<Record<string, (name: string, host: string) => Promise<string>>> = {
  async psql(name, host) {
    await apply(rig, database(name, 'postgres', `${host}:${herePort}`));
    const at = await logIn(folder, ann, name);
    const line = `host=localhost port=${at.port} user=app dbname=orders sslmode=verify-full sslrootcert=${at.authority} sslcert=${at.certificate} sslkey=${at.key}`;
    return (await run('psql', [line, '-c', 'select 1']).catch(failed)).stderr;
  },
  async mariadb(name, host) {
    await apply(rig, database(name, 'mysql', `${host}:${herePort}`));
    const at = await logIn(folder, ann, name);
    const words = [
      '--no-defaults',
      '-hlocalhost',
      '--protocol=tcp',
      `-P${at.port}`,
      '-uapp',
      '-Dorders',
      '-e',
      'select 1',
    ];
    const shown = [`--ssl-ca=${at.authority}`, `--ssl-cert=${at.certificate}`, `--ssl-key=${at.key}`];
    return (await run('mariadb', [...words, ...shown]).catch(failed)).stderr;
  },
  async 'redis-cli'(name, host) {
    await apply(rig, database(name, 'redis', `${host}:${herePort}`));
    const { port: to, authority, certificate, key } = await logIn(folder, ann, name);
    const shown = ['--tls', '--cacert', authority, '--cert', certificate, '--key', key];
    const { stdout, stderr } = await run('redis-cli', ['-h', 'localhost', '-p', String(to), ...shown, 'PING']).catch(
      failed,
    );
    return `${stdout}${stderr}`;
  },
  async 'an application'(name, host) {
    await apply(rig, appYaml(name, `http://${host}:${herePort}`, 'shop'));
    const at = `${name}.console.example.com`;
    const cookie = await enterApp(rig, port, ann, at);
    return (await askHost(port, at, '/', { headers: { cookie } })).body;
  },
  async 'a cluster'(name, host) {
    const document = { kind: 'kube_cluster', version: 'v3', metadata: { name, labels: { team: 'shop' } } };
    const spec = { server: `https://${host}:${herePort}`, token: 'none' };
    await apply(rig, JSON.stringify({ ...document, spec }));
    const { server, certificate: cert, key, authority: ca } = await kubeLogin(folder, ann, name);
    const asked = get(`${server}/api/v1/namespaces/default/pods`, { ca, cert, key, agent: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return (await answer.setEncoding('utf8').toArray()).join('');
  },
};
const hosts = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '169.254.169.254', '[fe80::1]'];

test.each(Object.entries(ways))(
  '%s: whoever has no role that lets them there hears so, and nothing comes there',
  async (way, use) => {
    for (const [at, host] of hosts.entries()) {
      const name = `own-${way.replaceAll(/\W/g, '-')}-${at}`;
      expect(await use(name, host), host).toMatch(/own machine or (its )?link|reach_loopback/);
    }
    expect(came).toBe(0);
  },
  SLOW_MS,
);
