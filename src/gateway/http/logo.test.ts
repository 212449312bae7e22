import { afterEach, expect, test } from 'vitest';

import { CLUSTER, openRig, type Rig } from '../app.testing.ts';
import { readConfiguration } from '../services/configuration/configuration.ts';

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.dispose();
  rig = undefined;
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

/** A gateway whose configuration names a logo with this content. */
async function gatewayWith(content: Buffer): Promise<{ rig: Rig; path: string }> {
  const read = readConfiguration({
    argv: ['--logo', '/logo'],
    env: {},
    readFile: path => (path === '/logo' ? content : null),
    home: '/nowhere',
    hostname: 'box',
  });
  rig = await openRig({ config: { logo: read.logo, webConfig: { ...read.webConfig, proxyCluster: CLUSTER } } });
  const { body } = await rig.app.inject({ url: '/web/config.js' });
  return { rig, path: /"customLogo":"([^"]+)"/.exec(body)?.[1] ?? '' };
}

test.each([
  ['an SVG', Buffer.from(svg), 'image/svg+xml', /^\/web\/logo\/[0-9a-f]{16}\.svg$/],
  ['a PNG', png, 'image/png', /^\/web\/logo\/[0-9a-f]{16}\.png$/],
] as const)('%s is told to the console and served as it is, signed in or not', async (_name, content, type, path) => {
  const gateway = await gatewayWith(content);
  expect(gateway.path).toMatch(path);
  const answer = await gateway.rig.app.inject({ url: gateway.path });
  expect([answer.statusCode, answer.headers['content-type'], answer.rawPayload]).toEqual([200, type, content]);
});

test('a logo may run nothing and load nothing, whatever is written in it', async () => {
  const gateway = await gatewayWith(Buffer.from(svg));
  const { headers } = await gateway.rig.app.inject({ url: gateway.path });
  const policy = String(headers['content-security-policy']).split('; ');
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", 'sandbox']));
  expect(policy.some(rule => rule.startsWith('script-src'))).toBe(false);
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test('another image has another path, so that browsers may keep each for good', async () => {
  const one = await gatewayWith(Buffer.from(svg));
  await one.rig.dispose();
  const other = await gatewayWith(Buffer.from(`${svg}\n`));
  expect(other.path).not.toBe(one.path);
  expect((await other.rig.app.inject({ url: other.path })).headers['cache-control']).toContain('immutable');
});
