// The feed of releases as whoever publishes it makes it: signed by openssl, read from a file and over HTTP.
import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { createAlerts } from './alerts.ts';
import { isOlder, openReleaseFeed } from './release-feed.ts';

let folder: string;
let store: Store;
let reported: string[];
const place = () => join(folder, 'feed.json');
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-feed-'));
  reported = [];
  store = await openStore({ kind: 'sqlite', folder }, { clock: () => new Date() });
  keyPair('trusted');
  keyPair('other');
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function keyPair(name: string): void {
  const key = join(folder, `${name}.pem`);
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key]);
  execFileSync('openssl', ['pkey', '-in', key, '-pubout', '-out', join(folder, `${name}.pub`)]);
}
/** As the manual says it. */
function sign(feed: unknown, key = 'trusted'): void {
  writeFileSync(place(), typeof feed === 'string' ? feed : JSON.stringify(feed));
  const raw = join(folder, 'raw');
  execFileSync('openssl', [
    'pkeyutl',
    '-sign',
    '-rawin',
    '-inkey',
    join(folder, `${key}.pem`),
    '-in',
    place(),
    '-out',
    raw,
  ]);
  writeFileSync(`${place()}.sig`, `${readFileSync(raw).toString('base64')}\n`);
}
const hole = (below = '1.4.3') => ({
  id: 'security-patch-available',
  below,
  message: `Upgrade to ${below} or later: the gateway may be reached without a password.`,
  link: 'https://releases.example.com/1.4.3',
});
const feed = (made: string, ...alerts: object[]) => ({ made: `${made}T00:00:00.000Z`, alerts });

/** Looks once; answers what is on the banners then. */
async function checked(from = place(), version = '1.4.2'): Promise<readonly (readonly unknown[])[]> {
  const open = openReleaseFeed({
    feed: { place: from, key: createPublicKey(readFileSync(join(folder, 'trusted.pub'))) },
    version,
    alerts: createAlerts({ resources: store.resources, deployment: { isCloud: false, isDashboard: false } }),
    settings: store.settings,
    report: (_problem, error) => void reported.push(error instanceof Error ? error.message : String(error)),
  });
  await open.check();
  open.dispose();
  const { items } = await store.resources.list('cluster_alert', { limit: 10, selection: null, count: false });
  return items.map(({ name, spec, labels }) => [
    name,
    (spec as { severity: number }).severity,
    labels['postern.internal/link'],
  ]);
}

test('a hole in this version is shown with its link until this version has it no more, or the feed does not say it any more', async () => {
  sign(feed('2026-11-01', hole(), { id: 'upgrade-suggestion', below: '2.0.0', message: '2.0.0 is there' }));
  expect(await checked()).toEqual([
    ['security-patch-available', 10, 'https://releases.example.com/1.4.3'],
    ['upgrade-suggestion', 5, undefined],
  ]);
  expect(await checked(place(), '1.4.3')).toEqual([['upgrade-suggestion', 5, undefined]]);
  sign(feed('2026-11-02'));
  expect(await checked()).toEqual([]);
  expect(reported).toEqual([]);
});

test.each([
  ['signed by another key', () => sign(feed('2026-11-03'), 'other'), 'its signature is not of the key that is trusted'],
  [
    'changed after it was signed',
    () => writeFileSync(place(), JSON.stringify(feed('2026-11-03'))),
    'its signature is not of the key that is trusted',
  ],
  ['older than one that was believed', () => sign(feed('2026-10-01')), 'has been seen'],
  ['of another shape', () => sign(feed('2026-11-03', { ...hole(), script: 'x' })), 'script'],
  ['no JSON', () => sign('{'), 'JSON'],
  ['with a link of another kind', () => sign(feed('2026-11-03', { ...hole(), link: 'javascript:alert(1)' })), 'link'],
  ['with what would be obeyed', () => sign(feed('2026-11-03', { ...hole(), message: 'a\u202eb' })), 'message'],
  ['endless', () => sign(feed('2026-11-03', { ...hole(), message: 'x'.repeat(70_000) })), 'more than 65536 bytes'],
  ['gone', () => rmSync(place()), 'no such file'],
])('a feed that is %s changes nothing, and that is said', async (_what, spoil, why) => {
  sign(feed('2026-11-01', hole()));
  const before = await checked();
  expect(before).toHaveLength(1);
  spoil();
  expect(await checked()).toEqual(before);
  expect(reported).toEqual([expect.stringContaining(why)]);
});

test('it is had over HTTP too, within bounds and without being led elsewhere', async () => {
  sign(feed('2026-11-01', hole()));
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/moved')) response.writeHead(302, { location: '/feed.json' }).end();
    else if (request.url?.startsWith('/big')) response.end(Buffer.alloc(70_000));
    else response.end(readFileSync(join(folder, request.url ?? '')));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    expect(await checked(`${url}/feed.json`)).toHaveLength(1);
    expect(reported).toEqual([]);
    await checked(`${url}/moved`);
    await checked(`${url}/big`);
    expect(reported).toEqual([
      expect.stringContaining('fetch failed'),
      expect.stringContaining('more than 65536 bytes'),
    ]);
  } finally {
    server.close();
  }
});

test.each([
  ['1.4.2', '1.4.3', true],
  ['1.4.3', '1.4.3', false],
  ['1.10.0', '1.9.9', false],
  ['0.1.0', '0.1.1', true],
  ['1.4.3-rc.1', '1.4.3', false],
])('%s before %s: %s', (one, other, is) => {
  expect(isOlder(one, other)).toBe(is);
});
