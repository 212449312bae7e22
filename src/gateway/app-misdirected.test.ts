// TLS connections that were opened for one host and ask for another: none comes to an application, and none of an application's comes to the
// console.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfSigned } from '../../e2e/rigs/https-server.ts';
import { openRig, type Rig } from './app.testing.ts';
import { apply, appRole, appYaml, type EchoApp, openEchoApp } from './app-applications.testing.ts';
import { cookies } from './services/protocols/applications/headers.ts';

const CONSOLE = 'console.example.com';
const WIKI = 'wiki.console.example.com';
const OTHER = 'other.example.org';
const HEAD_END = '\r\n\r\n';
const tls = selfSigned();
let echo: EchoApp;
let rig: Rig;
/** The same behind a proxy of its own. */
let proxied: Rig;
/** Ann's cookies at the wiki, of both. */
let pairs: ReadonlyMap<Rig, string>;

async function openTlsRig(trustProxy: boolean): Promise<Rig> {
  const opened = await openRig({ config: { tls, trustProxy } });
  await opened.app.listen({ host: '127.0.0.1', port: 0 });
  await opened.store.resources.create(appRole('shop', 'shop'));
  await apply(opened, appYaml('wiki', echo.uri, 'shop'));
  await apply(opened, appYaml('other', echo.uri, 'shop', `  public_addr: ${OTHER}\n`));
  await opened.addUser('ann', ['shop']);
  return opened;
}
/** The cookies that the console's page has for the wiki. */
async function pairAt(opened: Rig): Promise<string> {
  const ann = await opened.signIn('ann');
  const { json } = await ann.call('POST', '/v1/webapi/sessions/app', { fqdn: WIKI });
  const pair = json as { cookie_value: string; subject_cookie_value: string };
  return `${cookies.value}=${pair.cookie_value}; ${cookies.subject}=${pair.subject_cookie_value}`;
}
beforeAll(async () => {
  echo = await openEchoApp();
  [rig, proxied] = [await openTlsRig(false), await openTlsRig(true)];
  pairs = new Map([
    [rig, await pairAt(rig)],
    [proxied, await pairAt(proxied)],
  ]);
});
afterAll(async () => {
  await rig?.dispose();
  await proxied?.dispose();
  echo?.close();
});

/** A connection that says in TLS for whom it is; '' says nothing. */
async function dial(servername: string, to = rig): Promise<TLSSocket> {
  const { port } = to.app.server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, servername, ca: tls.cert, checkServerIdentity: () => undefined });
  await once(socket, 'secureConnect');
  return socket;
}
const write = (socket: TLSSocket, host: string, more: readonly string[] = []): void =>
  void socket.write(`${['GET / HTTP/1.1', `Host: ${host}`, ...more].join('\r\n')}\r\n\r\n`);
const cookie = (to = rig): string => `Cookie: ${pairs.get(to)}`;
/** The head of what one request gets on a connection of its own. */
async function askedOnce(servername: string, host: string, more: readonly string[] = [], to = rig): Promise<string> {
  const socket = await dial(servername, to);
  let said = '';
  const head = new Promise<string>((done, fail) => {
    socket.on('data', (bytes: Buffer) => {
      said += bytes;
      if (said.includes(HEAD_END)) done(said.slice(0, said.indexOf(HEAD_END)));
    });
    socket.once('close', () => fail(new Error(`hung up after "${said}"`)));
  });
  write(socket, host, more);
  return head.finally(() => socket.destroy());
}

test('a request for an application over a connection that was opened for another host is misdirected, whoever asks', async () => {
  expect(await askedOnce(WIKI, WIKI, [cookie()])).toMatch(/^HTTP\/1\.1 200 /);
  for (const [servername, host] of [
    [CONSOLE, WIKI],
    [OTHER, WIKI],
    ['nothing.test', WIKI],
    ['localhost', WIKI],
    [`a.${WIKI}`, WIKI],
    [WIKI, OTHER],
    [CONSOLE, OTHER],
    // Nor does a connection for an application lead to the console, by whatever name.
    [WIKI, CONSOLE],
    [WIKI, '127.0.0.1'],
    [WIKI, `${WIKI}.`],
    [WIKI, 'nothing.test'],
    [OTHER, CONSOLE],
    ['nothing.console.example.com', CONSOLE],
  ] as const)
    expect([servername, host, await askedOnce(servername, host, [cookie()])]).toEqual([
      servername,
      host,
      expect.stringMatching(/^HTTP\/1\.1 421 Misdirected Request\r\n[\s\S]*connection: close/i),
    ]);
});

test('the name in TLS may be written in capitals, and a client that says none is told apart by what it asks for', async () => {
  expect(await askedOnce(WIKI.toUpperCase(), `${WIKI.toUpperCase()}:3080`, [cookie()])).toMatch(/^HTTP\/1\.1 200 /);
  expect(await askedOnce('', WIKI, [cookie()])).toMatch(/^HTTP\/1\.1 200 /);
  expect(await askedOnce('', CONSOLE)).toMatch(/^HTTP\/1\.1 302 /);
  // Where neither is an application's, the console answers: it may be known by more names than its own.
  expect(await askedOnce('gateway.internal', CONSOLE)).toMatch(/^HTTP\/1\.1 302 /);
});

test('a connection that was good for one request is not for the next one to another host, and a socket is opened for its own alone', async () => {
  const reused = await dial(WIKI);
  let said = '';
  reused.on('data', (bytes: Buffer) => {
    said += bytes;
  });
  write(reused, WIKI, [cookie()]);
  await once(reused, 'data');
  write(reused, OTHER);
  await once(reused, 'close');
  expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 421']);

  const upgrade = [cookie(), `Origin: https://${WIKI}`, 'Connection: Upgrade', 'Upgrade: websocket'];
  expect(await askedOnce(WIKI, WIKI, upgrade)).toMatch(/^HTTP\/1\.1 101 /);
  expect(await askedOnce(CONSOLE, WIKI, upgrade)).toMatch(/^HTTP\/1\.1 421 /);
  // One of the console over a connection for an application.
  expect(await askedOnce(WIKI, CONSOLE, upgrade)).toMatch(/^HTTP\/1\.1 421 /);
});

test('HTTP/2, with which browsers would ask for several hosts over one connection, is not spoken', async () => {
  const { port } = rig.app.server.address() as AddressInfo;
  const offered = (ALPNProtocols: string[]) =>
    connect({
      host: '127.0.0.1',
      port,
      servername: WIKI,
      ca: tls.cert,
      checkServerIdentity: () => undefined,
      ALPNProtocols,
    });
  const both = offered(['h2', 'http/1.1']);
  await once(both, 'secureConnect');
  expect(both.alpnProtocol).toBe('http/1.1');
  both.destroy();
  await expect(once(offered(['h2']), 'secureConnect')).rejects.toThrow(/no application protocol/i);
});

test('behind a trusted proxy the connection is the proxy’s own, which may name whom it likes', async () => {
  expect(await askedOnce('gateway.internal', WIKI, [cookie(proxied)], proxied)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await askedOnce(WIKI, CONSOLE, [], proxied)).toMatch(/^HTTP\/1\.1 302 /);
});

test('where the store cannot say whose a host is, nobody answers there, the console no more than another', async () => {
  const opened = await openTlsRig(false);
  try {
    await opened.store.close();
    await expect(askedOnce(OTHER, OTHER, [], opened)).rejects.toThrow('hung up after ""');
  } finally {
    await opened.dispose();
  }
});
