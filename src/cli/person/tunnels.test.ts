// Ports of a person's machine that lead to TCP applications and to databases that are not spoken: who gets through, what ends it, what is
// written down.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import { lockBody } from '../../contract/locks.ts';
import { type CloudDouble, openCloudDouble } from '../../gateway/cloud-double.testing.ts';
import { roleResource } from '../../gateway/services/rights/source.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const SLOW = { timeout: 20_000 };

let rig: CommandLineRig;
let cloud: CloudDouble;
let server: Server;
const role = (name: string, user: string, more = ''): string =>
  `kind: role\nversion: v7\nmetadata: { name: ${name} }\nspec:\n  options: { reach_loopback: true${more} }\n  allow:\n    app_labels: { team: shop }\n    gcp_service_accounts: [reader@acme.iam.gserviceaccount.com]\n    db_labels: { team: shop }\n    db_users: ["${user}"]\n    db_names: ["*"]\n`;

beforeAll(async () => {
  cloud = await openCloudDouble();
  const hosts = { azure: ['management.azure.com'], gcp: ['*.googleapis.com'] };
  rig = await openCommandLine({
    databases: true,
    clouds: { metadata: cloud.url, hosts, at: () => new URL(cloud.url) },
  });
  // Echoes what it hears in capitals, and says how much that was once the client has said all.
  server = createServer({ allowHalfOpen: true }, socket => {
    let bytes = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      socket.write(chunk.toString().toUpperCase());
    });
    socket.on('end', () => socket.end(`${bytes} bytes`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { gateway } = rig;
  for (const one of [role('named', 'app'), role('any', '*'), role('proven', '*', ', require_session_mfa: true')])
    await gateway.store.resources.create(roleResource(one));
  const labels = 'labels: { team: shop }';
  const content = [
    `kind: app\nversion: v3\nmetadata: { name: queue, ${labels} }\nspec: { uri: "tcp://${at}" }`,
    `kind: app\nversion: v3\nmetadata: { name: wiki, ${labels} }\nspec: { uri: "http://${at}" }`,
    `kind: app\nversion: v3\nmetadata: { name: vault, labels: { team: bank } }\nspec: { uri: "tcp://${at}" }`,
    `kind: app\nversion: v3\nmetadata: { name: gone, ${labels} }\nspec: { uri: "tcp://127.0.0.1:1" }`,
    `kind: app\nversion: v3\nmetadata: { name: google, ${labels} }\nspec: { uri: cloud://GCP }`,
    `kind: db\nversion: v3\nmetadata: { name: docs, ${labels} }\nspec: { protocol: mongodb, uri: "${at}" }`,
    `kind: db\nversion: v3\nmetadata: { name: orders, ${labels} }\nspec: { protocol: postgres, uri: "${at}" }`,
  ].join('\n---\n');
  const { problems } = await gateway.declared.apply([{ name: 'x.yaml', content }], { by: 'root' });
  expect(problems).toEqual([]);
  for (const [name, of] of [
    ['ann', 'named'],
    ['bea', 'any'],
    ['pia', 'proven'],
  ] as const)
    await gateway.addUser(name, [of]);
});
afterAll(async () => {
  server?.close();
  await rig?.dispose();
  cloud?.close();
});

/** Runs a proxy; answers the port that it listens on. */
async function proxy(...words: readonly string[]) {
  const { file, args, env } = rig.program(['proxy', ...words]);
  const child = spawn(file, args, { env, stdio: 'pipe' });
  const ended = once(child, 'close');
  let said = '';
  let complained = '';
  child.stderr.on('data', (bytes: Buffer) => {
    complained += bytes.toString();
  });
  for await (const bytes of child.stdout) {
    said += String(bytes);
    if (said.endsWith('\n')) break;
  }
  return {
    port: Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1]),
    complaints: () => complained,
    said: () => said,
    async end(): Promise<number> {
      child.kill('SIGINT');
      return (await ended)[0] as number;
    },
  };
}
function dial(port: number): Socket {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.on('error', () => undefined);
  return socket;
}
async function auditTrail(from: Date) {
  const to = new Date(Date.now() + 60_000);
  const { events } = await rig.gateway.store.events.search({ from, to, limit: 1000, types: [], descending: false });
  return events.map(({ raw, code }) => ({ ...raw, code }) as { code: string; [field: string]: unknown });
}

