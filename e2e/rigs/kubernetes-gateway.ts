// A real cluster that a gateway reaches, the roles that lead there, and kubectl as people use it.
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Rig } from '../../src/gateway/app.testing.ts';
import { roleResource } from '../../src/gateway/services/rights/source.ts';
import type { ClusterRig } from './kubernetes.ts';

const run = promisify(execFile);

/** Who may use the clusters of team shop, as whom, and what in them. */
export const kubernetesRole = (name: string, resources: string, more = ''): string => `kind: role
version: v7
metadata: { name: ${name} }
spec:
  options: { reach_loopback: true${more} }
  allow:
    kubernetes_labels: { team: shop }
    kubernetes_groups: [dev]
    kubernetes_resources: [${resources}]
`;
export const EVERYTHING = "{ kind: '*', namespace: '*', name: '*', verbs: ['*'] }";

/** The cluster as a resource of a gateway. */
export const clusterDocument = (cluster: ClusterRig, name: string): string =>
  JSON.stringify({
    ...{ kind: 'kube_cluster', version: 'v3', metadata: { name, labels: { team: 'shop' } } },
    spec: {
      server: cluster.url,
      ca_cert: cluster.authority,
      client_cert: cluster.gateway.certificate,
      client_key: cluster.gateway.key,
    },
  });
/** Makes the cluster one of the gateway's, as `prod`; its roles `dev` (all of it) and `web` (pods of default whose names begin with web). */
export async function addCluster(rig: Rig, cluster: ClusterRig, name = 'prod'): Promise<void> {
  const { problems } = await rig.declared.apply([{ name, content: clusterDocument(cluster, name) }], { by: 'root' });
  if (problems.length > 0) throw new Error(problems.join('; '));
  const web = "{ kind: pod, namespace: default, name: 'web-*', verbs: [get, list, watch, exec] }";
  for (const role of [kubernetesRole('dev', EVERYTHING), kubernetesRole('web', web)])
    if (!(await rig.store.resources.get('role', /name: (\w+)/.exec(role)?.[1] ?? '')))
      await rig.store.resources.create(roleResource(role));
}

/** What a person's machine has after a log-in. */
export interface KubernetesClient {
  readonly server: string;
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
  /** Path of a kubeconfig. */
  readonly config: string;
}
/** As `postern kube login` does, with the certificate in the file. */
export async function kubeLogin(folder: string, who: Browser, name: string): Promise<KubernetesClient> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const answer = await who.call('POST', `/v1/webapi/sites/-current-/kubernetes/${name}/certificate`, {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
  });
  if (answer.status !== 200) throw new Error(answer.body);
  const { certificate, authority, server } = answer.json as Record<'certificate' | 'authority' | 'server', string>;
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const data = (text: string): string => Buffer.from(text).toString('base64');
  const config = join(folder, `${who.user}-${name}.json`);
  const context = { name, context: { cluster: name, user: name } };
  const user = { 'client-certificate-data': data(certificate), 'client-key-data': data(key) };
  writeFileSync(
    config,
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': name, contexts: [context] },
      clusters: [{ name, cluster: { server, 'certificate-authority-data': data(authority) } }],
      users: [{ name, user }],
    }),
  );
  return { server, certificate, key, authority, config };
}
/** What kubectl prints, errors too, and how it ended. */
export async function kubectl(
  folder: string,
  config: string,
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly printed: string }> {
  const args = ['--kubeconfig', config, '--cache-dir', join(folder, 'cache'), ...words];
  const { code, stdout, stderr } = await run('kubectl', args).then(
    printed => ({ ...printed, code: 0 }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
  return { code, printed: `${stdout}${stderr}`.trim() };
}
