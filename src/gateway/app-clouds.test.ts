// The APIs of Azure and Google Cloud as applications: who may be whom there, what goes out with whose token, and what is written down. Both clouds are a
// double, written from what they publish (cloud-double.testing.ts).
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { lockBody } from '../contract/locks.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { apply, appTrail, appYaml } from './app-applications.testing.ts';
import { type CloudDouble, openCloudDouble } from './cloud-double.testing.ts';
import { patternOf } from './services/protocols/applications/cloud-hosts.ts';
import { identityOf } from './services/protocols/identity.ts';
import { roleResource } from './services/rights/source.ts';

const ID = (name: string): string =>
  `/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/ops/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
const MAIL = 'reader@acme.iam.gserviceaccount.com';
const HOSTS = { azure: ['management.azure.com', '*.vault.azure.net'], gcp: ['*.googleapis.com'] };

let rig: Rig;
let cloud: CloudDouble;
let ann: Browser;

beforeAll(async () => {
  cloud = await openCloudDouble();
  rig = await openRig({
    databases: true,
    clouds: { metadata: cloud.url, hosts: HOSTS, at: () => new URL(cloud.url) },
  });
  const role = (name: string, options: string, identities: string, more = '') =>
    rig.store.resources.create(
      roleResource(
        `kind: role\nversion: v7\nmetadata: { name: ${name} }\nspec:\n  options: { reach_loopback: true${options} }\n  allow: { app_labels: { team: shop }${identities} }\n${more}`,
      ),
    );
  const identities = `, azure_identities: ${JSON.stringify([ID('reader'), ID('unassigned'), '*'])}, gcp_service_accounts: ['${MAIL}', 'foreign@acme.iam.gserviceaccount.com']`;
  await role('shop', '', identities);
  await role('pinned', ', pin_source_ip: true', identities);
  await role('bare', '', '');
  await role('proven', ', require_session_mfa: true', identities);
  await role('never', '', '', `  deny: { azure_identities: ["${ID('READER')}"] }\n`);
  await apply(rig, appYaml('azure', 'cloud://Azure', 'shop'));
  await apply(rig, appYaml('google', 'cloud://GCP', 'shop'));
  await apply(rig, appYaml('wiki', 'http://wiki.example.org', 'shop'));
  for (const [name, roles] of Object.entries({
    ann: ['shop'],
    bea: ['bare'],
    pia: ['proven'],
    dan: ['shop', 'never'],
    leo: ['shop'],
    mia: ['shop'],
    ida: ['pinned'],
  }))
    await rig.addUser(name, roles);
  ann = await rig.signIn('ann');
});
afterAll(async () => {
  await rig?.dispose();
  cloud?.close();
});

interface Ready {
  readonly tlsPort: number;
  readonly authority: string;
  readonly certificate: string;
  readonly privateKey: string;
}
async function certify(who: Browser, name: string, chosen: object) {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const answer = await who.call('POST', `/v1/webapi/sites/${CLUSTER}/tunnels/app/${name}/certificate`, {
    publicKey,
    ...chosen,
  });
  const { error } = answer.json as { error?: { message: string } };
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { status: answer.status, why: error?.message ?? '', ready: { ...(answer.json as Ready), privateKey } };
}
const readyFor = async (who: Browser, name: string, chosen: object): Promise<Ready> => {
  const { ready, status, why } = await certify(who, name, chosen);
  expect([status, why]).toEqual([200, '']);
  return ready;
};
async function dial({ tlsPort, authority, certificate, privateKey }: Ready): Promise<TLSSocket> {
  const socket = connect({
    ...{ host: 'localhost', port: tlsPort, servername: 'localhost', ca: authority },
    ...{ cert: certificate, key: privateKey, ALPNProtocols: ['postern-tcp'] },
  });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}
/** One request over a connection of its own. `path` may be a whole address, as proxies are asked. */
async function ask(ready: Ready, path: string, headers: readonly string[] = [], method = 'GET', body = '') {
  const socket = await dial(ready);
  const host = headers.some(one => one.startsWith('Host:')) ? [] : ['Host: 127.0.0.1:8400'];
  const length = body === '' ? [] : [`Content-Length: ${body.length}`];
  socket.write(
    `${[`${method} ${path} HTTP/1.1`, ...host, 'Connection: close', ...length, ...headers].join('\r\n')}\r\n\r\n${body}`,
  );
  let said = '';
  for await (const piece of socket) said += String(piece);
  const [head = '', ...rest] = said.replace(/^\n/, '').split('\r\n\r\n');
  return { first: said[0], status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') };
}
const azure = () => readyFor(ann, 'azure', { azureIdentity: ID('reader') });

test('a request goes to the host that its path names, as the identity, and the trail has both', async () => {
  const from = new Date();
  const ready = await azure();
  const answer = await ask(
    ready,
    '/management.azure.com/subscriptions?api-version=1',
    ['Authorization: Bearer mine', 'X-Forwarded-For: 9.9.9.9', 'X-HTTP-Method-Override: DELETE', 'X-Kept: yes'],
    'POST',
    'hello',
  );
  expect([answer.first, answer.status]).toEqual(['\n', 200]);
  expect(cloud.asked.at(-1)).toEqual({
    ...{ method: 'POST', url: '/subscriptions?api-version=1', host: 'management.azure.com' },
    token: `Bearer azure-${cloud.given.length}`,
  });
  expect(cloud.given.at(-1)).toBe(`${ID('reader')} https://management.azure.com`);
  const echoed = JSON.parse(answer.body.slice(answer.body.indexOf('{'), answer.body.lastIndexOf('}') + 1)) as {
    body: string;
    headers: Record<string, string>;
  };
  expect([
    echoed.body,
    echoed.headers['x-kept'],
    Object.keys(echoed.headers).filter(name => /forw|method/.test(name)),
  ]).toEqual(['hello', 'yes', []]);
  await expect.poll(async () => (await appTrail(rig, from)).map(one => one.code)).toContain('T2009I');
  const auditTrail = await appTrail(rig, from);
  expect(auditTrail.find(one => one.code === 'T2007I')).toMatchObject({
    user: 'ann',
    app_name: 'azure',
    azure_identity: ID('reader'),
  });
  expect(auditTrail.find(one => one.code === 'T2009I')).toMatchObject({
    ...{ method: 'POST', path: '/management.azure.com/subscriptions', raw_query: 'api-version=1', status_code: 200 },
    azure_identity: ID('reader'),
  });
  expect(JSON.stringify([auditTrail, rig.log])).not.toMatch(/azure-\d|Bearer/);
});

