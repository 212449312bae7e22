import { listNodes, type Node } from '../../../contract/nodes.ts';
import type { Label } from '../../../contract/shapes.ts';
import { addressOf, serverItems } from '../../../features/server-items.ts';
import { createLazy } from '../../ui/lazy.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Copyable } from '../Copyable.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';

/** Nearly nobody sees it: those who do wait for it. */
const { Component: EmptyServers } = createLazy(async () => (await import('./EmptyServers.tsx')).EmptyServers, null);
const labelsOf = (node: Node): readonly Label[] => node.tags;
/** How a server without an address to dial is reached. */
const reachedBy = (node: Node) =>
  node.tunnel ? (
    <span title={node.offline}>{addressOf(node)}</span>
  ) : node.subKind === 'local' ? (
    'this machine'
  ) : undefined;

const columns: readonly Column<Node>[] = [
  {
    key: 'hostname',
    title: 'Hostname',
    sorts: true,
    mono: true,
    width: '26%',
    phone: 'first',
    draw: node => node.hostname,
  },
  {
    key: 'addr',
    title: 'Address',
    mono: true,
    width: '22%',
    draw: node => reachedBy(node) ?? <Copyable label="the address" text={node.addr} />,
  },
];

/** Servers that this person's roles select, and the way into each. */
export default function Nodes() {
  const { api, clusterId } = usePage();
  return (
    <PagedList<Node>
      noun="server"
      thingOf={serverItems.thing}
      labelsOf={labelsOf}
      bulk={['shell.openMarked', 'servers.run', 'servers.removeMarked']}
      sort={{ key: 'hostname', down: false }}
      rowKey={node => node.id}
      fetchPage={query => api(listNodes, { params: { clusterId }, query })}
      columns={columns}
      empty={<EmptyServers />}
    />
  );
}
