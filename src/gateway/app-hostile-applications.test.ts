// Bytes that no browser sends to an application: each is answered or hung up on, and what comes to the application is one plain request, from
// whom it is, with nothing of ours in it.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRig, type Rig } from './app.testing.ts';
import { apply, appRole, appYaml, askHost, enterApp } from './app-applications.testing.ts';

const CASES = 5000;
const AT_ONCE = 25;
const SEED = 20_261_127;
/** A client that has heard nothing for so long has nothing more to say, ms. */
const PATIENCE_MS = 40;
const SLOW_MS = 240_000;
const WIKI = 'wiki.console.example.com';

let rig: Rig;
let port: number;
let cookie: string;
const heard: { readonly url: string; readonly raw: readonly string[] }[] = [];
const server = createServer((request, response: ServerResponse) => {
  heard.push({ url: request.url ?? '', raw: request.rawHeaders });
  request.on('error', () => undefined).resume();
  if (request.url !== '/events') return void response.end('ok');
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n');
  streams.push(response);
});
const streams: ServerResponse[] = [];
server.on('upgrade', (request, socket) => {
  heard.push({ url: request.url ?? '', raw: request.rawHeaders });
  socket.on('error', () => undefined).resume();
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  socket.once('end', () => socket.end());
});
beforeAll(async () => {
  rig = await openRig();
  await rig.app.listen({ host: '127.0.0.1', port: 0 });
  port = (rig.app.server.address() as AddressInfo).port;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await rig.store.resources.create(appRole('shop', 'shop'));
  await apply(rig, appYaml('wiki', `http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'shop'));
  await rig.addUser('ann', ['shop']);
  cookie = await enterApp(rig, port, await rig.signIn('ann'), WIKI);
});
afterAll(async () => {
  await rig?.dispose();
  server.closeAllConnections();
  server.close();
});

const segment = fc.constantFrom(
  ...[
    'a',
    'events2',
    '..',
    '.',
    '',
    '%2e%2e',
    '%2f',
    '%252f',
    '%00',
    '%0d%0a',
    '\\',
    ';',
    '%',
    '%zz',
    '?q=1',
    '#x',
    '*',
  ],
  ...[
    'x-postern-auth',

    'é',
    '\u0001',
    'a b',
    'x'.repeat(600),
    '//evil.test/',
    'web',
    'v1/webapi/sites',
  ],
);
const path = fc
  .tuple(
    fc.constantFrom('/', '/', '', '//', `http://${WIKI}/`, 'http://console.example.com/'),
    fc.array(segment, { maxLength: 5 }),
  )
  .map(([before, parts]) => `${before}${parts.join('/')}`);
const header = fc.constantFrom(
  ...[
    'Postern-Jwt-Assertion: forged',
    'postern_jwt_assertion: forged',
    'POSTERN-X: forged',
    'Postern-Jwt-Assertion : forged',
  ],
  ...['X-Forwarded-For: 6.6.6.6', 'x_forwarded_host: forged', 'Forwarded: for=forged', ' X-Forwarded-For: forged'],
  ...[
    'Connection: Postern-Jwt-Assertion',
    'Connection: close',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Upgrade: h2c',
  ],
  ...[
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding : chunked',
    'TE: trailers',
  ],
  ...[
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999',
    'Content-Length: 5, 6',
    'Expect: 100-continue',
  ],
  ...['Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 13', 'Origin: https://evil.test', `Origin: https://${WIKI}`],
  ...[
    `Host: other.example.org`,
    'Cookie: a=b; __Host-postern-app-session=forged',
    'Range: bytes=0-1',
    'X: é',
    'X: \u0000',
  ],
  ...[`X: ${'y'.repeat(20_000)}`, 'no colon', '\r\nGET /smuggled HTTP/1.1', 'X: 1\r\n folded: yes'],
);
const body = fc.oneof(
  fc.constantFrom(
    '',
    'hello',
    '5\r\nhello\r\n0\r\n\r\n',
    '5;x=y\r\nhello\r\n0\r\n\r\n',
    'zz\r\nhello\r\n',
    '-1\r\n',
    '0\r\n',
  ),
  fc.constantFrom(`0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: ${WIKI}\r\nPostern-Jwt-Assertion: forged\r\n\r\n`),
  fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes).toString('latin1')),
);
const method = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'get',
  'PRI',
  'G\u0001T',
);
const written = fc
  .tuple(
    method,
    path,
    fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''),
    fc.array(header, { maxLength: 5 }),
    body,
    fc.boolean(),
  )
  .map(([verb, to, version, headers, rest, isCut]) => (session: string): Buffer => {
    const own = `Host: ${WIKI}\r\nCookie: ${session}`;
    const whole = `${verb} ${to} ${version}\r\n${own}\r\n${headers.map(one => `${one}\r\n`).join('')}\r\n${rest}`;
    return Buffer.from(isCut ? whole.slice(0, Math.floor(whole.length * 0.8)) : whole, 'latin1');
  });
