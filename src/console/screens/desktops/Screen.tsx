import { type Desktop, listDesktops } from '../../../contract/resources.ts';
import type { Label } from '../../../contract/shapes.ts';
import type { Column } from '../../ui/table-column.ts';
import { Copyable } from '../Copyable.tsx';
import { EmptyResources } from '../EmptyResources.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';

const labelsOf = (desktop: Desktop): readonly Label[] => desktop.labels;

const columns: readonly Column<Desktop>[] = [
  {
    key: 'address',
    title: 'Address',
    mono: true,
    width: '24%',
    draw: desktop => <Copyable label="the address" text={desktop.addr} />,
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
];

/** Windows desktops that this person's roles select. */
export default function Desktops() {
  const { api, clusterId } = usePage();
  return (
    <PagedList<Desktop>
      noun="desktop"
      labelsOf={labelsOf}
      sort={{ key: 'name', down: false }}
      rowKey={desktop => desktop.name}
      fetchPage={query => api(listDesktops, { params: { clusterId }, query })}
      columns={columns}
      empty={<EmptyResources kind="desktops" file="windows_desktop.yaml" />}
    />
  );
}
