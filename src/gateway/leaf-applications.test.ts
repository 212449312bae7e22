// A web application of a leaf, at a host of the root: two real gateways, and what a browser says.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signIn, type WireClient } from '../../e2e/rigs/client.ts';
import { type LeafPair, openLeafPair } from '../../e2e/rigs/leaf.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const MAP = '[{remote: access, local: [access, web]}]';
const web = (more = ''): string =>
  `kind: role\nversion: v7\nmetadata: {name: web}\nspec:\n  options: {reach_loopback: true${more}}\n  allow: {app_labels: {env: office}}\n`;

let pair: LeafPair;
let wiki: Server;
/** What the application was asked last. */
let asked: IncomingMessage['headers'] = {};

beforeAll(async () => {
  wiki = createServer((given, answer) => {
    asked = given.headers;
    let bytes = 0;
    given.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    given.on('end', () => {
      if (given.url === '/away') {
        const domain = 'their=1; Domain=localhost; Path=/';
        answer.writeHead(302, { location: `http://${given.headers.host}/there`, 'set-cookie': domain });
        return void answer.end();
      }
      answer.end(`${given.method} ${given.url} with ${bytes} bytes`);
    });
  });
  wiki.on('upgrade', (given: IncomingMessage, socket) => {
    asked = given.headers;
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n');
    socket.on('error', () => socket.destroy());
    socket.pipe(socket);
  });
  wiki.listen(0, '127.0.0.1');
  await once(wiki, 'listening');
  pair = await openLeafPair('[{remote: access, local: [access]}]');
  const { port } = wiki.address() as AddressInfo;
  const app = `kind: app\nversion: v3\nmetadata: {name: wiki, labels: {env: office}}\nspec: {uri: 'http://127.0.0.1:${port}'}\n`;
  await pair.apply('leaf', [web(), app].join('---\n'));
  // One of the same name at the root is another application.
  await pair.apply('root', [web(), app].join('---\n'));
  await pair.map(MAP);
  const { roles } = (await pair.ann.call('GET', 'users/admin')) as { roles: string[] };
  await pair.ann.call('PUT', 'users', { name: 'admin', roles: [...roles, 'web'] });
});
afterAll(async () => {
  await pair?.dispose();
  wiki.closeAllConnections();
  wiki.close();
});

interface Given {
  readonly cookie?: string;
  readonly method?: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}
