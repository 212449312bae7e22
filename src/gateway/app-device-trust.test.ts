// A trusted device is asked for on every way to what people reach: their own clients and the console, kind after kind, whether a role requires
// it or the whole cluster does. What is reached counts who comes to it and hangs up: whoever is refused never comes that far.
import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certificatesOf, logIn } from '../../e2e/rigs/databases.ts';
import { kubeLogin } from '../../e2e/rigs/kubernetes-gateway.ts';
import { DEVICE_MISSING, type DeviceTrustMode } from '../contract/device-trust.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { apply } from './app-applications.testing.ts';
import { enrollWith, newKey } from './app-trusted-devices.testing.ts';
import type { Who } from './ports/who.ts';
import { enterContainer } from './services/protocols/kubernetes/container-shell.ts';
import { listPods } from './services/protocols/kubernetes/pods.ts';
import { createLocalConnector } from './services/protocols/local/connector.ts';
import { createAuthority } from './services/protocols/ssh/authority.ts';
import { createSshConnector } from './services/protocols/ssh/connector.ts';
import { createDirectReach } from './services/reach/direct.ts';
import { roleResource } from './services/rights/source.ts';

const size = { cols: 80, rows: 24 };
const pod = { namespace: 'default', pod: 'web-0', container: 'main' };

/** A gateway with one of every kind, and what was come to. */
interface Place {
  readonly rig: Rig;
  readonly folder: string;
  readonly serverId: string;
  /** How many came to what is reached. */
  readonly come: () => number;
}
interface Person {
  readonly browser: Browser;
  readonly who: Who;
  /** What a client of theirs prints, with a certificate that they have got before. */
  readonly clients: Readonly<Record<'ssh' | 'scp' | 'database' | 'kubernetes' | 'tcp', () => Promise<string>>>;
}
type Way = (place: Place, person: Person) => Promise<unknown>;
const desktop =
  (name: string): Way =>
  async ({ rig }, { who }) =>
    rig.services.desktops.begin(who, {
      ...{ desktop: await rig.services.desktops.target(who, name), login: 'me', size },
      ask: async () => Promise.reject(new Error('nobody is there')),
      watched: () => undefined,
      ended: () => undefined,
    });
/** Each resolves or rejects once it is over: with the words for whoever is refused. */
const ways: Readonly<Record<string, Way>> = {
  'a terminal of the console': async ({ rig, serverId }, { who }) =>
    rig.services.sessions.open({ who, target: await rig.services.servers.target(who, serverId), login: 'me', size }),
  'files of a server': async ({ rig, serverId }, { who }) =>
    rig.services.files.entries({ who, target: await rig.services.servers.target(who, serverId), login: 'me' }, '/'),
  'an own ssh': (_place, { clients }) => clients.ssh(),
  'an own scp': (_place, { clients }) => clients.scp(),
  'an own client of a database': (_place, { clients }) => clients.database(),
  'a prompt of a database': async ({ rig }, { who }) => {
    const found = await rig.services.prompts.prompt(who, { database: 'orders', dbUser: 'me', dbName: 'orders' });
    return rig.services.sessions.open({ who, login: 'me', size, ...found });
  },
  'a client of Kubernetes': (_place, { clients }) => clients.kubernetes(),
  'a list of pods': async ({ rig }, { who }) => listPods(await rig.services.clusters.open(who, 'prod'), 'prod', ''),
  'a shell in a pod': async ({ rig, serverId }, { who }) => {
    const container = await enterContainer(await rig.services.clusters.open(who, 'prod'), pod);
    const target = await rig.services.servers.target(who, serverId);
    return rig.services.sessions.open({ who, login: 'me', size, target, container });
  },
  'an application over HTTP': async ({ rig }, { who }) =>
    rig.services.applications.entrance.launch(who, 'wiki.console.example.com'),
  'an application over TCP': (_place, { clients }) => clients.tcp(),
  'a desktop over VNC': desktop('lab'),
  'a desktop over RDP': desktop('win'),
};
/** A browser keeps no connection: the application is come to with its pages. */
const BEGINS_UNREACHED = ['an application over HTTP'];

