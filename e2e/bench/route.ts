// From the last key of a page's chord to that page's own content painted, over every page that has a chord.
import type { Page } from 'playwright';
import { to } from '../../src/features/paths.ts';
import { type FeatureId, featureIds, features } from '../../src/features/table.ts';
import { openStore } from '../../src/gateway/store/open.ts';
import type { NewResource } from '../../src/gateway/store/store.ts';
import { percentile, type Row } from './row.ts';
import { openSite, type Site, servers } from './site.ts';

const SERVERS = 10_000;
const OTHERS = 200;
const EVENTS = 1000;
/** Loads of the console, and rounds over its pages after the first in each. */
const LOADS = 3;
const ROUNDS = 3;

/** Some of every kind that a page lists. */
function* resources(): Generator<NewResource> {
  yield* servers(SERVERS);
  const shared = { description: 'declared', labels: { env: 'prod', team: 'core' }, words: [], expires: null };
  for (let index = 0; index < OTHERS; index++) {
    const of = (kind: NewResource['kind'], address: string, spec: object, subtype = ''): NewResource => {
      const name = `${kind.replaceAll('_', '-')}-${index}`;
      return { ...shared, kind, name, title: name, address, subtype, spec };
    };
    yield of('app', '', { uri: `http://10.1.0.${index}:8080` });
    yield of('db', `10.2.0.${index}:5432`, { protocol: 'postgres', uri: `10.2.0.${index}:5432` }, 'self-hosted');
    yield of('windows_desktop', `10.3.0.${index}:3389`, { addr: `10.3.0.${index}` });
    yield of('kube_cluster', '', {});
  }
}

/** Sign-ins of the last day. The gateway must not be running. */
async function addEvents({ gateway }: Site): Promise<void> {
  await gateway.kill('SIGTERM');
  const store = await openStore({ kind: 'sqlite', folder: gateway.folder });
  try {
    await Promise.all(
      Array.from({ length: EVENTS }, (_, index) => {
        const raw = {
          event: 'user.login',
          code: 'T1000I',
          uid: `event-${index}`,
          time: new Date(Date.now() - index * 60_000).toISOString(),
          user: `user-${index % 100}`,
          success: true,
          method: 'local',
        };
        const { uid, event: type, code, user } = raw;
        return store.events.append({ uid, time: new Date(raw.time), type, code, user, sid: '', raw });
      }),
    );
  } finally {
    await store.close();
  }
  await gateway.start();
}

/** Waits in the page for what `path` shows: rows, or why there are none, or its own heading where it has no list; then for the paint. */
const watch = `(path => {
  window.changed = new Promise(done => {
    let began = 0;
    addEventListener('keydown', event => { if (event.key !== 'g') began = performance.now(); }, { capture: true });
    const isThere = () => {
      if (began === 0 || location.pathname !== path) return false;
      const page = document.getElementById('page');
      const grid = page.querySelector('[role=grid]');
      if (grid === null) return page.querySelector('h1') !== null && page.querySelector('h1 ~ *, h1') !== null;
      return grid.querySelector('tbody [aria-rowindex]') !== null || grid.getAttribute('aria-busy') === null;
    };
    const look = () => {
      if (!isThere()) return requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => done(performance.now() - began);
      channel.port2.postMessage(0);
    };
    requestAnimationFrame(look);
  });
})`;

async function change(page: Page, keys: string, path: string): Promise<number> {
  // Some pages give the keys to a field when they come, where a chord would be a text.
  await page.evaluate("document.getElementById('page').focus()");
  await page.evaluate(`${watch}(${JSON.stringify(path)})`);
  for (const key of keys.split(' ')) await page.keyboard.press(key);
  const ms = await page.evaluate<number>('window.changed');
  // A person looks at the page before going on, and its answer comes in meanwhile.
  await page.waitForTimeout(250);
  return ms;
}

/** The least that any page could do: a key that puts other words there. */
async function reference(page: Page): Promise<readonly number[]> {
  await page.setContent('<main id="page"></main>');
  await page.evaluate(`addEventListener('keydown', () => {
    const began = performance.now();
    document.getElementById('page').innerHTML = Array.from({ length: 15 }, (_, at) => '<p>server ' + at + ' ' + began + '</p>').join('');
    requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => (window.times ??= []).push(performance.now() - began); channel.port2.postMessage(0); });
  })`);
  for (let round = 0; round < 60; round++) {
    await page.keyboard.press('x');
    await page.waitForTimeout(30);
  }
  return page.evaluate('window.times');
}

/** Rows of the speed table about going from page to page. */
export async function benchRoute(): Promise<readonly Row[]> {
  const site = await openSite(resources());
  try {
    await addEvents(site);
    const { cluster: clusterId } = site.wire;
    const pages = featureIds.flatMap((id: FeatureId) => {
      const { keys } = features[id];
      return keys === undefined ? [] : [{ id, keys, path: to(id, { clusterId }) }];
    });
    const first: number[] = [];
    const later: number[] = [];
    const slowest = new Map<string, number>();
    for (let load = 0; load < LOADS; load++) {
      const context = await site.context();
      const page = await context.newPage();
      // From another page each time, so that every page is once among the first.
      const order = pages.map((_, at) => pages[(at + load * 2 + 1) % pages.length]).filter(one => one !== undefined);
      await page.goto(`${site.gateway.url}${order.at(-1)?.path}`);
      await page.waitForLoadState('networkidle');
      for (let round = 0; round <= ROUNDS; round++)
        for (const { id, keys, path } of order) {
          // The page that was loaded is not new.
          const isFirst = round === 0 && path !== order.at(-1)?.path;
          const ms = await change(page, keys, path);
          (isFirst ? first : later).push(ms);
          const name = `${id}${isFirst ? ' (first)' : ''}`;
          slowest.set(name, Math.max(slowest.get(name) ?? 0, ms));
        }
      await context.close();
    }
    const least = await reference(await (await site.context()).newPage());
    const [worst = ['', 0]] = [...slowest].sort((one, other) => other[1] - one[1]);
    const shown = (times: readonly number[]) =>
      `${percentile(times, 95).toFixed(0)} ms (p50 ${percentile(times, 50).toFixed(0)}, of ${times.length})`;
    return [
      {
        what: `${pages.length} pages by chord, known already: last key to painted content, p95`,
        target: '≤ 100 ms',
        measured: shown(later),
        reference: `a key that writes 15 lines: ${shown(least)}`,
      },
      {
        what: `${pages.length} pages by chord, for the first time: last key to painted content, p95`,
        target: '≤ 250 ms',
        measured: shown(first),
        reference: `slowest of all: ${worst[0]}, ${worst[1].toFixed(0)} ms`,
      },
    ];
  } finally {
    await site.dispose();
  }
}
