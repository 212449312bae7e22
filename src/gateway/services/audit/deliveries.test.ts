// The audit log goes outside, to real files and sockets: everything, in order, however often the other side is away.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { selfSigned } from '../../../../e2e/rigs/https-server.ts';
import { openStore } from '../../store/open.ts';
import { onBothEngines } from '../../store/store.testing.ts';
import type { Store } from '../../store/store.ts';
import { openBucketRig } from '../breaking-bucket.testing.ts';
import { createSecretBox } from '../identity/secret-box.ts';
import { anchoring, createAnchors } from './anchors.ts';
import { createAuditLog } from './audit.ts';
import { deliveriesOf, openDeliveries } from './deliveries.ts';
import { forwarding } from './forward.ts';
import { bucketReceiver, fileReceiver, syslogReceiver, webhookReceiver } from './receivers.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-deliveries-'));
  store = await openStore({ kind: 'sqlite', folder });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

async function note(count: number, from: Store = store): Promise<void> {
  const audit = createAuditLog({ events: from.events, users: from.users, clusterName: 'box' });
  for (let n = 0; n < count; n += 1) await audit.emit({ code: 'T1000W', user: 'alice', attempt: n });
}
const partsOf = (from: Store, gatewayId = 'g1', clock = () => new Date()) => ({
  events: from.events,
  settings: from.settings,
  gatewayId,
  clock,
});
const attempts = (lines: string): number[] =>
  lines
    .split('\n')
    .filter(line => line !== '')
    .map(line => (JSON.parse(line) as { attempt: number }).attempt);

