// A root beside a leaf that means no good: whatever it says is its own, bounded, and opens nothing elsewhere.
import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { WireClient } from '../../e2e/rigs/client.ts';
import { askToJoin, type HostileLeaf, openHostileLeaf } from '../../e2e/rigs/hostile-leaf.ts';
import { type LeafPair, openLeafPair } from '../../e2e/rigs/leaf.ts';
import type { Cluster } from '../contract/clusters.ts';
import type { Node } from '../contract/nodes.ts';
import { createChecking } from './services/trust/assertion.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const LOGIN = userInfo().username;
const MAP = '[{remote: access, local: [access]}]';
const MEGABYTE = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'postern-hostile-leaf-'));

let pair: LeafPair;
let evil: HostileLeaf;
const newToken = async (): Promise<string> =>
  ((await pair.ann.call('POST', 'token', { roles: ['Trusted_cluster'], uses: 1 })) as { id: string }).id;
const clusters = async (): Promise<readonly string[]> =>
  ((await pair.ann.call('GET', 'sites')) as Cluster[]).map(({ name, status }) => `${name} ${status}`);

beforeAll(async () => {
  pair = await openLeafPair(MAP);
  const { root, ports } = pair;
  evil = await openHostileLeaf({
    url: root.url,
    rootName: 'hub',
    tunnelPort: ports.root.ssh,
    token: await newToken(),
    name: 'evil',
  });
  await vi.waitFor(async () => expect(await clusters()).toEqual(['hub online', 'acme-eu online', 'evil online']), {
    timeout: 20_000,
  });
});
afterAll(async () => {
  await evil?.dispose();
  await pair?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** It answers this as JSON, whatever it is asked. */
function says(value: unknown, status = 200): void {
  evil.answer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'set-cookie': 'stolen=1; Path=/' });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  });
}
const nodesOf = async (cluster: string): Promise<readonly Node[]> =>
  ((await pair.ann.call('GET', `sites/${cluster}/nodes`)) as { items: Node[] }).items;
async function rootsOwnMachine(): Promise<Node> {
  const [machine] = await nodesOf('hub');
  if (!machine) throw new Error('the root lists no server');
  return machine;
}
const rootMegabytes = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pair.root.pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;

test('no leaf has the name of another cluster: that of the root, of a leaf that has joined, in whatever letters, nor the key of another; and no token is spent on it', async () => {
  const token = await newToken();
  const { publicKey } = evil;
  const fresh = `ssh-ed25519 ${'A'.repeat(25)}IA${'B'.repeat(41)}`;
  const ask = async (cluster: string, key = fresh) => {
    const asked = { token, cluster_name: cluster, root_name: 'hub', public_key: key };
    const { status, body } = await askToJoin(pair.root.url, asked);
    return `${status} ${JSON.stringify(body)}`;
  };
  for (const name of ['hub', 'HUB']) expect(await ask(name)).toMatch(/409.*of its own name/);
  for (const name of ['acme-eu', 'ACME-EU'])
    expect(await ask(name)).toMatch(/409.*has joined already, with another key/);
  for (const name of ['', '../hub', 'hub/admin', 'a b', '-current-', 'x'.repeat(64), 'hub\n'])
    expect(await ask(name), name).toMatch(/^400 .*cluster_name|^409/);
  expect(await ask('other', publicKey)).toMatch(/409.*of another name has joined with this key/);
  expect(await clusters()).toEqual(['hub online', 'acme-eu online', 'evil online']);
  const tokens = (await pair.ann.call('GET', 'tokens')) as { items: { id: string; used?: number }[] };
  expect(JSON.stringify(tokens)).toContain(token.split('.')[0]);
});

test('a leaf leads to itself alone: another’s path, a port, a shell and a connection through the root are refused over its key', async () => {
  const { id } = await rootsOwnMachine();
  const target = 'tunnel@127.0.0.1';
  for (const path of ['/postern/cluster/acme-eu', `/postern/node/${id}`, '/postern/db/orders', '/etc/passwd', ''])
    expect(await evil.dial('-N', '-R', `${path}:/tmp/nowhere`, target), path).toMatch(/forwarding failed|Bad/);
  expect(await evil.dial('-N', '-R', '0:127.0.0.1:1', target)).toMatch(/forwarding failed/);
  expect(await evil.dial('-W', '127.0.0.1:22', target)).toMatch(/open failed/);
  for (const words of [['id'], ['-s', 'sftp']])
    expect(await evil.dial(target, ...words)).toMatch(/channel|session|subsystem/i);
  // The key says who dials, whatever the user name: none lets it in among people.
  expect(await evil.dial('-N', 'admin@127.0.0.1')).toMatch(/Permission denied/);
  expect(await nodesOf('acme-eu')).toHaveLength(1);
});

