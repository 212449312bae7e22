// What is malformed is answered 400 with the field named, and nothing that anyone sends makes a 500 or reaches the log.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '../contract/calls.ts';
import { type Browser, CLUSTER, call, openRig, PASSWORD, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

let rig: Rig;
let ann: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root']);
  ann = await rig.signIn('ann');
});
afterAll(() => rig.dispose());

const USERS = '/v1/webapi/users';
const send = (body: unknown, headers: Record<string, string> = {}) =>
  call(rig.app, { method: 'POST', url: USERS, body, cookie: ann.cookie, bearer: ann.bearer, headers });

const nodes = `/v1/webapi/sites/${CLUSTER}/nodes`;
test.each([
  ['malformed JSON', '{"name":', 'body'],
  ['no body', '', 'body'],
  ['an array', [], 'body'],
  ['null', 'null', 'body'],
  ['a missing field', { roles: ['access'] }, 'name'],
  ['a field of the wrong type', { name: 1, roles: ['access'] }, 'name'],
  ['an empty list', { name: 'x', roles: [] }, 'roles'],
  ['a control character', { name: 'a\u0000b', roles: ['access'] }, 'name'],
  ['a prototype key', '{"name":"x","roles":["access"],"__proto__":{"isAdmin":true}}', 'body'],
  ['an escaped prototype key', '{"name":"x","roles":["access"],"\\u005f_proto__":{}}', 'body'],
  ['a constructor key', '{"name":"x","roles":["access"],"constructor":{"prototype":{"x":1}}}', 'constructor'],
  ['bad UTF-8', Buffer.from('{"name":"x\xff\xfe","roles":["access"]}', 'latin1'), 'body'],
  ['an unknown role', { name: 'x', roles: ['kings'] }, 'roles'],
])('a body with %s is 400 and names the field', async (_name, body, field) => {
  const { status, json } = await send(body);
  expect(status).toBe(400);
  expect(json).toMatchObject({ error: { code: 'bad_request', fields: { [field]: expect.any(String) } } });
  expect((json as { error: { message: string } }).error.message).not.toBe('Invalid input');
});

