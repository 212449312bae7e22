import { useState } from 'react';
import type { Thing } from '../../../../commands/command.ts';
import { type Kube, listKubes } from '../../../contract/resources.ts';
import { Pills } from '../../ui/Pills.tsx';
import { Copyable } from '../Copyable.tsx';
import { connectColumn } from '../connect-column.tsx';
import { EmptyResources } from '../EmptyResources.tsx';
import { usePage } from '../page.tsx';
import { ServerList } from '../ServerList.tsx';
import { ConnectDialog } from './ConnectDialog.tsx';

const thingOf = (kube: Kube): Thing => ({ kind: 'kubernetes', id: kube.name, title: kube.name });
const labelsOf = (kube: Kube) => kube.labels;

/** Kubernetes clusters that this person's roles select. */
export default function Kubes() {
  const { api, clusterId } = usePage();
  const [open, setOpen] = useState<Kube | null>(null);
  return (
    <>
      <ServerList<Kube>
        title="Kubernetes"
        noun="Kubernetes cluster"
        kind="kubernetes"
        thingOf={thingOf}
        labelsOf={labelsOf}
        sort={{ key: 'name', down: false }}
        rowKey={kube => kube.name}
        fetchPage={query => api(listKubes, { params: { clusterId }, query })}
        columns={pick => [
          {
            key: 'name',
            title: 'Name',
            sorts: true,
            mono: true,
            width: '30%',
            phone: 'first',
            draw: kube => <Copyable label="the name" text={kube.name} />,
          },
          { key: 'labels', title: 'Labels', draw: kube => <Pills labels={kube.labels} onPick={pick} /> },
          connectColumn<Kube>(setOpen),
        ]}
        empty={<EmptyResources kind="Kubernetes clusters" file="kube_cluster.yaml" />}
      />
      {open !== null && <ConnectDialog kube={open} onClose={() => setOpen(null)} />}
    </>
  );
}
