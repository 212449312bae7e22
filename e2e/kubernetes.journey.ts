// Pods of a real cluster in the console: found and entered by keyboard, their logs followed, what was done played again.
import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { beginLink, linkIn, plugIn, saveCodes, setPassword } from './rigs/factors.ts';
import { addPerson, carry, expect, press, run, screen, test, typeText } from './rigs/journey.ts';
import { apiServerProgram, type ClusterRig, openCluster } from './rigs/kubernetes.ts';
import { openPreparedGateway } from './rigs/prepared.ts';

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

/** Every session of its people asks for a hardware key. */
const KEYED = `kind: role
version: v7
metadata: { name: keyed }
spec: { options: { require_session_mfa: true } }
---
`;
const clusterOf = (cluster: ClusterRig): string => `kind: kube_cluster
version: v3
metadata: { name: production, labels: { env: prod } }
spec:
  server: ${cluster.url}
  ca_cert: ${JSON.stringify(cluster.authority)}
  client_cert: ${JSON.stringify(cluster.gateway.certificate)}
  client_key: ${JSON.stringify(cluster.gateway.key)}
`;
/** The next answer of the browser's key is for another challenge than the gateway's, as one that somebody has kept would be. */
const answerAnother = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { credentials } = navigator;
    const once = (asked: CredentialRequestOptions) => {
      Reflect.deleteProperty(credentials, 'get');
      const { publicKey } = asked;
      return credentials.get(publicKey ? { publicKey: { ...publicKey, challenge: new Uint8Array(32) } } : asked);
    };
    Object.assign(credentials, { get: once });
  });

test('a shell in a container behind a hardware key opens with the key alone: not when it is cancelled, and not with an answer to something else', async ({
  page,
}) => {
  test.slow();
  const cluster = await openCluster();
  const gateway = await openPreparedGateway({ flags: ['--second-factor', 'on'] });
  try {
    await cluster.addPod('web-0');
    const file = test.info().outputPath('production.yaml');
    await writeFile(file, `${role('dev', '"*"')}${KEYED}${clusterOf(cluster)}`);
    await gateway.command('resources', 'apply', file);
    const { touch } = await plugIn(page);
    await beginLink(page, linkIn(await gateway.command('users', 'add', 'dora', '--roles', 'access,dev,keyed')));
    await setPassword(page);
    await expect(page.getByLabel('Device Name')).toHaveValue('webauthn-device');
    await page.getByLabel('Device Name').press('Enter');
    await saveCodes(page, 'dora');
    // What runs in the cluster is behind the key as well.
    await touch(false);
    const pods = page.getByRole('dialog', { name: 'Touch your hardware key to open pods of production' });
    await run(page, 'show the pods', 'production');
    await expect(pods.getByText('Waiting for the key…')).toBeVisible();
    await press(page, 'Escape');
    await expect(page.getByRole('alert')).toContainText('was not opened: its hardware key was not used');
    await expect(page.getByText('web-0')).toHaveCount(0);
    await touch(true);
    await page.reload();
    await expect(page.locator('tbody tr')).toHaveCount(1);
    await touch(false);
    const shells = () => cluster.kubelet.asked.filter(line => line.includes('/exec/'));
    const asking = page.getByRole('dialog', { name: 'Touch your hardware key to open main@web-0' });
    await run(page, 'kube web-0');
    await expect(asking.getByText('Waiting for the key…')).toBeVisible();
    await press(page, 'Escape');
    await expect(screen(page)).toContainText('was not opened: its hardware key was not used');
    await answerAnother(page);
    await touch(true);
    await press(page, 'Enter');
    await expect(screen(page)).toContainText('The hardware key was not accepted.');
    expect(shells()).toEqual([]);
    await press(page, 'Enter');
    await page.locator('.xterm-helper-textarea:focus').waitFor();
    await expect(screen(page)).toContainText(/[#$] /);
    await typeText(page, 'echo proven-$((6*7))\n');
    await expect(screen(page)).toContainText('proven-42');
    expect(shells()).toHaveLength(1);
    await typeText(page, 'exit\n');
    await page.locator('.xterm:visible').waitFor({ state: 'detached' });
  } finally {
    await gateway.dispose();
    await cluster.dispose();
  }
});