/** What a browser asks at a host of one of the gateways. */
function browse(
  host: string,
  path: string,
  { cookie = '', method = 'GET', body, headers }: Given = {},
  at = pair.root,
) {
  return new Promise<{ status: number; text: string; headers: IncomingMessage['headers'] }>((done, fail) => {
    const made = request(`${at.url}${path}`, {
      method,
      headers: { ...headers, host, cookie, 'sec-fetch-mode': 'navigate' },
    });
    made.on('error', fail);
    made.on('response', answer => {
      let text = '';
      answer.on('data', piece => {
        text += piece;
      });
      answer.on('end', () => done({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
      answer.on('error', fail);
    });
    made.end(body);
  });
}
const cookieOf = (headers: IncomingMessage['headers'], name: string): string =>
  headers['set-cookie']?.find(line => line.includes(name))?.split(';')[0] ?? '';
async function fqdnOf(cluster: string): Promise<string> {
  const { items } = (await pair.ann.call('GET', `sites/${cluster}/apps`)) as {
    items: { name: string; fqdn: string }[];
  };
  return items.find(({ name }) => name === 'wiki')?.fqdn ?? '';
}
/** The cookies of a browser that the console has handed over. */
async function enter(host: string, who: WireClient = pair.ann): Promise<string> {
  const sent = await browse(host, '/');
  expect(sent.status).toBe(302);
  const state = new URL(sent.headers.location ?? '').searchParams.get('state') ?? '';
  const { code } = (await who.call('POST', 'sessions/app', { fqdn: host })) as { code: string };
  const back = await browse(host, `/x-postern-auth?state=${state}&code=${code}&path=/`, {
    cookie: cookieOf(sent.headers, 'app-state'),
  });
  expect(back.status).toBe(303);
  return [cookieOf(back.headers, 'app-session'), cookieOf(back.headers, 'app-subject')].join('; ');
}
const noted = async (who: WireClient, cluster: string): Promise<readonly Record<string, unknown>[]> =>
  ((await who.call('GET', `sites/${cluster}/events/search?limit=500`)) as { events: Record<string, unknown>[] }).events;

test('a leaf’s application has a host of the root’s, which is that of no other, and the console hands browsers over to it', async () => {
  const host = await fqdnOf('acme-eu');
  expect(host).toMatch(/^wiki-[0-9a-f]{16}\.localhost$/);
  expect(await fqdnOf('hub')).toBe('wiki.localhost');
  expect(await pair.ann.call('GET', `apps/${host}`)).toEqual({ fqdn: host });
  const cookie = await enter(host);
  const page = await browse(host, '/page?a=1', { cookie: `${cookie}; mine=1` });
  expect([page.status, page.text]).toEqual([200, 'GET /page?a=1 with 0 bytes']);
  // It is told who they are by the leaf, and nothing of the gateways' own.
  expect(decodeJwt(String(asked['postern-jwt-assertion']))).toMatchObject({ sub: 'hub/admin' });
  expect(asked).toMatchObject({ cookie: 'mine=1', 'x-forwarded-host': `${host}:${new URL(pair.root.url).port}` });
  expect(Object.keys(asked).filter(name => name.startsWith('postern-'))).toEqual(['postern-jwt-assertion']);
});

test('where the root has an application of that very host, it is the root’s', async () => {
  const host = await fqdnOf('acme-eu');
  const name = host.replace('.localhost', '');
  await pair.ann.call('POST', 'sites/hub/apps', {
    name,
    uri: `http://127.0.0.1:${(wiki.address() as AddressInfo).port}`,
  });
  await enter(host);
  const sessions = async (cluster: string): Promise<object> =>
    pair.ann.call('GET', `sites/${cluster}/sessions`) as Promise<object>;
  expect(await sessions('hub')).toMatchObject({ sessions: [{ app_name: name, owner: 'admin' }] });
  await pair.ann.call('DELETE', `sites/hub/apps/${name}`);
});

test('bodies of any size, sockets and redirects pass; the session is the leaf’s, recorded and noted there, and seen from the root', async () => {
  const host = await fqdnOf('acme-eu');
  const cookie = await enter(host);
  const body = Buffer.alloc(5_000_000, 'x');
  expect((await browse(host, '/up', { cookie, method: 'POST', body })).text).toBe('POST /up with 5000000 bytes');
  const away = await browse(host, '/away', { cookie });
  const origin = new URL(pair.root.url);
  expect([away.status, away.headers.location]).toEqual([302, `http://${host}:${origin.port}/there`]);
  expect(away.headers['set-cookie']).toEqual(['their=1; Path=/']);
  const socket = await upgraded(host, cookie);
  socket.write('a word');
  const [said] = (await once(socket, 'data')) as [Buffer];
  expect(said.toString()).toBe('a word');
  const { sessions } = (await pair.ann.call('GET', 'sites/acme-eu/sessions')) as {
    sessions: Record<string, unknown>[];
  };
  expect(sessions).toMatchObject([{ kind: 'app', owner: 'hub/admin', app_name: 'wiki', cluster_name: 'acme-eu' }]);
  expect(await noted(pair.ben, 'acme-eu')).toContainEqual(
    expect.objectContaining({ event: 'app.session.start', user: 'hub/admin', app_name: 'wiki' }),
  );
  expect(
    (await noted(pair.ann, 'hub')).filter(
      ({ event, app_name: app }) => event === 'app.session.start' && app === 'wiki',
    ),
  ).toEqual([]);
  // Left at the root, it is over at the leaf.
  const closed = once(socket, 'close');
  await browse(host, '/x-postern-logout', { cookie });
  await closed;
  expect((await browse(host, '/', { cookie })).status).toBe(302);
  await expect
    .poll(async () => ((await pair.ann.call('GET', 'sites/acme-eu/sessions')) as { sessions: object[] }).sessions)
    .toEqual([]);
});
function upgraded(host: string, cookie: string, more: Readonly<Record<string, string>> = {}) {
  return new Promise<IncomingMessage['socket']>((done, fail) => {
    const headers = { host, cookie, connection: 'Upgrade', upgrade: 'echo', ...more };
    const made = request(`${pair.root.url}/socket`, { headers });
    made.on('upgrade', (_answer, socket) => done(socket));
    made.on('response', ({ statusCode }) => fail(new Error(`${statusCode}`)));
    made.on('error', fail);
    made.end();
  });
}

test('cookies and codes of one host open no other, a page of another origin opens no socket, and nobody says at a host who they are', async () => {
  const [host, own] = [await fqdnOf('acme-eu'), await fqdnOf('hub')];
  const [ofLeaf, ofRoot] = [await enter(host), await enter(own)];
  expect((await browse(own, '/', { cookie: ofLeaf })).status).toBe(302);
  expect((await browse(host, '/', { cookie: ofRoot })).status).toBe(302);
  const { code } = (await pair.ann.call('POST', 'sessions/app', { fqdn: host })) as { code: string };
  const sent = await browse(own, '/');
  const state = new URL(sent.headers.location ?? '').searchParams.get('state') ?? '';
  const taken = await browse(own, `/x-postern-auth?state=${state}&code=${code}`, {
    cookie: cookieOf(sent.headers, 'app-state'),
  });
  expect(taken.status).toBe(403);
  await expect(upgraded(host, ofLeaf, { origin: 'http://elsewhere.example.com' })).rejects.toThrow('403');
  const made = {
    'postern-application': 'nothing',
    'postern-visitor': 'x.y.z',
    'postern-origin': 'http://x',
    'postern-from': '1.2.3.4',
  };
  expect((await browse(host, '/', { cookie: ofLeaf, headers: made })).text).toBe('GET / with 0 bytes');
  expect((await browse('wiki.localhost', '/', { headers: made }, pair.leaf)).status).toBe(302);
  expect((await browse(host.replace('wiki', 'nothing'), '/')).status).toBe(302);
  expect((await browse(host.replace(/-.{16}\./, '-0123456789abcdef.'), '/')).status).toBe(404);
});

test('the leaf’s roles, locks and demands count at the next request, in words', async () => {
  const host = await fqdnOf('acme-eu');
  const cookie = await enter(host);
  const page = async () => browse(host, '/', { cookie });
  expect((await page()).status).toBe(200);
  const other = host.replace('wiki', 'nothing');
  expect(await browse(other, '/', { cookie: await enter(other) })).toMatchObject({
    status: 404,
    text: expect.stringContaining('was not found'),
  });

  await pair.map('[{remote: nobody, local: [access]}]');
  expect(await page()).toMatchObject({ status: 403, text: expect.stringContaining('none of your roles is mapped') });
  await pair.map(MAP);
  expect((await page()).status).toBe(200);

  const lock = (await pair.ben.call('PUT', 'sites/acme-eu/locks', {
    targets: { user: 'hub/admin' },
    message: 'looked at',
    ttl: '1h',
  })) as { name: string };
  expect(await page()).toMatchObject({ status: 403, text: expect.stringContaining('looked at') });
  await pair.ben.call('DELETE', `sites/acme-eu/locks/${lock.name}`);
  expect((await page()).status).toBe(200);

  await pair.apply('leaf', web(', require_session_mfa: true'));
  expect(await page()).toMatchObject({
    status: 403,
    text: expect.stringContaining('cannot be shown through your root cluster'),
  });
  await pair.apply('leaf', web());
  expect((await page()).status).toBe(200);
});

test('a sign-out at the root ends what is open, and a leaf that is away says so', async () => {
  const host = await fqdnOf('acme-eu');
  const other = await signIn(pair.root.url, 'admin', pair.password);
  const cookie = await enter(host, other);
  const socket = await upgraded(host, cookie);
  const closed = once(socket, 'close');
  socket.on('error', () => undefined);
  await other.call('DELETE', 'sessions/web');
  await closed;
  expect((await browse(host, '/', { cookie })).status).toBe(302);

  const open = await enter(host);
  await pair.leaf.kill('SIGKILL');
  await pair.until('offline');
  expect(await browse(host, '/', { cookie: open })).toMatchObject({
    status: 502,
    text: expect.stringContaining('is offline'),
  });
  await expect(pair.ann.call('POST', 'sessions/app', { fqdn: host })).rejects.toThrow('is offline');
});
