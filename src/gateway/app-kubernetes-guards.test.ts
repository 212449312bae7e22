// Guards on requests to clusters: a real API server, kubectl, a reviewer, and what the audit log has of it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiServerProgram, type ClusterRig, openCluster } from '../../e2e/rigs/kubernetes.ts';
import { addCluster, type KubernetesClient, kubectl, kubeLogin } from '../../e2e/rigs/kubernetes-gateway.ts';
import type { WaitingStatement } from '../contract/reviews.ts';
import type { Explanation } from '../contract/rights.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const careful = `kind: role
version: v7
metadata: { name: careful }
spec:
  guards:
    - { name: no prod, kubernetes_labels: { team: shop }, verbs: [delete], kinds: [namespaces], names: ['prod-*'], effect: block, message: ask the owners }
    - { name: pods, verbs: [delete], kinds: [pods], effect: ask, reviewers: { users: [rob] } }
    - { name: settings, verbs: [create, patch], kinds: [configmaps], effect: ask }
    - { name: reads, verbs: [list], kinds: ['config*'], effect: warn }
    - { name: elsewhere, kubernetes_labels: { team: other }, verbs: ['*'], effect: block }
`;
const reviewing = `kind: role
version: v7
metadata: { name: reviewing }
spec:
  allow:
    rules:
      - { resources: [statement_review], verbs: [list, update] }