test('what it says of other clusters and their servers is shown as its own, and opens nothing there', async () => {
  const machine = await rootsOwnMachine();
  evil.answer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const other = { lastConnected: new Date().toISOString(), status: 'online', nodeCount: 7, publicURL: 'evil:1' };
    const all = ['hub', 'acme-eu', 'evil', 'new'].map(name => ({ name, ...other, authVersion: '', proxyVersion: '' }));
    response.end(
      JSON.stringify(request.url === '/v1/webapi/sites' ? all : { items: [machine], startKey: '', totalCount: 1 }),
    );
  });
  const listed = async () => (await pair.ann.call('GET', 'sites')) as Cluster[];
  // A leaf that says nothing of itself in time is listed without that.
  await expect
    .poll(async () => (await listed()).map(({ name, nodeCount }) => `${name} ${nodeCount}`), { timeout: 30_000 })
    .toEqual(['hub 1', 'acme-eu 1', 'evil 7']);
  expect((await listed())[0]?.publicURL).not.toContain('evil');
  expect(await nodesOf('evil')).toMatchObject([{ id: machine.id, siteId: 'evil' }]);
  expect(await nodesOf('hub')).toMatchObject([{ id: machine.id, siteId: 'hub' }]);
  const before = evil.asked.length;
  const shell = await pair.ann.shell({ cluster: 'hub', server_id: machine.id, login: LOGIN });
  shell.send('echo on-$((40+2))\n');
  await shell.until('on-42');
  // What the leaf calls the same is the leaf's: it is asked, and the root's machine is not.
  await expect(pair.ann.shell({ cluster: 'evil', server_id: machine.id, login: LOGIN })).rejects.toThrow('refused');
  const asked = evil.asked.slice(before).filter(one => one.includes('/connect'));
  expect(asked).toEqual([expect.stringContaining('GET /v1/webapi/sites/evil/connect?access_token=&')]);
  shell.send('exit\n');
  await shell.closed;
});

test('browsers come to its applications at hosts that are none of its choice', async () => {
  const app = { kind: 'app', name: 'wiki', uri: 'http://127.0.0.1:1', publicAddr: 'wiki.localhost', clusterId: 'hub' };
  const cloud = { ...app, name: 'cloud', uri: 'cloud:azure' };
  says({
    items: [app, cloud].map(one => ({ ...one, fqdn: 'wiki.localhost', address: 'javascript:0' })),
    startKey: '',
    totalCount: 2,
  });
  const { items } = (await pair.ann.call('GET', 'sites/evil/apps')) as { items: Record<string, string>[] };
  expect(items.map(({ fqdn, clusterId, address }) => `${fqdn} ${clusterId} ${address}`)).toEqual([
    expect.stringMatching(/^(wiki-[0-9a-f]{16}\.localhost) evil http:\/\/\1:\d+$/),
    ' evil ',
  ]);
});

