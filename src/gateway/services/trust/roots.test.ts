// Two gateways of one leaf, on one store: whoever finds a root that is not joined yet spends its one-use token, once for both.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { onBothEngines } from '../../store/store.testing.ts';
import { createRoots } from './roots.ts';
import { readRoot, rootColumns } from './stored.ts';

const KEY = `ssh-ed25519 ${'A'.repeat(68)}`;
const box = { seal: async (text: string) => text, open: (text: string) => text };

/** A root that takes a token once, and refuses it from then on whoever shows it. */
async function openRoot() {
  let asked = 0;
  const server = createServer((request, answer) => {
    asked += 1;
    request.resume();
    const isFirst = asked === 1;
    answer.writeHead(isFirst ? 200 : 403, { 'content-type': 'application/json' });
    const reply = { cluster_name: 'hub', host_key: KEY, identity_key: 'pem' };
    answer.end(JSON.stringify(isFirst ? reply : { error: { message: 'this join token has been used up' } }));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return { address: `127.0.0.1:${port}`, asked: () => asked, close: () => server.close() };
}

onBothEngines(rig => {
  test('of two gateways that find a root at once, one spends its token, and both dial it', async () => {
    const { resources } = await rig.open();
    const root = await openRoot();
    const document = {
      ...{ kind: 'trusted_cluster', version: 'v2', metadata: { name: 'hub' } },
      spec: {
        ...{ enabled: true, token: 't.secret', tunnel_addr: '127.0.0.1:1', web_proxy_addr: root.address },
        role_map: [{ remote: 'access', local: ['access'] }],
      },
    } as unknown as Parameters<typeof rootColumns>[2];
    const columns = await rootColumns(box, async () => ({ privateKey: 'private', line: KEY }), document, null);
    await resources.create({
      ...{ kind: 'trusted_cluster', name: 'hub', title: 'hub', description: '', subtype: '', labels: {}, words: [] },
      ...{ expires: null, ...columns },
    });
    const dialled: string[] = [];
    const problems: unknown[] = [];
    const gateways = ['one', 'two'].map(gatewayId =>
      createRoots({
        ...{ resources, secretBox: box, clusterName: 'leaf', gatewayId },
        declared: { apply: async () => ({ problems: [] }), get: async () => '', remove: async () => undefined },
        dial: async ({ host, port }) => {
          dialled.push(`${gatewayId} ${host}:${port}`);
          return { over: new Promise(() => undefined), hangUp: () => undefined };
        },
        reception: { take: () => undefined },
        changed: () => undefined,
        report: (_problem, error) => problems.push(error),
      }),
    );
    try {
      for (const one of gateways) one.start();
      await expect
        .poll(() => dialled.toSorted(), { timeout: 10_000, interval: 20 })
        .toEqual(['one 127.0.0.1:1', 'two 127.0.0.1:1']);
      expect(root.asked()).toBe(1);
      expect(problems).toEqual([]);
      const row = await resources.get('trusted_cluster', 'hub');
      expect(row && readRoot(row)).toMatchObject({ sealedToken: null, joining: null, joined: { hostKey: KEY } });
    } finally {
      for (const one of gateways) one.close();
      root.close();
    }
  });
});
