import { useMemo, useState } from 'react';
import type { Thing } from '../../../../commands/command.ts';
import { type Kube, listKubes } from '../../../contract/resources.ts';
import type { Column } from '../../ui/table-column.ts';
import { Copyable } from '../Copyable.tsx';
import { connectColumn } from '../connect-column.tsx';
import { EmptyResources } from '../EmptyResources.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { ConnectDialog } from './ConnectDialog.tsx';

const thingOf = (kube: Kube): Thing => ({ kind: 'kubernetes', id: kube.name, title: kube.name });
const resources = { kind: 'kubernetes', labelsOf: (kube: Kube) => kube.labels } as const;

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
  const [open, setOpen] = useState<Kube | null>(null);
  const shown = useMemo(() => [...columns, connectColumn<Kube>(setOpen)], []);
  return (
    <>
      <PagedList<Kube>
        title="Kubernetes"
        noun="Kubernetes cluster"
        resources={resources}
        thingOf={thingOf}
        sort={{ key: 'name', down: false }}
        rowKey={kube => kube.name}
        fetchPage={query => api(listKubes, { params: { clusterId }, query })}
        columns={shown}
        empty={<EmptyResources kind="Kubernetes clusters" file="kube_cluster.yaml" />}
      />
      {open !== null && <ConnectDialog kube={open} onClose={() => setOpen(null)} />}
    </>
  );
}
