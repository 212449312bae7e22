// From the root's console to a leaf by keyboard alone: choosing it, a shell on its server, what is kept of it, and what is said while it is away.
import { hostname, userInfo } from 'node:os';
import { PASSWORD } from './rigs/browser.ts';
import { acceptInvite, signIn, type WireClient } from './rigs/client.ts';
import { freePort, type GatewayRig, openGateway } from './rigs/gateway.ts';
import { test as base, enter, expect, leaveShell, press, run, screen, typeText } from './rigs/journey.ts';

interface Pair {
  readonly root: GatewayRig;
  readonly leaf: GatewayRig;
}
const test = base.extend<{ readonly pair: Pair }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  pair: async ({}, use) => {
    const port = await freePort();
    const root = await openGateway({ flags: ['--ssh-listen', `127.0.0.1:${port}`, '--cluster-name', 'hub'] });
    const leaf = await openGateway({
      flags: ['--ssh-listen', `127.0.0.1:${await freePort()}`, '--cluster-name', 'acme-eu'],
    });
    for (const gateway of [root, leaf]) await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
    const ann = await signIn(root.url, 'admin', PASSWORD);
    const ben = await signIn(leaf.url, 'admin', PASSWORD);
    const { id } = (await ann.call('POST', 'token', { roles: ['Trusted_cluster'] })) as { id: string };
    await ben.call('POST', 'trustedcluster', {
      content: `kind: trusted_cluster
version: v2
metadata: {name: hub}
spec:
  token: ${id}
  tunnel_addr: 127.0.0.1:${port}
  web_proxy_addr: ${new URL(root.directUrl).host}
  role_map: [{remote: access, local: [access]}, {remote: auditor, local: [auditor]}]
`,
    });
    await isListed(ann, 'online');
    await use({ root, leaf });
    await leaf.dispose();
    await root.dispose();
  },
});
const isListed = (who: WireClient, status: string) =>
  expect
    .poll(async () => ((await who.call('GET', 'sites')) as { name: string; status: string }[])[1]?.status)
    .toBe(status);

test('somebody of the root chooses a leaf, types on its server, finds that session kept there, and reads of the leaf that it is away', async ({
  page,
  pair: { root, leaf },
}) => {
  await enter(page, root);
  await run(page, 'choose the cluster');
  await expect(page.getByLabel('Filter clusters')).toBeFocused();
  await typeText(page, 'acme');
  await expect(page.getByRole('menuitem', { name: /acme-eu/ })).toBeVisible();
  await press(page, 'Enter');
  await expect(page).toHaveURL(/\/web\/cluster\/acme-eu\//);
  await expect(page.locator('tbody tr')).toContainText(hostname());
  await run(page, `ssh ${userInfo().username}@${hostname()}`);
  await expect(screen(page)).toContainText(/[#$]/);
  await typeText(page, 'echo "on $((6*7))"\n');
  await expect(screen(page)).toContainText('on 42');
  await typeText(page, 'exit\n');
  await leaveShell(page);

  // What is kept of it is the leaf's, and shown under its name.
  await press(page, 'g', 'r');
  await expect(page).toHaveURL(/\/web\/cluster\/acme-eu\/recordings/);
  await expect(page.locator('tbody tr')).toContainText('hub/admin');
  await expect(page.locator('tbody tr')).toContainText(hostname());
  await press(page, 'g', 'l');
  await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible();
  await expect(page.locator('tbody tr').filter({ hasText: 'hub/admin' }).first()).toBeVisible();

  await leaf.kill('SIGKILL');
  await isListed(await signIn(root.url, 'admin', PASSWORD), 'offline');
  await run(page, 'choose the cluster');
  await expect(page.getByRole('menuitem', { name: /acme-eu/ })).toContainText('Offline');
  await press(page, 'Escape');
  await press(page, 'g', 's');
  await expect(page.getByText(/cluster "acme-eu" is offline: it was last connected at/).first()).toBeVisible();
});