test('what it says of people and their sessions is in none of the root’s lists, signs nobody out, and sets nothing in a browser', async () => {
  const machine = await rootsOwnMachine();
  const shell = await pair.ann.shell({ cluster: 'hub', server_id: machine.id, login: LOGIN });
  const { sessions } = (await pair.ann.call('GET', 'sites/hub/sessions')) as { sessions: Record<string, unknown>[] };
  expect(sessions).toMatchObject([{ id: shell.sid, owner: 'admin' }]);
  const [own] = sessions;
  says({
    sessions: [
      { ...own, owner: 'admin', login: 'root', command: 'rm -rf /' },
      { ...own, id: 'made-up' },
    ],
  });
  const theirs = (await pair.ann.call('GET', 'sites/evil/sessions')) as { sessions: object[] };
  expect(theirs.sessions).toMatchObject([
    { id: shell.sid, cluster_name: 'evil' },
    { id: 'made-up', cluster_name: 'evil' },
  ]);
  expect(await pair.ann.call('GET', 'sites/hub/sessions')).toEqual({ sessions });
  // Ending what it has made up is asked of the leaf: the root's session of the same id goes on.
  says({ message: 'ok' });
  await pair.ann.call('DELETE', `sites/evil/sessions/${shell.sid}`).catch(() => undefined);
  shell.send('echo still-$((40+2))\n');
  await shell.until('still-42');

  const lie = {
    event: 'user.login',
    code: 'T1000I',
    time: new Date().toISOString(),
    uid: 'lie',
    user: 'admin',
    cluster_name: 'hub',
  };
  says({ events: [lie], startKey: '' });
  expect(await pair.ann.call('GET', 'sites/evil/events/search')).toMatchObject({
    events: [{ uid: 'lie', cluster_name: 'evil' }],
  });
  expect(JSON.stringify(await pair.ann.call('GET', 'sites/hub/events/search?limit=500'))).not.toContain('"lie"');

  const { cookie, bearer } = pair.ann;
  const raw = () =>
    fetch(`${pair.root.url}/v1/webapi/sites/evil/sessions`, { headers: { cookie, authorization: `Bearer ${bearer}` } });
  says({ sessions: [] });
  expect((await raw()).headers.get('set-cookie')).toBeNull();
  for (const [status, code] of [
    [401, 'signed_out'],
    [403, 'signed_out'],
    [500, 'internal'],
  ] as const) {
    says({ error: { code, message: 'sign in again' } }, status);
    const answer = await raw();
    expect([answer.status, await answer.text()]).toEqual([
      expect.any(Number),
      expect.not.stringContaining('"signed_out"'),
    ]);
    expect(answer.status).not.toBe(401);
  }
  evil.answer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-disposition': 'inline' });
    response.end('<script>alert(1)</script>');
  });
  const html = await raw();
  expect([html.headers.get('content-type'), html.headers.get('content-disposition')]).toEqual([
    'application/octet-stream',
    'attachment',
  ]);
  expect(await pair.ann.call('GET', 'sites/hub/sessions')).toMatchObject({ sessions: [{ id: shell.sid }] });
  shell.send('exit\n');
  await shell.closed;
});

