// Pods of a real cluster in the console: found and entered by keyboard, their logs followed, what was done played again.
import { writeFile } from 'node:fs/promises';
import { addPerson, carry, expect, press, run, screen, test, typeText } from './rigs/journey.ts';
import { apiServerProgram, openCluster } from './rigs/kubernetes.ts';

const indented = (text: string): string => text.trim().replaceAll('\n', '\n    ');
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
    await writeFile(
      file,
      `${role('dev', '"*"')}${role('reader', 'list, watch, get')}kind: kube_cluster
version: v3
metadata: { name: production, labels: { env: prod } }
spec:
  server: ${cluster.url}
  ca_cert: |
    ${indented(cluster.authority)}
  client_cert: |
    ${indented(cluster.gateway.certificate)}
  client_key: |
    ${indented(cluster.gateway.key)}
`,
    );
    await gateway.command('resources', 'apply', file);
    const dora = await addPerson(gateway, 'dora', '--roles', 'access,dev');
    await carry(page, gateway, dora.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
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
    await typeText(page, 'tw');
    await expect(log).toHaveText('two');
    await search.focus();
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
