// `kubectl get pods` over a cluster of a thousand, through the gateway beside straight to the API server, and with a role that names some of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRig } from '../../src/gateway/app.testing.ts';
import { roleResource } from '../../src/gateway/services/rights/source.ts';
import { apiServerProgram, type ClusterRig, openCluster } from '../rigs/kubernetes.ts';
import { addCluster, kubectl, kubeLogin, kubernetesRole } from '../rigs/kubernetes-gateway.ts';
import { median, type Row } from './row.ts';

const PODS = 1000;
const AT_ONCE = 20;
const ROUNDS = 7;

/** A kubeconfig that leads straight there. */
function straight(folder: string, { url, authority, admin }: ClusterRig): string {
  const data = (text: string): string => Buffer.from(text).toString('base64');
  const file = join(folder, 'straight.json');
  const user = { 'client-certificate-data': data(admin.certificate), 'client-key-data': data(admin.key) };
  writeFileSync(
    file,
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'it' },
      contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
      clusters: [{ name: 'it', cluster: { server: url, 'certificate-authority-data': data(authority) } }],
      users: [{ name: 'it', user }],
    }),
  );
  return file;
}

/** Rows of the speed table about clusters; none where there is no API server. */
export async function benchKubernetes(): Promise<readonly Row[]> {
  if (apiServerProgram() === null) return [];
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-kube-'));
  const rig = await openRig({ databases: true });
  const cluster = await openCluster();
  try {
    const names = Array.from({ length: PODS }, (_, at) => `web-${at}`);
    const next = names[Symbol.iterator]();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const name of next) await cluster.addPod(name);
      }),
    );
    await addCluster(rig, cluster);
    const half = "{ kind: pods, namespace: default, name: 'web-?[02468]*', verbs: [get, list] }";
    await rig.store.resources.create(roleResource(kubernetesRole('some', half)));
    await rig.addUser('ann', ['dev']);
    await rig.addUser('bob', ['some']);
    const ways = {
      direct: straight(folder, cluster),
      gateway: (await kubeLogin(folder, await rig.signIn('ann'), 'prod')).config,
      named: (await kubeLogin(folder, await rig.signIn('bob'), 'prod')).config,
    };
    const took: Record<keyof typeof ways, number[]> = { direct: [], gateway: [], named: [] };
    const get = async (way: keyof typeof ways): Promise<number> => {
      const began = performance.now();
      const { code, printed } = await kubectl(folder, ways[way], 'get', 'pods');
      if (code !== 0) throw new Error(printed);
      return performance.now() - began;
    };
    for (const way of ['direct', 'gateway', 'named'] as const) await get(way);
    for (let round = 0; round < ROUNDS; round++)
      for (const way of ['direct', 'gateway', 'named'] as const) took[way].push(await get(way));
    const row = (what: string, way: 'gateway' | 'named'): Row => ({
      what: `kubectl get over ${PODS} pods${what}`,
      target: '≤ 1.5 × direct',
      measured: `${median(took[way]).toFixed(0)} ms, ${(median(took[way]) / median(took.direct)).toFixed(2)} ×`,
      reference: `straight to the API server: ${median(took.direct).toFixed(0)} ms`,
    });
    return [row('', 'gateway'), row(', cut to those that a role names', 'named')];
  } finally {
    await cluster.dispose();
    await rig.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}