/** Takes what is posted, answering each request what `answer` says. */
async function openWebhook(answer: () => number): Promise<{ url: string; bodies: string[]; server: Server }> {
  const bodies: string[] = [];
  const server = createServer((request, reply) => {
    let body = '';
    request.setEncoding('utf8').on('data', piece => {
      body += piece;
    });
    request.on('end', () => {
      const status = request.headers.authorization === 'Bearer sesame' ? answer() : 401;
      if (status === 200) bodies.push(body);
      reply.writeHead(status).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, bodies, server };
}

test('a file gets every event once, in order, also after a restart and when it was rotated', async () => {
  const path = join(folder, 'audit.ndjson');
  await note(3);
  await forwarding(partsOf(store), fileReceiver(path))();
  await note(2);
  const again = forwarding(partsOf(store), fileReceiver(path));
  await again();
  expect(attempts(await readFile(path, 'utf8'))).toEqual([0, 1, 2, 0, 1]);
  expect(await again()).toBeGreaterThan(0);
  await truncate(path);
  await note(1);
  await again();
  expect(attempts(await readFile(path, 'utf8'))).toEqual([0]);
});

test('a line that was cut is closed before the next one begins', async () => {
  const path = join(folder, 'audit.ndjson');
  await appendFile(path, '{"cut":');
  await note(1);
  await forwarding(partsOf(store), fileReceiver(path))();
  expect((await readFile(path, 'utf8')).split('\n')).toEqual(['{"cut":', expect.stringContaining('alice'), '']);
});

test('a webhook that refuses now and then gets all events in order, and only with its token', async () => {
  let asked = 0;
  const { url, bodies, server } = await openWebhook(() => (asked++ === 1 ? 503 : 200));
  const report: string[] = [];
  await note(250);
  const deliveries = openDeliveries(
    {
      gateway: { id: 'g1', hostname: 'box' },
      alerts: noAlerts,
      clock: () => new Date(),
      report: one => report.push(one),
    },
    deliveriesOf({ ...nowhere, webhook: { url, token: 'sesame' } }, partsOf(store), { write: async () => '' }),
  );
  await vi.waitFor(() => expect(attempts(bodies.join(''))).toHaveLength(250), { timeout: 20_000 });
  deliveries.dispose();
  server.close().closeAllConnections();
  expect(attempts(bodies.join(''))).toEqual(Array.from({ length: 250 }, (_, n) => n));
  expect(report[0]).toBe(`Audit events did not reach the webhook ${new URL(url).origin}`);
  await expect(webhookReceiver(url, null).deliver([])).rejects.toThrow();
}, 30_000);
const noAlerts = { raise: async () => undefined, withdraw: async () => undefined };
const nowhere = { file: null, webhook: null, syslog: null, anchor: null };

test('each anchor is an object of its own in a bucket, also where a gateway begins again', async () => {
  const rig = await openBucketRig();
  const secrets = createSecretBox(Buffer.alloc(32, 7), store.settings);
  const anchors = createAnchors({ events: store.events, settings: store.settings, secrets, clusterName: 'box' });
  const deliver = () => anchoring(anchors, bucketReceiver(rig.place))();
  await note(2);
  expect(await deliver()).toBe(3_600_000);
  await note(1);
  await deliver();
  let lines = '';
  for await (const { key, bytes } of rig.straight.list()) lines += Buffer.from(await rig.straight.read(key, 0, bytes));
  const heads = await anchors.read(lines);
  expect(heads.map(({ length }) => length)).toEqual([expect.any(Number), Number(heads[0]?.length) + 1]);
  await rig.close();
});

test('a receiver that stays away is told of in a banner, which goes when it is back', async () => {
  const path = join(folder, 'none', 'audit.ndjson');
  let now = Date.parse('2026-03-01T12:00:00Z');
  const banners = new Map<string, string>();
  await note(1);
  const deliveries = openDeliveries(
    {
      gateway: { id: 'g1', hostname: 'box' },
      alerts: {
        raise: async (name, { message }) => void banners.set(name, message),
        withdraw: async name => void banners.delete(name),
      },
      // Each look at the clock is a minute later.
      clock: () => {
        now += 60_000;
        return new Date(now);
      },
      report: () => undefined,
    },
    deliveriesOf({ ...nowhere, file: path }, partsOf(store), { write: async () => '' }),
  );
  await vi.waitFor(
    () => expect([...banners.values()]).toEqual([expect.stringContaining('no such file or directory')]),
    {
      timeout: 10_000,
    },
  );
  execFileSync('mkdir', [join(folder, 'none')]);
  await vi.waitFor(() => expect(banners.size).toBe(0), { timeout: 20_000 });
  deliveries.dispose();
  expect(attempts(await readFile(path, 'utf8'))).toEqual([0]);
}, 40_000);

test('a syslog server gets framed messages over TLS, and a certificate that nobody vouches for gets none', async () => {
  const { key, cert: ca } = selfSigned();
  const received: Buffer[] = [];
  const server = createTlsServer({ key, cert: ca }, socket => {
    socket.on('error', () => undefined);
    socket.on('data', bytes => received.push(bytes));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await note(2);
  await forwarding(partsOf(store), syslogReceiver({ host: 'localhost', port, ca }))();
  let rest = Buffer.concat(received).toString();
  const messages: string[] = [];
  while (rest !== '') {
    const [head = '', length = ''] = /^(\d+) /.exec(rest) ?? [];
    const bytes = Buffer.from(rest.slice(head.length));
    messages.push(bytes.subarray(0, Number(length)).toString());
    rest = bytes.subarray(Number(length)).toString();
  }
  expect(messages).toEqual([
    expect.stringMatching(/^<108>1 \S+Z \S+ postern - T1000W - \ufeff\{.*"attempt":0.*\}$/),
    expect.stringContaining('"attempt":1'),
  ]);
  const stranger = syslogReceiver({ host: 'localhost', port, ca: null });
  await note(1);
  await expect(forwarding(partsOf(store), stranger)()).rejects.toThrow(/certificate/);
  server.close();
});

onBothEngines(({ open }) => {
  test('of two gateways one sends at a time, and the other takes over when its turn has ended', async () => {
    const shared = await open();
    await note(1, shared);
    let now = Date.now();
    const sent: string[] = [];
    const as = (gatewayId: string, fails: boolean) =>
      forwarding(
        partsOf(shared, gatewayId, () => new Date(now)),
        {
          name: 'file',
          deliver: async events => {
            sent.push(`${gatewayId}:${events.length}`);
            if (fails) throw new Error('away');
          },
        },
      );
    await expect(as('g1', true)()).rejects.toThrow('away');
    await as('g2', false)();
    expect(sent).toEqual(['g1:1']);
    now += 31_000;
    await as('g2', false)();
    await as('g1', false)();
    expect(sent).toEqual(['g1:1', 'g2:1']);
  });

  test('a setting is replaced only where it is still what was read', async () => {
    const { settings } = await open();
    expect(await settings.replace('k', null, { a: 1 })).toBe(true);
    expect(await settings.replace('k', null, { a: 2 })).toBe(false);
    expect(await settings.replace('k', { a: 2 }, { a: 3 })).toBe(false);
    expect(await settings.replace('k', await settings.get('k'), { a: 3 })).toBe(true);
    expect(await settings.get('k')).toEqual({ a: 3 });
  });

  test('a log whose tail was cut, or that was made anew, does not hold what an anchor says', async () => {
    const shared = await open();
    const secrets = createSecretBox(Buffer.alloc(32, 7), shared.settings);
    const anchors = createAnchors({ events: shared.events, settings: shared.settings, secrets, clusterName: 'box' });
    await note(3, shared);
    const lines = [await anchors.write()];
    await note(2, shared);
    lines.push(await anchors.write());
    const heads = await anchors.read(`${lines.join('\n')}\n`);
    expect(heads.map(({ length }) => length)).toEqual([3, 5]);
    expect(await shared.events.verify(heads)).toBeNull();
    const [first, last] = heads;
    if (first === undefined || last === undefined) throw new Error('two expected');
    expect(await shared.events.verify([{ ...last, length: 7 }])).toMatchObject({
      problem: '2 events after it are missing',
    });
    expect(await shared.events.verify([{ ...first, hash: last.hash }])).toMatchObject({
      problem: 'it, or one before it, is not the event that was anchored',
    });
    const forged = (lines[1] ?? '').replace('"length":5', '"length":4');
    await expect(anchors.read(`${lines[0]}\n${forged}`)).rejects.toThrow(
      'line 2 is not an anchor that cluster box has signed',
    );
    await expect(anchors.read('{}')).rejects.toThrow('line 1 is not');
  });
});
