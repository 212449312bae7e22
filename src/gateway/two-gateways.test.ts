// Two gateways on one PostgreSQL: each lists its own machine and opens shells on no other.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openPostgres, type PostgresRig } from '../../e2e/rigs/postgres.ts';
import { type Core, openCore } from './core.ts';
import { ConnectError } from './ports/reach.ts';
import type { Target } from './ports/servers.ts';
import type { Shell } from './ports/shell.ts';
import { readConfiguration } from './services/configuration/configuration.ts';
import { createLocalConnector } from './services/protocols/local/connector.ts';
import { createOwnMachine } from './services/servers/own-machine.ts';
import { targetOf } from './services/servers/servers.ts';
import { runSql } from './store/store.testing.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let postgres: PostgresRig;
const folders: string[] = [];
const open = (folder: string): Promise<Core> =>
  openCore(
    readConfiguration({
      argv: ['--data', folder, '--store', postgres.url],
      env: {},
      readFile: () => null,
      home: folder,
      hostname: 'box',
    }),
    pino({ level: 'silent' }),
  );
beforeAll(async () => {
  postgres = await openPostgres();
  for (let made = 0; made < 2; made++) folders.push(await mkdtemp(join(tmpdir(), 'postern-two-')));
});
afterAll(async () => {
  await postgres.dispose();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const machines = async ({ store }: Core): Promise<readonly Target[]> =>
  (await store.resources.list('node', { limit: 10, selection: null, count: false })).items.map(targetOf);
async function shellOn(gateway: Core, target: Target): Promise<Shell> {
  const connector = createOwnMachine(createLocalConnector(), gateway.gatewayId);
  const request = { user: 'ann', sid: randomUUID(), login: 'root', size: { cols: 80, rows: 24 }, ttlMs: 60_000 };
  return connector.open(target, request);
}

test('each has its machine in the list, keeps it over a restart, and opens a shell on it and on no other', async () => {
  const [one = '', two = ''] = folders;
  // At the same moment, on an empty database.
  const gateways = await Promise.all([open(one), open(two)]);
  const [first, second] = gateways;
  try {
    expect(first.gatewayId).not.toBe(second.gatewayId);
    for (const gateway of gateways) {
      const found = await machines(gateway);
      expect(found.map(({ id }) => id).sort()).toEqual([first.gatewayId, second.gatewayId].sort());
      for (const target of found) {
        if (target.id === gateway.gatewayId) {
          const shell = await shellOn(gateway, target);
          const ended = new Promise(done => shell.onExit(done));
          shell.close();
          await ended;
          continue;
        }
        const refused = await shellOn(gateway, target).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(ConnectError);
        expect(refused).toMatchObject({
          reason: 'not_permitted',
          message: `${target.hostname} is the machine of another gateway, "${target.hostname}" (${target.id}): its shells and files can only be reached there.`,
        });
      }
    }
  } finally {
    for (const gateway of gateways) await gateway.close();
  }
  const again = await open(two);
  expect([again.gatewayId, (await machines(again)).length]).toEqual([second.gatewayId, 2]);
  await again.close();
});

test("one gateway's static configuration does not touch what the other's holds", async () => {
  const [one = '', two = ''] = folders;
  const gateways = await Promise.all([open(one), open(two)]);
  const [first, second] = gateways;
  const app = (name: string) => ({
    name: 'f',
    content: `kind: app\nversion: v3\nmetadata: {name: ${name}}\nspec: {uri: 'http://x'}\n`,
  });
  try {
    await first.declared.applyStatic([app('a')], first.gatewayId);
    await second.declared.applyStatic([app('b')], second.gatewayId);
    await first.declared.applyStatic([], first.gatewayId);
    expect((await second.declared.list('app')).map(({ name }) => name)).toEqual(['b']);
  } finally {
    for (const gateway of gateways) await gateway.close();
  }
});

test("what one gateway changes is on the other's bus, and on its own once; also after the database's connections were cut", async () => {
  const [one = '', two = ''] = folders;
  const [first, second] = await Promise.all([open(one), open(two)]);
  const heard: string[] = [];
  first.changes.subscribe(({ kind }) => heard.push(`first ${kind}`));
  second.changes.subscribe(({ kind }) => heard.push(`second ${kind}`));
  const by = { user: 'system', rights: null };
  try {
    await second.identity.accounts.create({ name: 'ann', roles: ['access'] }, by);
    await vi.waitFor(() => expect(heard).toContain('first userChanged'));
    // Announcements come in order, so what the second gateway was told of itself would be here by now.
    first.changes.emit({ kind: 'sessionEnded', sid: 'ended' });
    await vi.waitFor(() => expect(heard).toContain('second sessionEnded'));
    expect(heard).toEqual(['second userChanged', 'first userChanged', 'first sessionEnded', 'second sessionEnded']);

    await runSql(
      postgres.url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'postern announcements'",
    );
    await vi.waitFor(() => {
      first.changes.emit({ kind: 'roleChanged', role: 'access' });
      expect(heard).toContain('second roleChanged');
    }, 20_000);
  } finally {
    await first.close();
    await second.close();
  }
});

test('more changes than one announcement holds are all told, and what no gateway of this version says is passed over', async () => {
  const [one = '', two = ''] = folders;
  const [first, second] = await Promise.all([open(one), open(two)]);
  const heard = new Set<string>();
  second.changes.subscribe(change => {
    if (change.kind === 'roleChanged') heard.add(change.role);
  });
  try {
    const roles = Array.from({ length: 100 }, (_one, index) => `${'ä'.repeat(200)}-${index}`);
    await first.store.announcements?.send('{"from":"newer","changes":[{"kind":"unheardOf"},{"kind":"roleChanged"}]}');
    await first.store.announcements?.send('no json');
    for (const role of roles) first.changes.emit({ kind: 'roleChanged', role });
    await vi.waitFor(() => expect([...heard]).toEqual(roles));
  } finally {
    await first.close();
    await second.close();
  }
});