test('a token is asked for once for each kind of host, and anew before its end; one session takes all connections', async () => {
  const from = new Date();
  const ready = await azure();
  const before = cloud.given.length;
  await Promise.all(['a', 'b'].map(name => ask(ready, `/${name}.vault.azure.net/secrets`)));
  await ask(ready, 'http://c.vault.azure.net/secrets');
  await ask(ready, '/secrets', ['Host: d.vault.azure.net']);
  expect(cloud.given.slice(before)).toEqual([`${ID('reader')} https://vault.azure.net`]);
  expect((await appTrail(rig, from)).filter(one => one.code === 'T2007I')).toHaveLength(1);
  cloud.life = 0;
  const google = await readyFor(ann, 'google', { gcpServiceAccount: MAIL });
  for (const _ of [1, 2]) await ask(google, '/storage.googleapis.com/storage/v1/b?project=p');
  cloud.life = 3600;
  expect(cloud.given.slice(before + 1)).toEqual([MAIL, MAIL]);
  expect(cloud.asked.at(-1)).toMatchObject({
    host: 'storage.googleapis.com',
    token: `Bearer google-${cloud.given.length}`,
  });
});

test.each([
  ['/management.azure.com@evil.example/x', [], 400],
  ['/management.azure.com:8443/x', [], 400],
  ['/management.azure.com./x', [], 400],
  ['/management%2eazure.com/x', [], 400],
  ['/169.254.169.254/metadata/identity/oauth2/token', [], 403],
  ['/evil.example/x', [], 403],
  ['/vault.azure.net/x', [], 403],
  ['/evilmanagement.azure.com/x', [], 403],
  ['/storage.googleapis.com/x', [], 403],
  ['http://management.azure.com@evil.example/x', [], 400],
  ['http://evil.example/x', [], 403],
  ['/x', ['Host: evil.example'], 403],
  ['/management.azure.com/x', ['Origin: https://evil.example'], 403],
  ['/management.azure.com/x', ['Sec-Fetch-Site: cross-site'], 403],
] as const)('%s %j is refused, and nobody is asked', async (path, headers, status) => {
  const ready = await azure();
  const before = [cloud.asked.length, cloud.given.length];
  expect((await ask(ready, path, headers)).status).toBe(status);
  expect([cloud.asked.length, cloud.given.length]).toEqual(before);
});

