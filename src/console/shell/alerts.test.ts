import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ALERT_BILLING_LABEL, ALERT_LINK_LABEL, type Alert, listAlerts } from '../../contract/clusters.ts';
import { ApiError } from '../../contract/failure.ts';
import { createBanners, DISMISSED_MS, isProviderLink, severityOf } from './alerts.ts';
import { fakeClock, fakeStorage } from './fakes.testing.ts';
import { keys, readJson } from './storage.ts';

const ORIGIN = 'https://gate.example.com:3080';
const alert = (name: string, severity = 0, link?: string): Alert => ({
  kind: 'cluster_alert',
  version: 'v1',
  metadata: { name, labels: link === undefined ? {} : { [ALERT_LINK_LABEL]: link } },
  spec: { severity, message: `about ${name}` },
});

function begin(isDashboard = false, storage = fakeStorage(), clock = fakeClock(), showsBilling = false) {
  const banners = createBanners({
    storage,
    now: clock.now,
    isDashboard,
    showsBilling: () => showsBilling,
    providerOrigin: ORIGIN,
  });
  return { banners, storage, clock };
}
const ids = (banners: ReturnType<typeof createBanners>): string[] => banners.state.banners.map(banner => banner.id);

// Rule 9: severity of banners
test('severity below 5 is info, 5 to 9 warning, 10 and above danger', () => {
  expect([-1, 0, 4, 5, 9, 10, 99].map(severityOf)).toEqual([
    'info',
    'info',
    'info',
    'warning',
    'warning',
    'danger',
    'danger',
  ]);
});

test('the worst comes first', () => {
  const { banners } = begin();
  banners.load([alert('a', 1), alert('b', 10), alert('c', 5)]);
  expect(ids(banners)).toEqual(['b', 'c', 'a']);
});

// Rule 4: dismissals of banners
// Rule 9: a dismissal lasts 24 hours
test('a dismissal hides immediately and persists 24 hours', () => {
  const { banners, clock } = begin();
  banners.load([alert('a'), alert('b')]);
  banners.dismiss('a');
  expect(ids(banners)).toEqual(['b']);
  clock.pass(DISMISSED_MS - 1);
  banners.load([alert('a'), alert('b')]);
  expect(ids(banners)).toEqual(['b']);
  clock.pass(1);
  banners.load([alert('a'), alert('b')]);
  expect(ids(banners)).toEqual(['a', 'b']);
});

// Rule 4: expired dismissals
test('expired dismissals are purged on load', () => {
  const { banners, clock, storage } = begin();
  banners.load([alert('a'), alert('b')]);
  banners.dismiss('a');
  clock.pass(DISMISSED_MS / 2);
  banners.dismiss('b');
  clock.pass(DISMISSED_MS / 2);
  banners.load([]);
  expect(Object.keys(readJson(storage, keys.disabledAlerts) as object)).toEqual(['b']);
});

// Rule 6: a dashboard hides release and security alerts
test('dashboard mode hides release-upgrade and security-patch alerts', () => {
  const alerts = [alert('upgrade-suggestion'), alert('security-patch-available'), alert('other')];
  const [dashboard, ordinary] = [begin(true).banners, begin(false).banners];
  dashboard.load(alerts);
  ordinary.load(alerts);
  expect(ids(dashboard)).toEqual(['other']);
  expect(ids(ordinary)).toHaveLength(3);
});

// Rule 6: billing banners
test('billing banners show only when the billing flag is on', () => {
  const about = { ...alert('b'), metadata: { name: 'b', labels: { [ALERT_BILLING_LABEL]: 'yes' } } };
  const shown = [false, true].map(showsBilling => {
    const { banners } = begin(false, fakeStorage(), fakeClock(), showsBilling);
    banners.load([about, alert('a')]);
    return ids(banners);
  });
  expect(shown).toEqual([['a'], ['b', 'a']]);
});

// Rule 2.4: a banner can be dismissed; other links show as plain text
test.each([
  ['https://gate.example.com:3080/help', true],
  ['https://gate.example.com/help', false],
  ['https://gate.example.com:3080.evil.com/', false],
  ['https://x@gate.example.com:3080/', false],
  ['https://evil.com/?gate.example.com:3080', false],
  ['http://gate.example.com:3080/', false],
  ['javascript:alert(1)', false],
  ['//gate.example.com:3080/', false],
  ['not a link', false],
  ['', false],
])('only a link whose host is the provider’s website renders as clickable: %s, %s', (link, clickable) =>
  expect(isProviderLink(link, ORIGIN)).toBe(clickable),
);

test('a host that only begins like the provider is another host', () => {
  for (const link of [
    'https://gate.example.com.evil.com/',
    'https://gate.example.community/',
    'https://gate.example.com:30801/',
  ]) {
    expect([isProviderLink(link, 'https://gate.example.com'), isProviderLink(link, ORIGIN)]).toEqual([false, false]);
  }
});

// Rule 3.1: dismissed alerts, each with its end
test('a mangled list of dismissals hides nothing', () => {
  for (const text of ['[]', '"x"', '{"a":"soon"}', 'broken', '{"a":null}']) {
    const { banners } = begin(false, fakeStorage({ [keys.disabledAlerts]: text }));
    banners.load([alert('a')]);
    expect(ids(banners)).toEqual(['a']);
  }
});

// Rule 7.3: alerts that cannot be loaded are logged only, and none are shown
test('alerts that cannot be loaded, or are no list, are logged and nothing else; those of before stay', async () => {
  const { banners } = begin();
  banners.load([alert('a')]);
  const said: string[] = [];
  const unreadable = new ApiError('unknown', 'The answer could not be read');
  await banners.loadFrom(
    () => Promise.reject(unreadable),
    text => said.push(text),
  );
  expect([ids(banners), said]).toEqual([['a'], ['The alerts could not be loaded: The answer could not be read']]);
  // What is no failure of a call is a mistake of ours, and not swallowed.
  await expect(
    banners.loadFrom(
      () => Promise.reject(new TypeError('x')),
      text => said.push(text),
    ),
  ).rejects.toThrow();
  expect(z.safeParse(listAlerts.parts.reply, { alerts: {} }).success).toBe(false);
});