`;

describe.skipIf(apiServerProgram() === null)('guards of clusters', () => {
  let rig: Rig;
  let cluster: ClusterRig;
  let folder: string;
  let ann: Browser;
  let rob: Browser;
  let client: KubernetesClient;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postern-kube-guards-'));
    [rig, cluster] = await Promise.all([openRig({ databases: true }), openCluster()]);
    await addCluster(rig, cluster);
    for (const content of [careful, reviewing]) await rig.store.resources.create(roleResource(content));
    await rig.addUser('ann', ['dev', 'careful']);
    await rig.addUser('rob', ['reviewing']);
    [ann, rob] = [await rig.signIn('ann'), await rig.signIn('rob')];
    client = await kubeLogin(folder, ann, 'prod');
  }, 90_000);
  afterAll(async () => {
    await rig?.dispose();
    await cluster?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const ctl = (...words: readonly string[]) => kubectl(folder, client.config, ...words);
  const listed = async (): Promise<readonly WaitingStatement[]> =>
    ((await rob.call('GET', '/v1/webapi/sites/-current-/reviews')).json as { items: WaitingStatement[] }).items;
  async function waiting(): Promise<WaitingStatement> {
    await expect.poll(async () => (await listed()).length, { timeout: 20_000 }).toBe(1);
    const [one] = await listed();
    if (!one) throw new Error('nothing waits');
    return one;
  }
  const decide = ({ id }: WaitingStatement, decision: string, reason = '') =>
    rob.call('POST', `/v1/webapi/sites/-current-/reviews/${id}`, { decision, reason });
  async function requests(from: Date) {
    const to = new Date(Date.now() + 60_000);
    const found = await rig.store.events.search({ from, to, limit: 1000, types: [], descending: false });
    return found.events
      .filter(({ code, raw }) => code === 'T3009I' && 'guard' in raw)
      .map(({ raw }) => raw as Readonly<Record<string, unknown>>)
      .map(({ verb, resource_name, response_code, guard, guard_effect, reviewer }) =>
        [verb, resource_name, response_code, guard, guard_effect, reviewer].join(' ').trim(),
      );
  }

  test('what a guard blocks does not come to the cluster, what it warns of does with a warning that kubectl prints', async () => {
    const from = new Date();
    for (const name of ['prod-1', 'test-1']) expect((await ctl('create', 'namespace', name)).code).toBe(0);
    const refused = await ctl('delete', 'namespace', 'prod-1', '--wait=false');
    expect(refused.printed).toContain(
      'guard "no prod" of role careful blocks delete namespaces named prod-*: ask the owners',
    );
    expect((await ctl('delete', 'namespace', 'test-1', '--wait=false')).code).toBe(0);
    expect((await ctl('get', 'namespace', 'prod-1', '-o', 'name')).printed).toBe('namespace/prod-1');
    const jobs = await ctl('get', 'configmaps');
    expect(jobs.printed).toContain('Warning: Postern: guard "reads" of role careful warns of list config*');
    expect(await requests(from)).toEqual(['DELETE prod-1 403 no prod block', 'GET  200 reads warn']);
  });

  test('a request that names no object may be about any: deleting a collection is blocked too', async () => {
    const { printed } = await ctl('delete', '--raw', '/v1/clusters/prod/api/v1/namespaces');
    expect(printed).toContain('guard "no prod"');
  });

  test('what a guard asks about waits for a reviewer, who allows it once, for the session, or refuses it', async () => {
    const from = new Date();
    for (const name of ['web-0', 'web-1', 'web-2']) await cluster.addPod(name);
    const first = ctl('delete', 'pod', 'web-0', '--wait=false', '--grace-period=0');
    const one = await waiting();
    expect(one).toMatchObject({
      ...{ user: 'ann', database: 'prod', protocol: 'kubernetes', dbUser: 'ann', dbName: 'default' },
      ...{ guard: 'pods', mayDecide: true, noPlan: 'clusters make none' },
    });
    expect(one.text).toContain('delete pods web-0 in default');
    expect((await ctl('get', 'pod', 'web-0', '-o', 'name')).printed).toBe('pod/web-0');
    expect((await decide(one, 'once')).status).toBe(200);
    expect(await first).toMatchObject({ code: 0 });

    const second = ctl('delete', 'pod', 'web-1', '--wait=false');
    expect((await decide(await waiting(), 'refuse', 'not today')).status).toBe(200);
    expect((await second).printed).toContain('rob has refused it: not today');
    expect((await ctl('get', 'pod', 'web-1', '-o', 'name')).printed).toBe('pod/web-1');
    expect(await requests(from)).toEqual(['DELETE web-0 200 pods ask rob', 'DELETE web-1 403 pods ask rob']);

    const third = ctl('delete', 'pod', 'web-2', '--dry-run=server');
    expect((await decide(await waiting(), 'session')).status).toBe(200);
    expect((await third).code).toBe(0);
    expect((await ctl('delete', 'pod', 'web-2', '--dry-run=server')).code).toBe(0);
    expect(await listed()).toEqual([]);
  });

  test('a reviewer sees what is sent, and that is what the cluster gets', async () => {
    const made = ctl('create', 'configmap', 'limits', '--from-literal=most=7');
    const one = await waiting();
    expect(one.text).toContain('create configmaps in default');
    expect(one).toMatchObject({ mayRepeat: false, text: expect.stringMatching(/limits[\s\S]*most[\s\S]*7/) });
    await decide(one, 'once');
    expect((await made).code).toBe(0);
    expect((await ctl('get', 'configmap', 'limits', '-o', 'jsonpath={.data.most}')).printed).toBe('7');
  });

  test('a client that gives up waits no more', async () => {
    const late = ctl('delete', 'pod', 'web-1', '--wait=false', '--request-timeout=2s');
    await waiting();
    expect((await late).code).not.toBe(0);
    await expect.poll(listed, { timeout: 20_000 }).toEqual([]);
  });

  test('whoever asks what they may do there hears of the guards, and of no other cluster', async () => {
    const query = new URLSearchParams({ action: 'kube', target: 'prod' });
    const { json } = await ann.call('GET', `/v1/webapi/sites/-current-/rights/explain?${query}`);
    const texts = (json as Explanation).reasons.filter(({ kind }) => kind === 'guards').map(({ text }) => text);
    expect(texts).toHaveLength(4);
    expect(texts).toContain('Role careful asks about delete pods (guard "pods").');
  });
});
