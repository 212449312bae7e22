// Servers: the list that roles select, and adding and removing OpenSSH servers.
import { Failure } from '../../contract/failure.ts';
import {
  compareHostKey,
  createNode,
  deleteNode,
  listNodes,
  type Node,
  probeHostKey,
  trustHostKey,
} from '../../contract/nodes.ts';
import { OK } from '../../contract/shapes.ts';
import type { Who } from '../ports.ts';
import { parsePublicKey } from '../services/protocols/ssh/host-key.ts';
import { findToChange } from '../services/servers/host-keys.ts';
import { newServer, refuseKnownName, withPort } from '../services/servers/servers.ts';
import type { Resource } from '../store/store.ts';
import { resourceQuery, shownLabels } from './lists.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

const SORT_FIELDS = { hostname: 'title', name: 'name', address: 'address' } as const;

export function serveNodes(serve: Serve, services: Services): void {
  const { store, audit, config, hostKeys } = services;

  const shown = (server: Resource, who: Who): Node => ({
    kind: 'node',
    id: server.name,
    siteId: config.clusterName,
    subKind: server.subtype,
    hostname: server.title,
    addr: server.address,
    tunnel: false,
    tags: shownLabels(server.labels),
    sshLogins: [...who.rights.logins(server.labels)],
  });

  serve(listNodes, async ({ query }, who) => {
    const page = await store.resources.list('node', resourceQuery(query, SORT_FIELDS, who.rights.listing('node')));
    return {
      items: page.items.map(server => shown(server, who)),
      startKey: page.startKey,
      totalCount: page.totalCount,
    };
  });

  serve(probeHostKey, async ({ body }) => {
    const addr = withPort(body.addr);
    return { addr, hostKey: await services.probeHostKey(addr) };
  });

  serve(compareHostKey, async ({ params }, who) =>
    hostKeys.compare(await findToChange(store.resources, who, params.nodeId)),
  );
  serve(trustHostKey, async ({ params, body }, who) =>
    hostKeys.trust(await findToChange(store.resources, who, params.nodeId), body, who),
  );

  serve(createNode, async ({ body }, who) => {
    parsePublicKey(body.hostKey);
    const labels: Record<string, string> = {};
    for (const { name, value } of body.labels) {
      if (name.startsWith('postern.'))
        throw new Failure('bad_request', `labels: the prefix of "${name}" is the gateway's own`, {
          labels: 'names must not begin with "postern."',
        });
      if (Object.hasOwn(labels, name))
        throw new Failure('bad_request', `labels: "${name}" is given twice`, { labels: 'each name once' });
      labels[name] = value;
    }
    const server = newServer({ hostname: body.hostname, addr: body.addr, labels, hostKey: body.hostKey.trim() });
    if (!who.rights.may('node', 'create', { resource: { name: server.name, labels } })) throw new Failure('denied');
    await refuseKnownName(store.resources, body.hostname);
    const stored = await store.resources.create(server);
    await audit.emit({
      code: 'TJ002I',
      success: true,
      host_id: stored.name,
      node_name: stored.title,
      role: 'Node',
      method: 'console',
      user: who.user,
      'addr.remote': stored.address,
    });
    return shown(stored, who);
  });

  serve(deleteNode, async ({ params }, who) => {
    const server = await store.resources.get('node', params.nodeId);
    const mayDelete =
      server && who.rights.may('node', 'delete', { resource: { name: server.name, labels: server.labels } });
    if (!server || !mayDelete) throw new Failure('not_found', 'server not found');
    if (server.subtype === 'local' && server.name === (config.gatewayId ?? server.name))
      throw new Failure('bad_request', 'this is the machine the gateway runs on; it cannot be removed');
    if (!(await store.resources.delete('node', server.name))) throw new Failure('not_found', 'server not found');
    return OK;
  });
}
