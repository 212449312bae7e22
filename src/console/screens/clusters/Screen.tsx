import { useMemo } from 'react';
import { type Cluster, listClusters } from '../../../contract/clusters.ts';
import { items } from '../../../features/items.ts';
import { dateTime } from '../../../features/times.ts';
import { Pills } from '../../ui/Pills.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';

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
      thingOf={items.cluster.thing}
      noun="cluster"
      sort={{ key: 'root', down: false }}
      fetchPage={fetchPage}
      rowKey={cluster => cluster.name}
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
      ]}
      empty={<p>Leaf clusters that trust this one appear here.</p>}
    />
  );
}
