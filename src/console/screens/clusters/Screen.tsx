import { Ellipsis } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { type Cluster, listClusters } from '../../../contract/clusters.ts';
import { reaches } from '../../../features/access.ts';
import { type FeatureId, features } from '../../../features/table.ts';
import { dateTime } from '../../../features/times.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu, type MenuHandle } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { useRowAction } from '../../ui/row-action.ts';
import { actionsColumn } from '../../ui/table-column.ts';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';

const pages: readonly FeatureId[] = ['nodes', 'apps', 'kubes', 'databases', 'desktops', 'audit', 'recordings'];

/** The clusters that this person may enter: the gateway's own, and its leaves. */
export default function Clusters() {
  const { api, config } = usePage();
  const { proxyCluster } = config;
  const isRoot = (cluster: Cluster): boolean => cluster.name === proxyCluster;
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Cluster>(() => api(listClusters), {
        words: cluster => `${cluster.name} ${cluster.publicURL} ${cluster.status}`,
        sortBy: (cluster, key) =>
          key === 'root' ? `${cluster.name === proxyCluster ? 0 : 1} ${cluster.name}` : cluster.name,
      }),
    [api, proxyCluster],
  );
  return (
    <PagedList<Cluster>
      title="Manage Clusters"
      noun="cluster"
      sort={{ key: 'root', down: false }}
      fetchPage={fetchPage}
      rowKey={cluster => cluster.name}
      thingOf={cluster => ({ kind: 'cluster', id: cluster.name, title: cluster.name })}
      columns={[
        {
          key: 'root',
          title: 'Root',
          quiet: true,
          width: '80px',
          phone: 'second',
          draw: cluster => isRoot(cluster) && <Pills labels={[{ name: '', value: 'Root' }]} />,
        },
        { key: 'name', title: 'Name', sorts: true, mono: true, phone: 'first', draw: cluster => cluster.name },
        { key: 'status', title: 'Status', width: '120px', draw: cluster => cluster.status },
        {
          key: 'seen',
          title: 'Last connected (UTC)',
          mono: true,
          width: '190px',
          phone: 'hidden',
          draw: cluster => dateTime(cluster.lastConnected),
        },
        {
          key: 'version',
          title: 'Version',
          mono: true,
          width: '110px',
          phone: 'hidden',
          draw: cluster => cluster.proxyVersion,
        },
        actionsColumn('64px', cluster => <Actions cluster={cluster} />),
      ]}
      empty={<p>Leaf clusters that trust this one appear here.</p>}
    />
  );
}

function Actions({ cluster }: { readonly cluster: Cluster }) {
  const page = usePage();
  const menu = useRef<MenuHandle>(null);
  useRowAction({ title: `Pages of ${cluster.name}`, run: () => menu.current?.toggle() });
  return (
    <Menu
      ref={menu}
      label={`Pages of ${cluster.name}`}
      placement="bottom-end"
      trigger={props => (
        <Button
          kind="quiet"
          size="dense"
          tabIndex={-1}
          icon={<Ellipsis aria-hidden="true" />}
          aria-label={`Pages of ${cluster.name}`}
          {...props}
        />
      )}
    >
      {close =>
        pages
          .filter(id => reaches(id, { who: page.who, config: page.config }))
          .map(id => (
            <MenuItem
              key={id}
              refused={cluster.status === 'offline' ? 'This cluster is offline' : undefined}
              onChoose={() => {
                close();
                page.go(id, { clusterId: cluster.name });
              }}
            >
              {features[id].title}
            </MenuItem>
          ))
      }
    </Menu>
  );
}
