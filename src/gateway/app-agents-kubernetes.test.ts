// What an agent sees of a cluster, against a real API server: pods that its person's role gives, and nothing else of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AgentClient, connectAgent } from '../../e2e/rigs/agent.ts';
import { type CommandLineRig, openCommandLine } from '../../e2e/rigs/command-line.ts';
import { apiServerProgram, type ClusterRig, openCluster } from '../../e2e/rigs/kubernetes.ts';
import { addCluster } from '../../e2e/rigs/kubernetes-gateway.ts';
import type { MadeAgent } from '../contract/agents.ts';
import { roleResource } from './services/rights/source.ts';

const AGENTS_ROLE = 'kind: role\nversion: v7\nmetadata: {name: agents}\nspec: {options: {agents: allow}}\n';

describe.skipIf(apiServerProgram() === null)('an agent at a cluster', () => {
  let line: CommandLineRig;
  let cluster: ClusterRig;
  let agent: AgentClient;
  let id: string;
  beforeAll(async () => {
    [line, cluster] = await Promise.all([openCommandLine({ databases: true }), openCluster()]);
    const rig = line.gateway;
    await addCluster(rig, cluster);
    for (const pod of ['web-0', 'web-1', 'db-0']) await cluster.addPod(pod);
    await rig.store.resources.create(roleResource(AGENTS_ROLE));
    await rig.addUser('bob', ['web', 'agents']);
    const bob = await rig.signIn('bob');
    const made = (
      await bob.call('POST', '/v1/webapi/sites/here/agents', { name: 'looker', roles: ['web'], kinds: ['cluster'] })
    ).json as MadeAgent;
    id = made.agent.id;
    agent = await connectAgent(line.url, made.token ?? '');
  }, 90_000);
  afterAll(async () => {
    await agent?.close();
    await line?.dispose();
    await cluster?.dispose();
  });

  test('it finds the clusters and the pods that its role gives, and reads one of them as marked data', async () => {
    expect((await agent.use('find_clusters', {})).text).toContain('"name":"prod"');
    const found = await agent.use('find_pods', { cluster: 'prod', namespace: 'default' });
    expect([found.isError, found.facts]).toEqual([false, { count: 2, total: 2 }]);
    expect(found.text).toContain('"name":"web-0"');
    expect(found.text).not.toContain('db-0');
    const read = await agent.use('read_pod', { cluster: 'prod', namespace: 'default', pod: 'web-1' });
    expect(read.text).toMatch(/<data-[0-9a-f]{16}>\n[\s\S]*kind: Pod[\s\S]*name: web-1/);
    const { events } = await line.gateway.store.events.search({
      ...{ from: new Date(0), to: new Date(Date.now() + 86_400_000), limit: 1000, types: [], descending: false },
    });
    const requests = events.filter(({ code }) => code === 'T3009I').map(({ raw }) => raw);
    expect(requests).toContainEqual(
      expect.objectContaining({ user: 'bob', agent: 'looker', agent_id: id, resource_name: 'web-1' }),
    );
  });

  test('what its role does not give it cannot read, and a cluster that no role selects is not there', async () => {
    const other = await agent.use('read_pod', { cluster: 'prod', namespace: 'default', pod: 'db-0' });
    expect([other.isError, other.text]).toEqual([true, expect.not.stringContaining('kind: Pod')]);
    expect(await agent.use('find_pods', { cluster: 'elsewhere' })).toMatchObject({
      isError: true,
      text: '"elsewhere" was not found',
    });
  });
});