async function openPlace(deviceTrust: DeviceTrustMode): Promise<Place & { dispose(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-trust-'));
  let count = 0;
  const reached: Server = createServer(socket => {
    count += 1;
    socket.on('error', () => undefined).end();
  }).listen(0, '127.0.0.1');
  await once(reached, 'listening');
  const { port } = reached.address() as AddressInfo;
  const ssh = createSshConnector({
    reach: createDirectReach(),
    authority: createAuthority(generateKeyPairSync('ed25519').privateKey, 'test'),
    audit: { emit: async () => undefined },
  });
  const rig = await openRig({
    databases: true,
    config: { deviceTrust },
    sshClients: { ssh, local: createLocalConnector() },
    connectors: { ssh },
  });
  const serverId = await rig.addServer('db-3');
  const server = await rig.store.resources.get('node', serverId);
  if (!server) throw new Error('no server');
  await rig.store.resources.put({ ...server, address: `127.0.0.1:${port}` });
  const at = `127.0.0.1:${port}`;
  const ends = new Date(Date.now() + 3_600_000);
  const shown = await certificatesOf(rig).issue('databaseClients', { name: 'gate', ends, for: 'client' });
  const cluster = {
    ...{ server: `https://${at}`, ca_cert: shown.certificate, client_cert: shown.certificate },
    client_key: shown.privateKey,
  };
  for (const [kind, name, spec] of [
    ['db', 'orders', { protocol: 'postgres', uri: at }],
    ['kube_cluster', 'prod', cluster],
    ['app', 'wiki', { uri: `http://${at}` }],
    ['app', 'queue', { uri: `tcp://${at}` }],
    ['windows_desktop', 'lab', { addr: at, protocol: 'vnc' }],
    ['windows_desktop', 'win', { addr: at }],
  ] as const)
    await apply(rig, JSON.stringify({ kind, version: 'v3', metadata: { name, labels: { team: 'shop' } }, spec }));
  const labels = ['node', 'app', 'db', 'kubernetes', 'windows_desktop'].map(one => `${one}_labels: {'*': '*'}`);
  const names = ['logins', 'db_users', 'db_names', 'windows_desktop_logins', 'kubernetes_groups'];
  const allow = [
    ...labels,
    ...names.map(one => `${one}: [${one === 'db_names' ? 'orders' : 'me'}]`),
    "kubernetes_resources: [{kind: '*', namespace: '*', name: '*', verbs: ['*']}]",
  ].join(', ');
  await rig.store.resources.create(
    roleResource(
      `kind: role\nversion: v7\nmetadata: {name: all}\nspec: {options: {reach_loopback: true}, allow: {${allow}}}\n`,
    ),
  );
  for (const mode of ['required', 'optional', 'off'])
    await rig.store.resources.create(
      roleResource(
        `kind: role\nversion: v7\nmetadata: {name: "${mode}"}\nspec: {options: {device_trust_mode: "${mode}"}}\n`,
      ),
    );
  return {
    ...{ rig, folder, serverId, come: () => count },
    async dispose() {
      reached.close();
      await rig.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const whoOf = ({ rig }: Place, { cookie, bearer }: Browser): Promise<Who> =>
  rig.services.identity.sessions.authenticate({ cookie, bearer, remoteAddr: '192.0.2.1:1' });

/** Enrols a device for a web session, which is of it from now on. Answers its id. */
async function enrol({ rig }: Place, browser: Browser): Promise<string> {
  const by = { user: 'root', rights: null };
  const { trustedDevices } = rig.services;
  const { id } = await trustedDevices.add({ os_type: 'linux', asset_tag: `of-${browser.user}` }, by);
  const { token } = await trustedDevices.token(id, '1h', by);
  expect((await enrollWith(browser, newKey(), token)).status).toBe(200);
  return id;
}
/** What a program prints, errors too. */
const printed = (program: string, words: readonly string[]): Promise<string> =>
  new Promise(done => execFile(program, [...words], (_error, out, error) => done(`${out}${error}`)).stdin?.end());

/** Somebody's clients, each with a certificate of its own. */
async function clientsOf({ rig, folder }: Place, browser: Browser): Promise<Person['clients']> {
  const file = (name: string): string => join(folder, `${browser.user}-${name}`);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file('ssh')]);
  const publicKey = readFileSync(file('ssh.pub'), 'utf8').trim();
  const answer = await browser.call('POST', `/v1/webapi/sites/${CLUSTER}/ssh/certificate`, { publicKey });
  writeFileSync(file('ssh-cert.pub'), `${(answer.json as { certificate: string }).certificate}\n`);
  const { address } = await rig.services.sshDoor.access();
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'IdentitiesOnly=yes', 'BatchMode=yes'];
  const words = ['-F', '/dev/null', '-i', file('ssh'), ...options.flatMap(one => ['-o', one])];
  const port = String(address?.port);
  const host = `${browser.user}:me@db-3`;
  const database = await logIn(folder, browser, 'orders');
  const kubernetes = await kubeLogin(folder, browser, 'prod');
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tunnel = await browser.call('POST', `/v1/webapi/sites/${CLUSTER}/tunnels/app/queue/certificate`, {
    publicKey: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  });
  const { tlsPort, authority, certificate } = tunnel.json as Record<'authority' | 'certificate', string> & {
    tlsPort: number;
  };
  return {
    ssh: () => printed('ssh', [...words, '-p', port, `${host}@127.0.0.1`, 'true']),
    scp: () => printed('scp', [...words, '-P', port, '-o', `User=${host}`, '127.0.0.1:/etc/hostname', file('copy')]),
    database: () =>
      printed('psql', [
        ...[
          '-d',
          `host=localhost hostaddr=127.0.0.1 port=${database.port} user=me dbname=orders sslmode=verify-full sslrootcert=${database.authority} sslcert=${database.certificate} sslkey=${database.key}`,
        ],
      ]),
    async kubernetes() {
      const { hostname, port: at, pathname } = new URL(kubernetes.server);
      const { authority: ca, certificate: cert, key } = kubernetes;
      const agent = new Agent({ ca, cert, key });
      const asked = request({ host: hostname, port: at, path: `${pathname}/api/v1/pods`, agent }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      return said(answer);
    },
    async tcp() {
      const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' });
      const shown = { ca: authority, cert: certificate, key, ALPNProtocols: ['postern-tcp'] };
      return said(connect({ host: 'localhost', port: tlsPort, servername: 'localhost', ...shown }));
    },
  };
}
async function said(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += String(piece);
  return text;
}

/** Whether it began; else the words that came instead. */
async function outcome(place: Place, person: Person, name: string, way: Way): Promise<string> {
  const before = place.come();
  const answer = await way(place, person).then(
    value => ({ value, error: null }),
    (error: unknown) => ({ value: '', error: String(error) }),
  );
  if (place.come() > before) return 'begun';
  if (BEGINS_UNREACHED.includes(name) && answer.error === null) return 'begun';
  const words = answer.error ?? String(answer.value);
  return plain(words).includes(plain(DEVICE_MISSING)) ? 'refused for want of a device' : words;
}
/** Without the quoting of JSON and the ends of lines that clients put in. */
const plain = (text: string): string => text.replace(/[\\\s"]+/g, ' ');
const REFUSED = 'refused for want of a device';

/** Entries of the audit log that say why. */
async function refusals({ rig }: Place, user: string): Promise<number> {
  const span = { from: new Date(0), to: new Date(Date.now() + 60_000), limit: 1000, types: [], descending: false };
  const { events } = await rig.store.events.search(span);
  return events.filter(({ raw }) => raw.user === user && JSON.stringify(raw).includes('postern device enroll TOKEN'))
    .length;
}

describe.each([
  ['a role', 'optional', 'required'],
  ['the cluster', 'required', 'off'],
] as const)('%s requires a trusted device', (_by, ofCluster, ofRole) => {
  let place: Awaited<ReturnType<typeof openPlace>>;
  let of: Person;
  let without: Person;
  let loose: readonly Person[];
  beforeAll(async () => {
    place = await openPlace(ofCluster);
    const { rig } = place;
    const person = async (name: string, role: string): Promise<Person> => {
      await rig.addUser(name, ['all', role], ['me']);
      const browser = await rig.signIn(name);
      const isStrict = ofCluster === 'required' || role === 'required';
      const device = isStrict ? await enrol(place, browser) : '';
      const clients = await clientsOf(place, browser);
      // Their certificates stay: it is what the web session is of that is looked at.
      if (name === 'zoe') await rig.services.trustedDevices.forget(await whoOf(place, browser), device);
      return { browser, clients, who: await whoOf(place, browser) };
    };
    of = await person('ann', ofRole);
    without = await person('zoe', ofRole);
    loose = ofCluster === 'required' ? [] : [await person('lou', 'optional'), await person('max', 'off')];
  }, 30_000);
  afterAll(() => place?.dispose());

  test.each(Object.entries(ways))(
    '%s: refused in words and in the audit log without one, begun with one',
    async (name, way) => {
      const before = await refusals(place, 'zoe');
      expect(await outcome(place, without, name, way)).toBe(REFUSED);
      await expect.poll(() => refusals(place, 'zoe')).toBeGreaterThan(before);
      for (const one of [of, ...loose])
        expect([one.browser.user, await outcome(place, one, name, way)]).toEqual([one.browser.user, 'begun']);
    },
  );
});