test('TRACE and CONNECT are refused, and redirects are handed on without being followed', async () => {
  const ready = await azure();
  expect((await ask(ready, '/management.azure.com/x', [], 'TRACE')).status).toBe(405);
  expect((await ask(ready, 'management.azure.com:443', [], 'CONNECT')).status).toBe(405);
  const before = cloud.asked.length;
  const own = await ask(ready, `/management.azure.com/moved?to=${encodeURIComponent('https://a.vault.azure.net/y')}`);
  const away = await ask(ready, `/management.azure.com/moved?to=${encodeURIComponent(`${cloud.url}/stolen`)}`);
  expect(own.head).toContain('location: http://127.0.0.1:8400/a.vault.azure.net/y');
  expect(away.head).toContain(`location: ${cloud.url}/stolen`);
  expect(own.head).not.toContain('set-cookie');
  expect(cloud.asked.length - before).toBe(2);
});

test('who may be whom is what roles say: none, another, any, a denied one in another spelling, and one of the other cloud', async () => {
  const before = cloud.given.length;
  const [bea, dan, pia] = await Promise.all(['bea', 'dan', 'pia'].map(name => rig.signIn(name)));
  for (const [who, name, chosen, status, text] of [
    [ann, 'azure', {}, 400, 'say which by --azure-identity'],
    [ann, 'azure', { azureIdentity: ID('other') }, 403, 'None of your roles lets you use azure as'],
    [ann, 'azure', { azureIdentity: '*' }, 400, 'is no managed identity of Azure'],
    [ann, 'azure', { gcpServiceAccount: MAIL }, 400, 'say which by --azure-identity'],
    [ann, 'google', { gcpServiceAccount: `x${MAIL}` }, 403, '(gcp_service_accounts)'],
    [ann, 'wiki', { azureIdentity: ID('reader') }, 501, 'open it in a browser'],
    [bea, 'azure', {}, 403, 'None of your roles gives you a managed identity of Azure in azure (azure_identities)'],
    [dan, 'azure', { azureIdentity: ID('reader') }, 403, 'None of your roles lets you'],
    [pia, 'azure', { azureIdentity: ID('reader') }, 403, 'MFA required'],
  ] as const) {
    const answer = await certify(who as Browser, name, chosen);
    expect([name, chosen, answer.status, answer.why]).toEqual([name, chosen, status, expect.stringContaining(text)]);
  }
  // Azure tells no case apart.
  await readyFor(ann, 'azure', { azureIdentity: ID('reader').toLowerCase() });
  expect(cloud.given.length).toBe(before);
});

test('what a cloud refuses is said with its words', async () => {
  const unassigned = await readyFor(ann, 'azure', { azureIdentity: ID('unassigned') });
  const foreign = await readyFor(ann, 'google', { gcpServiceAccount: 'foreign@acme.iam.gserviceaccount.com' });
  const answers = [
    await ask(unassigned, '/management.azure.com/x'),
    await ask(foreign, '/storage.googleapis.com/x'),
  ].map(({ status, body }) => [status, body]);
  expect(answers).toEqual([
    [403, expect.stringMatching(/Azure does not let the gateway act as .*unassigned: Identity not found/)],
    [403, expect.stringContaining("act as foreign@acme.iam.gserviceaccount.com: Permission 'getAccessToken' denied")],
  ]);
});

test('a lock breaks off what is open, and nothing more goes out', async () => {
  const leo = await rig.signIn('leo');
  const ready = await readyFor(leo, 'azure', { azureIdentity: ID('reader') });
  const socket = await dial(ready);
  const ended = once(socket, 'close');
  socket.write('GET /management.azure.com/hang HTTP/1.1\r\nHost: localhost:1\r\n\r\n');
  await expect.poll(() => cloud.open.size).toBe(1);
  await rig.services.locks.add(z.parse(lockBody, { targets: { user: 'leo' } }), { user: 'root', rights: null });
  socket.resume();
  await ended;
  expect(cloud.open.size).toBe(0);
  const before = cloud.asked.length;
  // Their web session is over as well.
  expect((await ask(ready, '/management.azure.com/x')).status).toBe(401);
  expect(cloud.asked.length).toBe(before);
});