test('a TCP application is on a port here: bytes both ways, to the last, each connection a session in the audit log', async () => {
  const from = new Date();
  await rig.signIn('ann');
  const queue = await proxy('app', 'queue');
  const [one, two] = [dial(queue.port), dial(queue.port)];
  const big = 'x'.repeat(300_000);
  one.end(big);
  two.end('hello');
  expect(await Promise.all([text(one), text(two)])).toEqual([`${big.toUpperCase()}300000 bytes`, 'HELLO5 bytes']);
  await expect.poll(async () => (await auditTrail(from)).filter(({ code }) => code === 'T2011I').length, SLOW).toBe(2);
  const entries = await auditTrail(from);
  expect(entries.find(({ code }) => code === 'T2007I')).toMatchObject({
    ...{ user: 'ann', app_name: 'queue', session_recording: 'off' },
  });
  expect(entries.filter(({ code }) => code === 'T2008I').map(({ requests, bytes }) => [requests, bytes])).toEqual(
    expect.arrayContaining([
      [1, 12],
      [1, 300_012],
    ]),
  );
  expect(entries.filter(({ code }) => code === 'TC000I')).toContainEqual(
    expect.objectContaining({ identity: expect.objectContaining({ route_to_app: { name: 'queue' } }) }),
  );
  expect(await queue.end()).toBe(0);
  const gone = await proxy('app', 'gone');
  expect(await text(dial(gone.port))).toBe('');
  await expect.poll(gone.complaints, SLOW).toContain('127.0.0.1:1 cannot be reached: ECONNREFUSED');
  await gone.end();
});

test('the API of a cloud is on a port here, in plain HTTP, as the only one that roles give or as who is named', async () => {
  await rig.signIn('ann');
  for (const words of [[], ['--gcp-service-account', 'reader@acme.iam.gserviceaccount.com']]) {
    const google = await proxy('app', 'google', ...words);
    expect(google.said()).toContain('as reader@acme.iam.gserviceaccount.com, for whoever is on this machine');
    expect(google.said()).toContain(`curl 'http://127.0.0.1:${google.port}/storage.googleapis.com/`);
    const answer = await fetch(`http://127.0.0.1:${google.port}/storage.googleapis.com/storage/v1/b?project=p`, {
      headers: { authorization: 'Bearer mine' },
    });
    expect(answer.status).toBe(200);
    expect(cloud.asked.at(-1)).toMatchObject({
      ...{ url: '/storage/v1/b?project=p', host: 'storage.googleapis.com' },
      token: `Bearer google-${cloud.given.length}`,
    });
    expect(await google.end()).toBe(0);
  }
  const { error } = await rig.spawn([
    'proxy',
    'app',
    'google',
    '--gcp-service-account',
    'admin@acme.iam.gserviceaccount.com',
  ]);
  expect(error).toContain('None of your roles lets you use google as admin@acme.iam.gserviceaccount.com');
});

test('what roles do not give, what browsers open and what is relayed are refused with a sentence', async () => {
  await rig.signIn('ann');
  const refused = async (...words: readonly string[]) => (await rig.spawn(['proxy', ...words])).error;
  expect(await refused('app', 'vault')).toContain('"vault" was not found');
  expect(await refused('app', 'wiki')).toContain('open it in a browser');
  expect(await refused('tcp', 'orders')).toContain('use postern proxy db orders');
  expect(await refused('tcp', 'docs')).toContain('cannot be checked, since the gateway does not speak mongodb');
  const { error } = await rig.gateway
    .signIn('pia')
    .then(pia => pia.call('POST', '/v1/webapi/sites/-current-/tunnels/app/queue/certificate', { publicKey: 'x' }))
    .then(({ json }) => json as { error: { message: string } });
  expect(error.message).toContain('MFA required');
});

test('a database that is not spoken is reached by whoever may be anybody in it, until a lock ends it', async () => {
  const from = new Date();
  await rig.signIn('bea');
  const docs = await proxy('tcp', 'docs');
  const socket = dial(docs.port);
  socket.write('hello');
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toBe('HELLO');
  expect((await auditTrail(from)).find(({ code }) => code === 'TDB00I')).toMatchObject({
    ...{ user: 'bea', db_service: 'docs', db_protocol: 'mongodb', db_user: '*', session_recording: 'off' },
  });
  const over = once(socket, 'close');
  socket.on('end', () => socket.end());
  await rig.gateway.services.locks.add(z.parse(lockBody, { targets: { user: 'bea' } }), { user: 'root', rights: null });
  await over;
  expect(await text(dial(docs.port))).toBe('');
  await expect.poll(docs.complaints, SLOW).not.toBe('');
  await docs.end();
});