test('a body of another content type is 400, and one of 10 MB 413', async () => {
  expect(await send('name=x', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({ status: 400 });
  expect(await send('{}', { 'content-type': 'multipart/form-data; boundary=x' })).toMatchObject({ status: 400 });
  const large = await send(`{"name":"${'x'.repeat(10 * 1024 * 1024)}"}`);
  expect(large).toMatchObject({ status: 413, json: { error: { code: 'too_large' } } });
});

test.each([
  ['a label', { labels: [{ name: 'env', value: '\u001b]0;mine\u0007' }] }, 'labels.0.value', 'U+001B'],
  ["a label's name", { labels: [{ name: '__proto__', value: 'x' }] }, 'labels.0.name', 'a label name'],
  ['a name', { name: 'web\u202e1' }, 'name', 'U+202E'],
])('%s of a server that would change what terminals show is refused', async (_what, more, field, why) => {
  const server = { subKind: 'openssh', hostname: 'web', addr: 'web:22', hostKey: 'ssh-ed25519 AAAA', ...more };
  const { status, json } = await ann.call('POST', nodes, server);
  expect([status, json]).toMatchObject([400, { error: { fields: { [field]: expect.stringContaining(why) } } }]);
});

test.each([
  ['traits.logins.0', { traits: { logins: ['ro\u2066ot'] } }, 'U+2066'],
  ['allTraits.team.0', { allTraits: { team: ['a\u009bb'] } }, 'U+009B'],
  ['allTraits.a b', { allTraits: { 'a b': ['x'] } }, 'Invalid key'],
])('a trait that nobody could read is refused: %s', async (field, more, why) => {
  const { status, json } = await send({ name: 'x', roles: ['access'], ...more });
  expect(status).toBe(400);
  expect(JSON.stringify(json)).toContain(field);
  expect(JSON.stringify(json)).toContain(why);
});

test('names that objects have by themselves are labels and traits like any other', async () => {
  const { store } = rig;
  const words = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  for (const word of words) {
    await store.resources.create(
      roleResource(
        JSON.stringify({
          kind: 'role',
          version: 'v7',
          metadata: { name: word },
          spec: { allow: { node_labels: { [word]: `{{external.${word}}}` }, logins: ['root'] } },
        }),
      ),
    );
    await rig.addServer(`server-${word.toLowerCase()}`, { [word]: 'yes' });
    const body = { name: `u-${word.toLowerCase()}`, roles: [word], allTraits: { [word]: ['yes'] } };
    expect((await ann.call('POST', '/v1/webapi/users', body)).status).toBe(200);
    const user = await store.users.get(body.name);
    if (!user) throw new Error('no such user');
    const rights = await rig.rights.rightsOf(user);
    const selection = rights.listing('node');
    const names = (await store.resources.list('node', { limit: 100, selection, count: false })).items;
    expect(names.map(({ title }) => title)).toEqual([`server-${word.toLowerCase()}`]);
    expect(rights.logins({ [word]: 'yes' })).toEqual(['root']);
    expect(rights.logins({})).toEqual([]);
    const query = encodeURIComponent(`labels["${word}"] == "yes"`);
    const found = await ann.call('GET', `${nodes}?query=${query}&limit=10`);
    expect((found.json as { items: unknown[] }).items).toHaveLength(1);
    const none = encodeURIComponent(`labels["__proto__"] == "yes" || exists(labels["__proto__"])`);
    expect(((await ann.call('GET', `${nodes}?query=${none}`)).json as { items: unknown[] }).items).toEqual([]);
  }
});

test('whoever is not signed in gets the refusal before the body is read', async () => {
  const answer = await call(rig.app, { method: 'POST', url: USERS, body: '{"broken' });
  expect(answer.status).toBe(403);
});

test.each([
  [`${nodes}?limit=0`, 400, 'limit'],
  [`${nodes}?limit=many`, 400, 'limit'],
  [`${nodes}?limit=1&limit=2`, 400, 'limit'],
  [`${nodes}?startKey=%7B`, 400, undefined],
  [`${nodes}?query=${encodeURIComponent('labels[')}`, 400, 'query'],
  [`${nodes}?sort=shoesize:asc`, 400, 'sort'],
  [`${nodes}?sort=__proto__:asc`, 400, 'sort'],
  [`/v1/webapi/sites/${CLUSTER}/databaseservices?sort=name:asc`, 501, 'sort'],
  [`/v1/webapi/sites/${CLUSTER}/events/search?from=yesterday`, 400, 'from'],
  [`/v1/webapi/sites/${CLUSTER}/events/search?from=2026-02-30T00:00:00Z`, 400, 'from'],
  [`/v1/webapi/sites/${CLUSTER}/events/search?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`, 400, 'from'],
  [`/v1/webapi/sites/${CLUSTER}/sessions/..%2f..%2fetc%2fpasswd/stream`, 400, 'sid'],
  [`/v1/webapi/sites/${CLUSTER}/sessions/x/stream?bytes=-1`, 400, 'bytes'],
  [`/v1/webapi/sites/${CLUSTER}/recordings/x/segments/-1`, 400, 'index'],
  [`/v1/webapi/users/${'x'.repeat(400)}`, 400, 'name'],
])('%s is answered %i', async (url, status, field) => {
  const answer = await ann.call('GET', url);
  expect(answer.status).toBe(status);
  if (field) expect(answer.json).toMatchObject({ error: { fields: { [field]: expect.any(String) } } });
});

test('a refusal from the predicate language begins with the words clients look for', async () => {
  const { json } = await ann.call('GET', `${nodes}?query=${encodeURIComponent('name ==')}`);
  expect((json as { error: { message: string } }).error.message).toMatch(/^failed to parse predicate expression/);
});

/** Strings that have broken such servers, beside random ones. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    '..',
    '\u0000',
    '%00',
    "' OR 1=1 --",
    '*',
    '-current-',
    CLUSTER,
    'ann',
    'admin',
    'access',
    'asc',
    '9'.repeat(40),
    'x'.repeat(5000),
    '\ud800',
    '[::1]:22',
    '-1',
    '1e400',
    'NaN',
    '{{internal.logins}}',
  ),
);
const json = fc.letrec(tie => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  ),
})).any;
/** Bodies that get further: the fields a call knows, filled with anything. */
const fieldsOf = (schema: unknown): readonly string[] => {
  const shape = (schema as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape;
  return Object.keys(shape ?? {});
};
const input = fc.constantFrom(...Object.values(calls)).chain(one =>
  fc.record({
    one: fc.constant(one),
    params: fc.array(text, { minLength: 3, maxLength: 3 }),
    query: fc.dictionary(fc.oneof(text, fc.constantFrom('limit', 'startKey', ...fieldsOf(one.parts.query))), text, {
      maxKeys: 4,
    }),
    body: fc.oneof(
      fc.constant(undefined),
      json,
      fc.record(
        Object.fromEntries(
          fieldsOf(one.parts.body).map(field => [field, fc.oneof(json, fc.array(text, { maxLength: 3 }))]),
        ),
        { requiredKeys: [] },
      ),
      text.map(raw => ({ raw })),
    ),
  }),
);

test('two thousand five hundred generated calls make no 500 and leave no secret in the log', async () => {
  const token = 'c'.repeat(64);
  // Signing out would only stop the walk; everything else may happen to this gateway.
  const spared = calls.signOut;
  let made = 0;
  await fc.assert(
    fc.asyncProperty(input, async ({ one, params, query, body }) => {
      if (one === spared) return;
      made += 1;
      let at = 0;
      const path = one.path.replace(/:([A-Za-z]+)/g, (_whole, name: string) => {
        const given = params[at++] ?? '';
        return name === 'clusterId' && at % 4 !== 0 ? CLUSTER : encodeURIComponent(given.toWellFormed());
      });
      const search = new URLSearchParams(query).toString();
      const raw = typeof body === 'object' && body !== null && 'raw' in body ? String(body.raw) : undefined;
      const answer = await rig.app.inject({
        method: one.method,
        url: search ? `${path}?${search}` : path,
        headers: {
          cookie: `__Host-session=${ann.cookie}; __Host-postern_csrf=${token}`,
          authorization: `Bearer ${ann.bearer}`,
          'x-csrf-token': token,
          ...(body === undefined || one.method === 'GET' ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined || one.method === 'GET' ? {} : { payload: raw ?? JSON.stringify(body) ?? '' }),
      });
      const said = `${one.method} ${path} ${answer.statusCode} ${answer.body.slice(0, 300)}`;
      expect(answer.statusCode === 501 || answer.statusCode < 500, said).toBe(true);
      expect(answer.body, said).not.toMatch(/\bat \S+ \(|node_modules|SQLITE|\.ts:\d/);
    }),
    { numRuns: 2600, seed: 20260301, endOnFailure: true },
  );
  expect(made).toBeGreaterThanOrEqual(2500);
  const log = rig.log.join('\n');
  for (const secret of [PASSWORD, ann.bearer, ann.cookie]) expect(log).not.toContain(secret);
}, 60_000);

test('passwords and one-time tokens of failing calls are not in the log or the answer', async () => {
  const csrf = 'd'.repeat(64);
  const headers = { cookie: `__Host-postern_csrf=${csrf}`, 'x-csrf-token': csrf };
  const secret = 'hunter2-hunter2-hunter2';
  const answers = [
    await call(rig.app, {
      method: 'POST',
      url: '/v1/webapi/sessions/web',
      headers,
      body: { user: 'ann', pass: secret, extra: secret },
    }),
    await call(rig.app, {
      method: 'POST',
      url: '/v1/webapi/sessions/web',
      headers,
      body: `{"user":"ann","pass":"${secret}`,
    }),
    await call(rig.app, { method: 'GET', url: `/v1/webapi/users/password/token/${secret}` }),
    await call(rig.app, { method: 'GET', url: `/web/invite/${secret}` }),
    await call(rig.app, { method: 'GET', url: `/v1/webapi/nothing/${secret}?access_token=${secret}` }),
  ];
  for (const { body } of answers) expect(body).not.toContain(secret);
  expect(rig.log.join('\n')).not.toContain(secret);
});

test('a body that never comes whole is given up, and what has none stays open as long as it likes', async () => {
  const own = await openRig({ config: { bodyMs: 100 } });
  await own.addUser('ann', ['access']);
  const { cookie, bearer } = await own.signIn('ann');
  await own.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = own.app.server.address() as AddressInfo;
  const ask = (...lines: readonly string[]) => {
    const connection = connect(port, '127.0.0.1').setEncoding('utf8');
    connection.on('error', () => undefined);
    connection.write(`${[...lines, `Host: 127.0.0.1:${port}`].join('\r\n')}\r\n\r\n`);
    return connection;
  };
  const socket = ask(
    `GET /v1/webapi/changes?access_token=${bearer} HTTP/1.1`,
    `Cookie: __Host-session=${cookie}`,
    `Origin: http://127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  );
  expect(String(await once(socket, 'data'))).toContain('HTTP/1.1 101');
  for (const call of ['capture', 'users', 'none', `sites/${CLUSTER}/nodes/x/root/scp?location=x`]) {
    const half = ask(`POST /v1/webapi/${call} HTTP/1.1`, 'Content-Type: application/json', 'Content-Length: 20');
    half.write('{"event"');
    half.resume();
    await once(half, 'close');
  }
  expect(socket.readyState).toBe('open');
  socket.destroy();
  await own.dispose();
});

/** The first line and the body of what a gateway says to bytes, until it closes the connection. */
async function saidTo(app: Rig['app'], sent: string): Promise<readonly unknown[]> {
  const connection = connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  let read = '';
  connection.on('data', (text: string) => {
    read += text;
  });
  connection.write(sent);
  await once(connection, 'close');
  const [head = '', body = ''] = read.split('\r\n\r\n');
  return [head.split('\r\n')[0], JSON.parse(body)];
}

test('a head that never comes whole is given up', async () => {
  const own = await openRig({ config: { headMs: 100 } });
  await own.app.listen({ port: 0, host: '127.0.0.1' });
  expect(await saidTo(own.app, 'GET /web HTTP/1.1\r\nHost: x\r\n')).toEqual([
    'HTTP/1.1 408 Request Timeout',
    { error: { message: 'the request did not come in full in time', code: 'bad_request' } },
  ]);
  await own.dispose();
});

test('bytes that are no request are answered as every refusal is', async () => {
  const own = await openRig();
  await own.app.listen({ port: 0, host: '127.0.0.1' });
  expect(await saidTo(own.app, 'no request\r\n\r\n')).toEqual([
    'HTTP/1.1 400 Bad Request',
    { error: { message: 'this is no request of HTTP/1.1', code: 'bad_request' } },
  ]);
  expect(await saidTo(own.app, `GET /web HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toEqual([
    'HTTP/1.1 431 Request Header Fields Too Large',
    { error: { message: 'the headers are too long', code: 'bad_request' } },
  ]);
  await own.dispose();
});
