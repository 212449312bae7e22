// What a leaf has beside servers, reached by people of its root: databases, containers and desktops in the root's console.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { filesByWire, openOrders, ordersDocument, role } from '../../e2e/rigs/databases.ts';
import { type LeafPair, openLeafPair } from '../../e2e/rigs/leaf.ts';
import type { PostgresRig } from '../../e2e/rigs/postgres.ts';
import { openVncDesktop, type VncDesktop } from '../../e2e/rigs/vnc-desktop.ts';
import { promptAddress } from '../contract/prompt-address.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let pair: LeafPair;
let postgres: PostgresRig;
let vnc: VncDesktop;
const MAP = '[{remote: access, local: [access, shop, office]}]';

beforeAll(async () => {
  [pair, vnc] = await Promise.all([openLeafPair(MAP.replace(', shop, office', '')), openVncDesktop()]);
  postgres = await openOrders(await filesByWire(pair.leaf.url, pair.ben));
  await pair.apply(
    'leaf',
    [
      role('shop', 'app'),
      `kind: role\nversion: v7\nmetadata: {name: office}\nspec:\n  options: {reach_loopback: true}\n  allow: {windows_desktop_labels: {env: office}, windows_desktop_logins: [alice]}\n`,
      ordersDocument(postgres),
      `kind: windows_desktop\nversion: v3\nmetadata: {name: lab, labels: {env: office}}\nspec: {addr: '127.0.0.1:${vnc.port}', protocol: vnc}\n`,
    ].join('---\n'),
  );
  await pair.map(MAP);
});
afterAll(async () => {
  await postgres?.dispose();
  await vnc?.dispose();
  await pair?.dispose();
});

const noted = async (code: string): Promise<readonly Record<string, unknown>[]> => {
  const { events } = (await pair.ben.call('GET', 'sites/acme-eu/events/search?limit=500')) as {
    events: Record<string, unknown>[];
  };
  return events.filter(event => event.code === code);
};

test('the prompt of a leaf’s database opens in the root’s console, as the database user whom the leaf’s roles name', async () => {
  const { items } = (await pair.ann.call('GET', 'sites/acme-eu/databases')) as { items: { name: string }[] };
  expect(items).toMatchObject([{ name: 'orders', database_users: ['app'], database_names: ['orders'] }]);
  const place = { server_id: promptAddress({ database: 'orders', dbName: 'orders' }), cluster: 'acme-eu' };
  const shell = await pair.ann.shell({ ...place, login: 'app' });
  shell.send("select 'as ' || current_user;\r");
  await shell.until('as app');
  shell.send('\\q\r');
  await shell.closed;
  await expect.poll(() => noted('TDB01I'), { timeout: 10_000 }).toMatchObject([{ user: 'hub/admin', db_user: 'app' }]);
  await expect(pair.ann.shell({ ...place, login: 'postern' })).rejects.toThrow('database user "postern"');
});

function socketTo(path: string, query: Record<string, string> = {}): WebSocket {
  const { ann, root } = pair;
  const all = new URLSearchParams({ access_token: ann.bearer, ...query });
  const address = `${root.url.replace('http', 'ws')}/v1/webapi/sites/acme-eu/desktops/${path}?${all}`;
  const socket = new WebSocket(address, { headers: { cookie: ann.cookie } } as unknown as string[]);
  socket.binaryType = 'arraybuffer';
  return socket;
}

test('a leaf’s desktop opens in the root’s console: its password is asked for, its screen comes over, and the session is the leaf’s', async () => {
  const { items } = (await pair.ann.call('GET', 'sites/acme-eu/desktops')) as { items: object[] };
  expect(items).toMatchObject([{ name: 'lab', logins: ['alice'] }]);
  const session = socketTo('lab/session', { params: JSON.stringify({ login: 'alice', width: 800, height: 600 }) });
  const said: Record<string, unknown>[] = [];
  session.addEventListener('message', ({ data }) => said.push(JSON.parse(String(data)) as Record<string, unknown>));
  await expect.poll(() => said[0], { timeout: 10_000 }).toHaveProperty('asks');
  session.send(JSON.stringify({ password: vnc.password }));
  await expect.poll(() => said[1], { timeout: 10_000 }).toHaveProperty('ready');
  const { ready } = said[1] as { ready: { sid: string } };
  const { sid } = ready;
  const stream = socketTo(`lab/stream/${sid}`);
  const [first] = (await once(stream, 'message')) as [MessageEvent];
  expect(Buffer.from(first.data as ArrayBuffer).toString()).toBe('RFB 003.008\n');
  const { sessions } = (await pair.ann.call('GET', 'sites/acme-eu/sessions')) as { sessions: object[] };
  expect(sessions).toMatchObject([{ id: sid, kind: 'desktop', owner: 'hub/admin', cluster_name: 'acme-eu' }]);
  const ofDesktop = async (): Promise<readonly unknown[]> => {
    const { events } = (await pair.ben.call('GET', 'sites/acme-eu/events/search?limit=500')) as {
      events: Record<string, unknown>[];
    };
    return events.filter(event => event.sid === sid).map(({ code, user }) => `${code} ${user}`);
  };
  await expect.poll(ofDesktop, { timeout: 10_000 }).toContain('TDP00I hub/admin');
  session.close();
  stream.close();
});
