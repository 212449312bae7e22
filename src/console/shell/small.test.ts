import { expect, test } from 'vitest';
import type { Cluster } from '../../contract/clusters.ts';
import { clustersWith } from './clusters-with.ts';
import { readConfig } from './config.ts';
import { fakeStorage } from './fakes.testing.ts';
import { hearPreloadErrors } from './preload-error.ts';
import { hintsFor, outageText, timeLeftText } from './status-text.ts';
import { clearStorage, keys } from './storage.ts';
import { storedTheme } from './stored-theme.ts';
import { themeOf, themeToggle } from './theme.ts';
import { pageTitle } from './titles.ts';

// Rule 3.2: missing keys take defaults
// Rule 1: the second factor is off unless it is set
// Rule 9: scrollback, proxy cluster and the second factor have their defaults
test('missing keys of the configuration take the defaults of the contract', () => {
  for (const given of [undefined, null, {}, { auth: {} }])
    expect(readConfig(given)).toMatchObject({
      proxyCluster: 'localhost',
      ui: { scrollbackLines: 1000 },
      auth: { second_factor: 'off' },
    });
  expect(readConfig({ auth: { second_factor: 'otp' }, proxyCluster: 'prod' })).toMatchObject({
    proxyCluster: 'prod',
    auth: { second_factor: 'otp', localAuthEnabled: true },
  });
});

test('a configuration of wrong types is refused by the name of what is wrong', () => {
  expect(() => readConfig({ proxyCluster: 5 })).toThrow(/proxyCluster/);
  expect(() => readConfig('x')).toThrow('cannot be read');
});

// Rule 2.1: the title of a page
test("a page title is '{clusterId} • {title}' when both exist, otherwise just the title", () => {
  expect(pageTitle({ id: 'nodes', params: { clusterId: 'prod' } })).toBe('prod • Servers');
  expect(pageTitle({ id: 'users', params: {} })).toBe('Users');
  expect(pageTitle({ id: 'player', params: { clusterId: 'prod', sid: '42' } })).toBe('prod • Play 42');
  expect(pageTitle({ id: 'consoleConnect', params: { clusterId: 'prod', serverId: 'db-3', login: 'root' } })).toBe(
    'prod • root@db-3',
  );
  expect(pageTitle({ id: 'activeSessions', params: { clusterId: 'prod' }, locked: true })).toBe(
    'prod • Active Sessions',
  );
  expect(pageTitle(null)).toBe('Postern');
});

// Rule 3.1: keys carry the prefix of the product
test('every key of the browser storage carries the prefix of the product', () =>
  expect(Object.values(keys).filter(key => !key.startsWith('postern:'))).toEqual([]));

// Rule 3.1: what clearing keeps
test('clearing storage keeps the theme, assistant popup flag, user preferences and recommend-feature keys, our own layout keys, and what is not ours', () => {
  const kept = [
    keys.theme,
    keys.showAssist,
    keys.preferences,
    keys.recommendFeature,
    keys.paneHeight,
    keys.taughtKeys,
    keys.trustedDevice,
    'other.product',
  ];
  const storage = fakeStorage(
    Object.fromEntries([...Object.values(keys), 'other.product', 'postern:unknown'].map(key => [key, '1'])),
  );
  clearStorage(storage);
  expect(Array.from({ length: storage.length }, (_, index) => storage.key(index)).sort()).toEqual(kept.sort());
});

// Rule 3.2: the custom theme is dark with orange
// Rule 2.3: the theme toggle says what it switches to
test('a configured custom theme overrides the chosen one: dark with an orange brand', () => {
  expect([themeOf(1, ''), themeOf(2, '')]).toEqual([
    { theme: 'light', brand: undefined },
    { theme: 'dark', brand: undefined },
  ]);
  expect(themeOf(1, 'orange')).toEqual({ theme: 'dark', brand: 'orange' });
  expect([themeToggle('dark').title, themeToggle('light').title]).toEqual([
    'Switch to Light Theme',
    'Switch to Dark Theme',
  ]);
});