/** As much as is taken of a gigabyte; answers how much was, bytes, once that is over. */
function gush(response: ServerResponse, head = ''): Promise<number> {
  const piece = Buffer.alloc(64 * 1024, 'x');
  let sent = 0;
  return new Promise(done => {
    const more = (): void => {
      while (sent < 1024 * MEGABYTE) {
        if (response.destroyed) return;
        sent += piece.length;
        if (!response.write(piece)) return void response.once('drain', more);
      }
      response.end();
    };
    response.once('close', () => done(sent));
    if (head !== '') response.write(head);
    more();
  });
}
test('of a gigabyte that it answers, refuses or names in its headers little is read, and the root stays as small as it was', async () => {
  says({ sessions: [] });
  await pair.ann.call('GET', 'sites/evil/sessions');
  const before = rootMegabytes();
  const flood = async (status: number, type: string, head = ''): Promise<number> => {
    const sent = Promise.withResolvers<number>();
    evil.answer((request, response) => {
      if (!request.url?.includes('/evil/')) return void response.writeHead(404).end();
      response.writeHead(status, { 'content-type': type });
      void gush(response, head).then(sent.resolve);
    });
    await expect(pair.ann.call('GET', 'sites/evil/sessions')).rejects.toThrow(/cluster \\"evil\\"/);
    return sent.promise;
  };
  // Twice what is read of an answer, for what is on its way meanwhile.
  const most = 40 * MEGABYTE;
  expect(await flood(200, 'application/json', '{"sessions":[')).toBeLessThan(most);
  expect(await flood(200, 'text/plain')).toBeLessThan(most);
  expect(await flood(403, 'application/json', '{"error":{"message":"')).toBeLessThan(most);
  evil.answer((_request, response) => {
    response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(2 * MEGABYTE)}`);
  });
  await expect(pair.ann.call('GET', 'sites/evil/sessions')).rejects.toThrow(/evil/);
  evil.upgrade((_request, socket) => void socket.write(`HTTP/1.1 403 No\r\n\r\n${'x'.repeat(MEGABYTE)}`));
  await expect(pair.ann.shell({ cluster: 'evil', server_id: 'x', login: LOGIN })).rejects.toThrow('refused');
  expect(rootMegabytes() - before).toBeLessThan(200);
  expect(await nodesOf('acme-eu')).toHaveLength(1);
});

test('a gigabyte that is streamed passes as fast as it is read, is not kept, and ends at the leaf with whoever asked for it', async () => {
  const before = rootMegabytes();
  const sent = Promise.withResolvers<number>();
  evil.answer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    void gush(response).then(sent.resolve);
  });
  const { cookie, bearer } = pair.ann;
  const ended = new AbortController();
  const answer = await fetch(`${pair.root.url}/v1/webapi/sites/evil/events/export?format=ndjson`, {
    headers: { cookie, authorization: `Bearer ${bearer}` },
    signal: ended.signal,
  });
  let read = 0;
  let most = 0;
  for await (const piece of answer.body ?? []) {
    read += piece.length;
    most = Math.max(most, rootMegabytes());
    if (read > 100 * MEGABYTE) break;
  }
  ended.abort();
  expect(await sent.promise).toBeLessThan(300 * MEGABYTE);
  expect(most - before).toBeLessThan(150);
});

test('what is no answer of a gateway is told as that: nesting without end, keys of prototypes, wrong kinds, text', async () => {
  const deep = '['.repeat(4 * MEGABYTE);
  const polluting =
    '{"sessions":[],"__proto__":{"cluster_name":"hub","polluted":1},"constructor":{"prototype":{"polluted":1}}}';
  for (const said of [
    deep,
    `{"sessions":${deep}`,
    '{"sessions":{}}',
    '{"sessions":[null]}',
    'null',
    '"x"',
    '',
    '\u0000',
  ]) {
    says(said);
    await expect(pair.ann.call('GET', 'sites/evil/sessions'), said.slice(0, 30)).rejects.toThrow(/evil/);
  }
  says(polluting);
  expect(await pair.ann.call('GET', 'sites/evil/sessions')).toEqual({ sessions: [] });
  expect(await pair.ann.call('GET', 'sites/hub/sessions')).toEqual({ sessions: [] });
});

test('what the root says of somebody to one leaf is nothing to another, and no leaf can say it', async () => {
  says({ sessions: [] });
  await pair.ann.call('GET', 'sites/evil/sessions');
  const said = evil.vouched.at(-1) ?? '';
  const root = { name: 'hub', key: evil.identityKey };
  expect(await createChecking('evil').read(said, root)).toMatchObject({ sub: 'admin' });
  expect(await createChecking('acme-eu').read(said, root)).toBeNull();
  expect(await createChecking('evil').read(said, { ...root, name: 'other' })).toBeNull();
  const { publicKey } = generateKeyPairSync('ed25519');
  const other = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  expect(await createChecking('evil').read(said, { ...root, key: other })).toBeNull();
  for (const url of [pair.root.url, pair.leaf.url]) {
    const answer = await fetch(`${url}/v1/webapi/sites/-current-/nodes`, { headers: { 'postern-visitor': said } });
    expect(answer.status).toBe(403);
  }
});

/** A role at one of the two. */
const role = (who: WireClient, name: string, spec: string) =>
  who.call('POST', 'roles', { content: `kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: ${spec}\n` });
test('no capture of a role map makes anybody an administrator: roles that could give rights under whatever condition, act as others or approve are named to the letter or not given', async () => {
  const { ann, ben } = pair;
  const powers: Readonly<Record<string, string>> = {
    boss: `{allow: {rules: [{resources: ['*'], verbs: ['*'], where: 'contains(user.spec.roles, "boss")'}]}}`,
    lists: '{allow: {rules: [{resources: [access_list], verbs: [list, create, update]}]}}',
    acts: "{allow: {impersonate: {users: ['*'], roles: ['*']}}}",
    approves: "{allow: {review_requests: {roles: ['*']}}}",
  };
  for (const [name, spec] of Object.entries(powers)) {
    await role(ben, name, spec);
    // The root's own of that name gives nothing: it is only called so.
    await role(ann, name, '{}');
  }
  await role(ann, 'x-editor', '{}');
  const { roles } = (await ann.call('GET', 'users/admin')) as { roles: string[] };
  await ann.call('PUT', 'users', { name: 'admin', roles: [...roles, ...Object.keys(powers), 'x-editor'] });
  const list = { title: 't', description: '', owners: [{ name: 'admin' }], grants: { roles: ['editor'], traits: {} } };
  const tries = async (): Promise<readonly string[]> => {
    const calls = [
      ann.call('POST', 'sites/acme-eu/accesslists', list),
      ann.call('POST', 'sites/acme-eu/apps', { name: 'x', uri: 'http://127.0.0.1:1' }),
      ann.call('PUT', 'sites/acme-eu/locks', { targets: { user: 'nobody' }, message: 'taken over' }),
    ];
    return (await Promise.allSettled(calls)).map(one =>
      one.status === 'rejected' ? String(one.reason).slice(7, 10) : 'done',
    );
  };
  for (const map of [
    '[{remote: "^(.*)$", local: ["$1"]}]',
    '[{remote: "*", local: ["$1"]}]',
    '[{remote: "^x-(.*)$", local: ["$1", access]}]',
    '[{remote: "^(e)ditor$", local: ["$1ditor", access]}]',
    '[{remote: "^(?P<who>.*)$", local: ["$who"]}]',
    '[{remote: "b*", local: ["b$1"]}, {remote: "l*", local: ["l$1"]}, {remote: access, local: [access]}]',
  ]) {
    await pair.map(map);
    expect(await tries(), map).toEqual(['403', '403', '403']);
    // What gives no rights is given by captures as well.
    expect(await nodesOf('acme-eu'), map).toHaveLength(1);
  }
  await pair.map('[{remote: access, local: [access, editor]}]');
  expect((await tries())[1]).toBe('done');
  await pair.map(MAP);
});

/** A certificate for SSH, in files. */
async function certified(who: WireClient, cluster: string, name: string): Promise<string> {
  const key = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
  const publicKey = readFileSync(`${key}.pub`, 'utf8').trim();
  const { certificate } = (await who.call('POST', `sites/${cluster}/ssh/certificate`, { publicKey })) as {
    certificate: string;
  };
  writeFileSync(`${key}-cert.pub`, `${certificate}\n`);
  return key;
}
const run = (program: string, ...words: readonly string[]): Promise<string> =>
  new Promise(done => execFile(program, words, (_error, out, said) => done(`${out}${said}`.trim())));
const ssh = (port: number, key: string): Promise<string> =>
  run(
    'ssh',
    ...['-F', '/dev/null', '-p', String(port), '-i', key],
    ...[
      'BatchMode=yes',
      'IdentitiesOnly=yes',
      'IdentityAgent=none',
      'StrictHostKeyChecking=no',
      'LogLevel=ERROR',
    ].flatMap(one => ['-o', one]),
    ...['-o', 'UserKnownHostsFile=/dev/null', `admin:${LOGIN}@${hostname()}@127.0.0.1`, 'echo on-$((40+2))'],
  );

test('certificates for SSH of the leaf’s authority open nothing at the root, and those of the root nothing at the leaf', async () => {
  const ports = { hub: pair.ports.root.ssh, leaf: pair.ports.leaf.ssh };
  const ofRoot = await certified(pair.ann, 'hub', 'of-root');
  const ofLeaf = await certified(pair.ben, 'acme-eu', 'of-leaf');
  expect([await ssh(ports.hub, ofRoot), await ssh(ports.leaf, ofLeaf)]).toEqual(['on-42', 'on-42']);
  for (const [port, key] of [
    [ports.hub, ofLeaf],
    [ports.leaf, ofRoot],
  ] as const)
    expect(await ssh(port, key)).toContain('Permission denied');
});

/** What psql says at a port with a certificate of one cluster for its database `orders`. */
async function psql(who: WireClient, cluster: string, name: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = { publicKey: publicKey.export({ type: 'spki', format: 'pem' }) };
  const said = (await who.call('POST', `sites/${cluster}/databases/orders/certificate`, body)) as {
    certificate: string;
  };
  const write = (kind: string, text: string): string => {
    const path = join(folder, `${name}.${kind}`);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const key = write('key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const given = `host=127.0.0.1 user=app dbname=orders sslmode=require sslcert=${write('crt', said.certificate)} sslkey=${key}`;
  return (port: number) => run('psql', `${given} port=${port}`, '-qAtXc', 'select 1');
}
test('certificates for databases of the leaf’s authority open nothing at the root, and those of the root nothing at the leaf', async () => {
  const documents = `kind: db\nversion: v3\nmetadata: {name: orders, labels: {env: shop}}\nspec: {protocol: postgres, uri: '127.0.0.1:1'}\n---\nkind: role\nversion: v7\nmetadata: {name: shop}\nspec: {options: {reach_loopback: true}, allow: {db_labels: {'*': '*'}, db_users: ['*'], db_names: ['*']}}\n`;
  for (const [at, who] of [
    ['root', pair.ann],
    ['leaf', pair.ben],
  ] as const) {
    await pair.apply(at, documents);
    const { roles } = (await who.call('GET', 'users/admin')) as { roles: string[] };
    await who.call('PUT', 'users', { name: 'admin', roles: [...roles, 'shop'] });
  }
  const ofRoot = await psql(pair.ann, 'hub', 'db-root');
  const ofLeaf = await psql(pair.ben, 'acme-eu', 'db-leaf');
  const [root, leaf] = [pair.ports.root.databases, pair.ports.leaf.databases];
  // At home it counts, as far as the database, which nobody runs.
  for (const said of [await ofRoot(root), await ofLeaf(leaf)]) expect(said).toContain('cannot be reached');
  for (const said of [await ofRoot(leaf), await ofLeaf(root)]) {
    expect(said).toMatch(/certificate|authority|alert/i);
    expect(said).not.toContain('cannot be reached');
  }
});
