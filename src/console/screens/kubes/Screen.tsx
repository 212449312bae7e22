import { type Kube, listKubes } from '../../../contract/resources.ts';
import type { Column } from '../../ui/table-column.ts';
import { LinkTo } from '../page.tsx';
import { ResourceList } from '../ResourceList.tsx';
import { ConnectDialog } from './ConnectDialog.tsx';

const columns: readonly Column<Kube>[] = [
  {
    key: 'name',
    title: 'Name',
    sorts: true,
    mono: true,
    width: '30%',
    phone: 'first',
    draw: kube => (
      <LinkTo id="pods" params={{ name: kube.name }} title={`Pods of ${kube.name}`}>
        {kube.name}
      </LinkTo>
    ),
  },
];

/** Kubernetes clusters that this person's roles select. */
export default function Kubes() {
  return (
    <ResourceList<Kube>
      noun="kubernetes"
      list={listKubes}
      file="kube_cluster.yaml"
      columns={columns}
      connect={(kube, close) => <ConnectDialog kube={kube} onClose={close} />}
    />
  );
}
