// Two real gateways of a test: a leaf cluster `acme-eu` that has joined its root `hub`, with an administrator at each.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptInvite, signIn, type WireClient } from './client.ts';
import { freePort, type GatewayRig, openGateway } from './gateway.ts';

const PASSWORD = 'correct horse battery';
const WAIT_MS = 20_000;
const LOOK_MS = 50;

export interface LeafPair {
  readonly root: GatewayRig;
  readonly leaf: GatewayRig;
  /** Administrator of the root. */
  readonly ann: WireClient;
  /** Administrator of the leaf. */
  readonly ben: WireClient;
  readonly password: string;
  /** Where SSH and clients of databases come; leaves and machines dial the root's for SSH. */
  readonly ports: Readonly<Record<'root' | 'leaf', { readonly ssh: number; readonly databases: number }>>;
  /** Another map of the leaf: what YAML says after `role_map:`. */
  map(map: string): Promise<void>;
  /** Applies documents at one of the two. */
  apply(at: 'root' | 'leaf', documents: string): Promise<void>;
  /** Until the root's list says so. */
  until(status: 'online' | 'offline'): Promise<void>;
  dispose(): Promise<void>;
}

/** `map`: what YAML says after `role_map:`. `password`: of both administrators. `more`: flags of the root. You must dispose it. */
export async function openLeafPair(map: string, password = PASSWORD, more: readonly string[] = []): Promise<LeafPair> {
  async function listen(name: string, given: readonly string[] = []) {
    const ports = { ssh: await freePort(), databases: await freePort() };
    const gateway = await openGateway({
      flags: [
        ...['--ssh-listen', `127.0.0.1:${ports.ssh}`, '--cluster-name', name],
        ...['--databases-listen', `127.0.0.1:${ports.databases}`, '--mysql-listen', `127.0.0.1:${await freePort()}`],
        ...given,
      ],
    });
    return { gateway, ports };
  }
  const { gateway: root, ports: rootPorts } = await listen('hub', more);
  const { gateway: leaf, ports: leafPorts } = await listen('acme-eu').catch(async (error: unknown) => {
    await root.dispose();
    throw error;
  });
  for (const gateway of [root, leaf]) await acceptInvite(gateway.url, gateway.invite(), password);
  const ann = await signIn(root.url, 'admin', password);
  const ben = await signIn(leaf.url, 'admin', password);
  const document = (roles: string, token = ''): string => `kind: trusted_cluster
version: v2
metadata: {name: hub}
spec:
  enabled: true
${token && `  token: ${token}\n`}  tunnel_addr: 127.0.0.1:${rootPorts.ssh}
  web_proxy_addr: ${new URL(root.directUrl).host}
  role_map: ${roles}
`;
  const until: LeafPair['until'] = async status => {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const clusters = (await ann.call('GET', 'sites')) as { name: string; status: string }[];
      if (clusters.find(({ name }) => name === 'acme-eu')?.status === status) return;
      if (Date.now() > end) throw new Error(`the leaf is not ${status}:\n${leaf.output()}`);
      await new Promise(done => setTimeout(done, LOOK_MS));
    }
  };
  const { id } = (await ann.call('POST', 'token', { roles: ['Trusted_cluster'], uses: 1 })) as { id: string };
  await ben.call('POST', 'trustedcluster', { content: document(map, id) });
  await until('online');
  let files = 0;
  return {
    ...{ root, leaf, ann, ben, password, until, ports: { root: rootPorts, leaf: leafPorts } },
    map: async roles => {
      await ben.call('PUT', 'trustedcluster/hub', { content: document(roles) });
    },
    async apply(at, documents) {
      const gateway = at === 'root' ? root : leaf;
      const file = join(gateway.folder, `applied-${++files}.yaml`);
      writeFileSync(file, documents);
      await gateway.command('resources', 'apply', file);
    },
    async dispose() {
      await leaf.dispose();
      await root.dispose();
    },
  };
}
