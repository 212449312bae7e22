// A call to a leaf cluster through its root, beside the same call at the leaf itself.
import { acceptInvite, signIn, type WireClient } from '../rigs/client.ts';
import { freePort, openGateway } from '../rigs/gateway.ts';
import { median, type Row } from './row.ts';

const PASSWORD = 'correct horse battery';
const CALLS = 500;
/** Not counted: both programs are compiled first. */
const FIRST = 100;

/** Milliseconds of the middle one of `CALLS` calls each, taken in turns. */
async function middles(calls: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const took = calls.map((): number[] => []);
  for (let round = 0; round < CALLS + FIRST; round += 1)
    for (const [index, call] of calls.entries()) {
      const began = performance.now();
      await call();
      if (round >= FIRST) took[index]?.push(performance.now() - began);
    }
  return took.map(median);
}

export async function benchLeaf(): Promise<readonly Row[]> {
  const port = await freePort();
  const root = await openGateway({ flags: ['--ssh-listen', `127.0.0.1:${port}`, '--cluster-name', 'hub'] });
  const leaf = await openGateway({
    flags: ['--ssh-listen', `127.0.0.1:${await freePort()}`, '--cluster-name', 'branch'],
  });
  try {
    for (const gateway of [root, leaf]) await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
    const [ann, ben] = [
      await signIn(root.directUrl, 'admin', PASSWORD),
      await signIn(leaf.directUrl, 'admin', PASSWORD),
    ];
    const { id: token } = (await ann.call('POST', 'token', { roles: ['Trusted_cluster'] })) as { id: string };
    const content = `kind: trusted_cluster
version: v2
metadata: {name: hub}
spec:
  token: ${token}
  tunnel_addr: 127.0.0.1:${port}
  web_proxy_addr: ${new URL(root.directUrl).host}
  role_map: [{remote: access, local: [access]}]
`;
    await ben.call('POST', 'trustedcluster', { content });
    const list = (who: WireClient, cluster: string) => who.call('GET', `sites/${cluster}/nodes`);
    // It dials within a second.
    while (
      await list(ann, 'branch').then(
        () => false,
        () => true,
      )
    );
    const [through = 0, direct = 0] = await middles([() => list(ann, 'branch'), () => list(ben, 'branch')]);
    return [
      {
        what: 'list of servers of a leaf through its root: what the tunnel and the root add, p50',
        target: '≤ 1 ms',
        measured: `${(through - direct).toFixed(2)} ms`,
        reference: `at the leaf itself: ${direct.toFixed(2)} ms`,
      },
    ];
  } finally {
    await root.dispose();
    await leaf.dispose();
  }
}