test('where roles bind a sign-in to its address, a session that runs takes no connection from another', async () => {
  const ready = await readyFor(await rig.signIn('ida'), 'azure', { azureIdentity: ID('reader') });
  const identity = identityOf('tcp-app', new X509Certificate(ready.certificate));
  if (!identity) throw new Error('the certificate names nobody');
  const from = async (remoteAddr: string): Promise<string> => {
    const [here, there] = duplexPair();
    rig.services.tunnels.take(there as Socket, { kind: 'app', identity, remoteAddr });
    here.write('GET /management.azure.com/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return (await text(here)).split('\r\n')[0] ?? '';
  };
  expect(await from('127.0.0.1:1')).toBe('\nHTTP/1.1 200 OK');
  expect(await from('10.0.0.9:2')).toBe('\nHTTP/1.1 403 Forbidden');
  expect(await from('127.0.0.1:3')).toBe('\nHTTP/1.1 200 OK');
});

test('with a second factor for each session, a certificate is for one session, which begins within a minute and lasts beyond that', async () => {
  const mia = await rig.signIn('mia');
  const ready = await readyFor(mia, 'azure', { azureIdentity: ID('reader') });
  const san = new X509Certificate(ready.certificate).subjectAltName ?? '';
  const part = (name: string): string => decodeURIComponent(new RegExp(`postern:${name}:([^,]+)`).exec(san)?.[1] ?? '');
  const [stored] = await rig.store.users.named(['mia']);
  if (stored) await rig.store.users.update({ ...stored, roles: ['proven'] });
  // What was made without one opens nothing now.
  const unproven = await ask(ready, '/management.azure.com/x');
  expect([unproven.status, unproven.body]).toEqual([403, expect.stringContaining('second factor for each session')]);
  const who = await rig.services.identity.sessions.again({
    ...{ userId: part('user'), webSessionId: part('web-session'), remoteAddr: '127.0.0.1' },
  });
  const proven = async (): Promise<Ready> => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const issued = await rig.services.tunnels.issue(who, 'app', 'azure', {
      publicKey: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      device: 'key-1',
      chosen: { azure: ID('reader'), gcp: undefined },
    });
    return { ...issued, privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  };
  const begun = await proven();
  const kept = await proven();
  expect((await ask(begun, '/management.azure.com/x')).status).toBe(200);
  rig.later(61_000);
  expect((await ask(begun, '/management.azure.com/x')).status).toBe(200);
  const late = await ask(kept, '/management.azure.com/x');
  expect([late.status, late.body]).toEqual([403, expect.stringContaining('run postern proxy app azure again')]);
});

test('the list says whom a person may be, and a trial whether the machine is in that cloud', async () => {
  const { json } = await ann.call('GET', `/v1/webapi/sites/${CLUSTER}/apps?search=google`);
  expect(json).toMatchObject({
    items: [{ name: 'google', cloud: { provider: 'gcp', identities: ['foreign@acme.iam.gserviceaccount.com', MAIL] } }],
  });
  const trial = async (who: Browser) =>
    (
      await who.call('POST', `/v1/webapi/sites/${CLUSTER}/diagnostics/connections`, {
        resource_kind: 'app',
        resource_name: 'azure',
      })
    ).json as { success: boolean; traces: { traceType: string; error?: string }[] };
  expect((await trial(ann)).success).toBe(true);
  expect((await trial(await rig.signIn('bea'))).traces.at(-1)).toMatchObject({
    traceType: 'RBAC_PRINCIPAL',
    status: 'FAILED',
  });
  const elsewhere = await openRig({ databases: true });
  try {
    await elsewhere.store.resources.create(
      roleResource(
        'kind: role\nversion: v7\nmetadata: { name: shop }\nspec:\n  allow: { app_labels: { team: shop } }\n',
      ),
    );
    await apply(elsewhere, appYaml('azure', 'cloud://Azure', 'shop'));
    await elsewhere.addUser('ann', ['shop']);
    expect((await trial(await elsewhere.signIn('ann'))).traces.at(-1)).toMatchObject({
      traceType: 'CONNECTIVITY',
      error: expect.stringContaining('the gateway does not run in Azure, or has no managed identity'),
    });
  } finally {
    await elsewhere.dispose();
  }
});

test('a host fits a name, or a pattern by whole labels below it', () => {
  for (const host of [
    '*.vault.azure.net',
    'a..vault.azure.net',
    '-a.vault.azure.net',
    'vault.azure.net',
    'management.azure.com\u0000',
  ])
    expect([host, patternOf(host, HOSTS.azure)]).toEqual([host, undefined]);
  expect(patternOf('a.b.vault.azure.net', HOSTS.azure)).toBe('*.vault.azure.net');
});
