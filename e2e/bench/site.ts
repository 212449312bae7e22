// A gateway with as many servers as a large site has, and a browser that is signed in to it.
import { type Browser, type BrowserContext, chromium } from 'playwright';
import { openStore } from '../../src/gateway/store/open.ts';
import type { NewResource } from '../../src/gateway/store/store.ts';
import { CHROMIUM, cookiesOf, PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn, type WireClient } from '../rigs/client.ts';
import { type GatewayRig, openGateway } from '../rigs/gateway.ts';

const AT_ONCE = 5000;

export interface Site {
  readonly gateway: GatewayRig;
  readonly wire: WireClient;
  readonly browser: Browser;
  /** A window of its own, signed in. */
  readonly context: () => Promise<BrowserContext>;
  readonly dispose: () => Promise<void>;
}

/** Opens it with these resources in its store, and scrollbars that can be dragged. You must dispose it. */
export async function openSite(resources: Iterable<NewResource>): Promise<Site> {
  const gateway = await openGateway();
  const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
  await gateway.kill('SIGTERM');
  const store = await openStore({ kind: 'sqlite', folder: gateway.folder });
  try {
    let some: NewResource[] = [];
    for (const resource of resources) {
      some.push(resource);
      if (some.length < AT_ONCE) continue;
      await store.resources.putMany(some);
      some = [];
    }
    await store.resources.putMany(some);
  } finally {
    await store.close();
  }
  await gateway.start();
  const wire = await signIn(gateway.url, user, PASSWORD);
  const browser = await chromium.launch({ ...CHROMIUM, ignoreDefaultArgs: ['--hide-scrollbars'] });
  return {
    gateway,
    wire,
    browser,
    context: async () => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await context.addCookies(cookiesOf(gateway.url, wire.cookie));
      return context;
    },
    dispose: async () => {
      await browser.close();
      await gateway.dispose();
    },
  };
}

const jobs = ['web', 'db', 'cache', 'queue', 'api', 'batch', 'mail', 'proxy', 'search', 'log'];
const regions = ['eu-west-1', 'us-east-1', 'ap-south-2', 'eu-north-1', 'us-west-2'];
const environments = ['prod', 'staging', 'dev'];
const pick = (words: readonly string[], index: number): string => words[index % words.length] ?? '';

/** So many servers, the same in every run. */
export function* servers(count: number): Generator<NewResource> {
  for (let index = 0; index < count; index++) {
    const labels = { env: pick(environments, index), region: pick(regions, index >> 4), job: pick(jobs, index) };
    yield {
      kind: 'node',
      name: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      title: `${labels.job}-${String(index).padStart(6, '0')}.${labels.region}.example.com`,
      description: '',
      address: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}:22`,
      subtype: 'openssh',
      labels,
      words: [],
      spec: { hostKeys: [] },
      expires: null,
    };
  }
}
