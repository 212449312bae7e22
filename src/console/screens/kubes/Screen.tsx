import { type Kube, listKubes } from '../../../contract/resources.ts';
import type { Label } from '../../../contract/shapes.ts';
import { nouns } from '../../../features/nouns.ts';
import type { Column } from '../../ui/table-column.ts';
import { Copyable } from '../Copyable.tsx';
import { EmptyResources } from '../EmptyResources.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { useConnecting } from '../use-named.ts';
import { ConnectDialog } from './ConnectDialog.tsx';

const labelsOf = (kube: Kube): readonly Label[] => kube.labels;

const columns: readonly Column<Kube>[] = [
  {
    key: 'name',
    title: 'Name',
    sorts: true,
    mono: true,
    width: '30%',
    phone: 'first',
    draw: kube => <Copyable label="the name" text={kube.name} />,
  },
];

/** Kubernetes clusters that this person's roles select. */
export default function Kubes() {
  const { api, clusterId } = usePage();
  const { open, fetchPage, close } = useConnecting<Kube>(nouns.kubernetes.one, query =>
    api(listKubes, { params: { clusterId }, query }),
  );
  return (
    <>
      <PagedList<Kube>
        noun="kubernetes"
        labelsOf={labelsOf}
        sort={{ key: 'name', down: false }}
        rowKey={kube => kube.name}
        fetchPage={fetchPage}
        columns={columns}
        empty={<EmptyResources kind="Kubernetes clusters" file="kube_cluster.yaml" />}
      />
      {open !== null && <ConnectDialog kube={open} onClose={close} />}
    </>
  );
}
