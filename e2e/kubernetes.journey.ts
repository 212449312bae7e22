// Pods of a real cluster in the console: found and entered by keyboard, their logs followed, what was done played again.
import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { addPerson, carry, expect, press, run, screen, test, typeText } from './rigs/journey.ts';
import { apiServerProgram, type ClusterRig, openCluster } from './rigs/kubernetes.ts';

const role = (name: string, verbs: string): string => `kind: role
version: v7
metadata: { name: ${name} }
spec:
  options: { reach_loopback: true }
  allow:
    kubernetes_labels: { env: prod }
    kubernetes_groups: [dev]
    kubernetes_resources: [{ kind: pods, namespace: '*', name: '*', verbs: [${verbs}] }]
---
`;

/** As kubectl writes one, with the gateway's credential in it. */
const kubeconfigOf = (cluster: ClusterRig, user: string): string => `apiVersion: v1
kind: Config
current-context: it
contexts: [{ name: it, context: { cluster: it, user: it } }]
clusters:
  - name: it
    cluster: { server: ${cluster.url}, certificate-authority-data: ${Buffer.from(cluster.authority).toString('base64')} }
users:
  - name: it
    user: { ${user} }
`;
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(it => navigator.clipboard.writeText(it), text);
  await press(page, 'Control+v');
}

test.skip(apiServerProgram() === null, 'needs a kube-apiserver and etcd');

test('a container is entered from the palette, its log is followed, and the recording of its shell plays', async ({
  page,
  ownGateway: gateway,
}) => {
  test.slow();
  const cluster = await openCluster();
  try {
    await cluster.addPod('web-0', { containers: ['main', 'side'] });
    await cluster.addPod('queue-0');
    cluster.kubelet.log('one\ntwo\n');
    cluster.kubelet.log('before the restart\n', { previous: true });
    const file = test.info().outputPath('production.yaml');
    await writeFile(file, `${role('dev', '"*"')}${role('reader', 'list, watch, get')}`);
    await gateway.command('resources', 'apply', file);
    const dora = await addPerson(gateway, 'dora', '--roles', 'access,editor,dev');
    await carry(page, gateway, dora.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    await run(page, 'add a cluster');
    await typeText(page, 'production');
    await press(page, 'Enter');
    await page.getByPlaceholder('Its kubeconfig').waitFor();
    await paste(page, kubeconfigOf(cluster, 'token: of-nobody'));
    await typeText(page, 'env=prod');
    await press(page, 'Enter');
    const trace = page.getByRole('alertdialog', { name: 'production cannot be used yet' });
    await expect(trace).toContainText('✓ Reached, certificate believed');
    await expect(trace).toContainText('✗ Acting for you: the cluster does not know the credential of the gateway');
    await press(page, 'Enter');
    await expect(trace).toBeHidden();
    await run(page, 'change the kubeconfig', 'production');
    await page.getByPlaceholder('New kubeconfig').waitFor();
    await paste(page, kubeconfigOf(cluster, `token: ${cluster.gatewayToken}`));
    await press(page, 'Enter');
    await expect(page.getByText(/^production can be used: /)).toBeVisible();
    await run(page, 'kube queue-0');
    await page.locator('.xterm-helper-textarea:focus').waitFor();
    await expect(screen(page)).toContainText(/[#$] /);
    await typeText(page, 'echo played-$((6*7))\n');
    await expect(screen(page)).toContainText('played-42');
    await expect(page.getByRole('tab', { name: 'main@queue-0' })).toBeVisible();
    await page.reload();
    await expect(screen(page)).toContainText('played-42');
    await page.locator('.xterm-helper-textarea:focus').waitFor();
    await typeText(page, 'exit\n');
    await page.locator('.xterm:visible').waitFor({ state: 'detached' });
    await run(page, 'pods logs web-0');
    const log = page.getByRole('region', { name: 'Log of main' });
    await expect(log).toContainText('two');
    cluster.kubelet.log('three\n');
    await expect(log).toContainText('three');
    const search = page.getByLabel('Search the log');
    await search.focus();
    const field = await search.elementHandle();
    await typeText(page, 'tw');
    await expect(log).toHaveText('two');
    // The page was not begun anew for what is typed: the field has kept the keys.
    expect(await search.evaluate((now, before) => now === before, field)).toBe(true);
    await expect(search).toBeFocused();
    await press(page, 'Control+a', 'Delete');
    await expect(log).toContainText('one');
    await page.getByRole('button', { name: 'Previous' }).focus();
    await press(page, 'Enter');
    await expect(log).toContainText('before the restart');
    await page.getByRole('link', { name: 'production' }).focus();
    await press(page, 'Enter');
    await expect(page.locator('tbody tr')).toHaveCount(2);
    await cluster.addPod('late-0');
    await expect(page.locator('tbody tr')).toHaveCount(3);
    await run(page, 'recording play production');
    await page.locator('[data-player-screen]').waitFor();
    await press(page, 'End');
    await expect(page.locator('[data-player-screen]')).toContainText('played-42');
  } finally {
    await cluster.dispose();
  }
});
