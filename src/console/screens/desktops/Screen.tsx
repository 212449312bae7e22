import type { Thing } from '../../../../commands/command.ts';
import { type Desktop, listDesktops } from '../../../contract/resources.ts';
import { Pills } from '../../ui/Pills.tsx';
import { Copyable } from '../Copyable.tsx';
import { EmptyResources } from '../EmptyResources.tsx';
import { usePage } from '../page.tsx';
import { ServerList } from '../ServerList.tsx';

const thingOf = (desktop: Desktop): Thing => ({ kind: 'desktop', id: desktop.name, title: desktop.name });
const labelsOf = (desktop: Desktop) => desktop.labels;

/** Windows desktops that this person's roles select. */
export default function Desktops() {
  const { api, clusterId } = usePage();
  return (
    <ServerList<Desktop>
      title="Desktops"
      noun="desktop"
      kind="desktop"
      thingOf={thingOf}
      labelsOf={labelsOf}
      sort={{ key: 'name', down: false }}
      rowKey={desktop => desktop.name}
      fetchPage={query => api(listDesktops, { params: { clusterId }, query })}
      columns={pick => [
        {
          key: 'address',
          title: 'Address',
          mono: true,
          width: '24%',
          draw: desktop => <Copyable label="the address" isFirst text={desktop.addr} />,
        },
        {
          key: 'name',
          title: 'Name',
          sorts: true,
          mono: true,
          width: '24%',
          phone: 'first',
          draw: desktop => desktop.name,
        },
        { key: 'labels', title: 'Labels', draw: desktop => <Pills labels={desktop.labels} onPick={pick} /> },
      ]}
      empty={<EmptyResources kind="desktops" file="windows_desktop.yaml" />}
    />
  );
}
