import { type Desktop, listDesktops } from '../../../contract/resources.ts';
import type { Column } from '../../ui/table-column.ts';
import { Copyable } from '../Copyable.tsx';
import { ResourceList } from '../ResourceList.tsx';

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
  {
    key: 'protocol',
    title: 'Protocol',
    width: '10%',
    phone: 'hidden',
    draw: desktop => desktop.protocol.toUpperCase(),
  },
];

/** Desktops that this person's roles select. */
export default function Desktops() {
  return <ResourceList<Desktop> noun="desktop" list={listDesktops} file="windows_desktop.yaml" columns={columns} />;
}