/** A socket that is opened in good order, and nonsense in it. */
const streamed = fc.uint8Array({ maxLength: 400 }).map(bytes => (session: string): Buffer => {
  const said = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
  ];
  const head = `GET /ws HTTP/1.1\r\nHost: ${WIKI}\r\nOrigin: https://${WIKI}\r\nCookie: ${session}\r\n${said.join('\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
});
const nonsense = fc.oneof(
  { weight: 7, arbitrary: written },
  { weight: 1, arbitrary: streamed },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 500 }).map(bytes => () => Buffer.from(bytes)) },
);

/** What comes back until both have hung up. */
async function say(bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const pieces: Buffer[] = [];
  const closed = new Promise(done => socket.once('close', done));
  socket.on('error', () => undefined).setTimeout(PATIENCE_MS, () => socket.end());
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    socket.end();
  });
  socket.write(bytes);
  await closed;
  return Buffer.concat(pieces).toString('latin1');
}

test(
  '5,000 generated requests to an application are answered or hung up on; what comes there is plain, and a stream beside them goes on',
  async () => {
    const beside = get({ host: '127.0.0.1', port, path: '/events', headers: { host: WIKI, cookie }, agent: false });
    const [stream] = (await once(beside, 'response')) as [IncomingMessage];
    const [first] = (await once(stream, 'data')) as [Buffer];
    expect(first.toString()).toBe('data: one\n\n');
    const answers: string[] = [];
    const next = fc.sample(nonsense, { numRuns: CASES, seed: SEED })[Symbol.iterator]();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const one of next) answers.push(await say(one(cookie)));
      }),
    );
    expect(answers).toHaveLength(CASES);
    expect(answers.filter(answer => answer !== '' && !/^HTTP\/1\.1 \d{3} /.test(answer))).toEqual([]);
    expect(answers.filter(answer => /^HTTP\/1\.1 500/.test(answer))).toEqual([]);
    // Some are good requests by chance: the cases are not all refused at the first byte.
    expect(heard.length).toBeGreaterThan(100);
    for (const { url, raw } of heard) {
      const values = (name: string) => raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name);
      expect(url).not.toContain('smuggled');
      expect(raw.join('\n')).not.toMatch(/forged|6\.6\.6\.6|__Host-postern/);
      expect([values('host').length, values('postern-jwt-assertion').length, values('x-forwarded-for')]).toEqual([
        1,
        1,
        ['127.0.0.1'],
      ]);
    }
    for (const open of streams) open.write('data: two\n\n');
    const [second] = (await once(stream, 'data')) as [Buffer];
    expect(second.toString()).toBe('data: two\n\n');
    stream.destroy();
    expect((await askHost(port, WIKI, '/', { headers: { cookie } })).body).toBe('ok');
    expect(rig.log.filter(line => !line.startsWith('{') || /"level":[56]0/.test(line))).toEqual([]);
  },
  SLOW_MS,
);