test('before anything is loaded, the theme is that of the stored preferences, else the deprecated key, else light', () => {
  expect(storedTheme(fakeStorage())).toBe(1);
  expect(storedTheme(fakeStorage({ [keys.preferences]: '{"theme":2}' }))).toBe(2);
  expect(storedTheme(fakeStorage({ [keys.preferences]: '{"theme":7}' }))).toBe(1);
  expect(storedTheme(fakeStorage({ [keys.preferences]: '{"theme":7}', [keys.theme]: 'dark' }))).toBe(2);
  expect(storedTheme(fakeStorage({ [keys.preferences]: 'broken', [keys.theme]: 'dark' }))).toBe(2);
});

// Rule 3.4: clusters are sorted by id
test('clusters are sorted by id, as people count', () => {
  const clusters = ['prod-10', 'stage', 'prod-2'].map(name => ({ name }) as Cluster);
  expect(clustersWith(clusters, '').map(cluster => cluster.name)).toEqual(['prod-2', 'prod-10', 'stage']);
});

// Rule 5: the cluster selector
test('the cluster selector filters by case-insensitive substring of cluster id', () => {
  const clusters = ['Prod-EU', 'prod-us', 'stage'].map(name => ({ name }) as Cluster);
  expect(clustersWith(clusters, ' PROD ').map(cluster => cluster.name)).toEqual(['Prod-EU', 'prod-us']);
  expect(clustersWith(clusters, '')).toHaveLength(3);
});

// Rule 2.4: a file that cannot be loaded
test('a file that cannot be loaded loads the page anew once where the gateway serves another build, and never where it does not', async () => {
  let now = 100_000;
  let reloads = 0;
  let isOther = false;
  const hear = hearPreloadErrors(
    fakeStorage(),
    () => now,
    async () => isOther,
    () => reloads++,
  );
  await hear();
  expect(reloads).toBe(0);
  isOther = true;
  await Promise.all([hear(), hear()]);
  await hear();
  expect(reloads).toBe(1);
  now += 30_000;
  await hear();
  expect(reloads).toBe(2);
});

test('the time left is said in words, and not at all when it is not known', () => {
  const at = Date.parse('2026-01-01T00:00:00Z');
  expect(
    ['2026-01-01T11:52:30Z', '2026-01-01T00:59:00Z', '2026-01-01T00:00:30Z', '2025-12-31T00:00:00Z', ''].map(time =>
      timeLeftText(time, at),
    ),
  ).toEqual(['11 h 52 min left', '59 min left', 'under 1 min left', '', '']);
});

test.each([
  [undefined, ''],
  [{ status: 'connected', lostAt: null }, ''],
  [{ status: 'connecting', lostAt: null }, ''],
  [{ status: 'refused', lostAt: null }, 'not connected'],
  [{ status: 'reconnecting', lostAt: 88_000 }, 'no connection for 12 s'],
  [{ status: 'reconnecting', lostAt: 101_000 }, 'no connection for 0 s'],
  [{ status: 'reconnecting', lostAt: -50_000 }, 'no connection for 2 min'],
])('a terminal that is %j: "%s"', (tab, text) => expect(outageText(tab, 100_000)).toBe(text));

test('there are at most three hints, and a terminal gets those that it lets through', () => {
  const both = { hasTerminals: true, hasList: true, onDesktop: false };
  for (const focus of ['page', 'typing', 'terminal'] as const)
    expect(hintsFor(focus, 'nodes', both).length).toBeLessThanOrEqual(3);
  expect(hintsFor('terminal', 'nodes', both).map(([id]) => id)).toEqual([
    'palette.open',
    'terminal.find',
    'terminal.pane',
  ]);
  // A desktop in a tab takes all other keys: the chord that gives them back is said.
  expect(hintsFor('terminal', 'nodes', { ...both, onDesktop: true }).map(([id]) => id)).toEqual([
    'palette.open',
    'terminal.leader',
  ]);
});

test('the filter is hinted at only where there is a list', () => {
  const third = (hasList: boolean) =>
    hintsFor('page', 'support', { hasTerminals: false, hasList, onDesktop: false })[2]?.[0];
  expect([third(false), third(true)]).toEqual([undefined, 'list.filter']);
});
