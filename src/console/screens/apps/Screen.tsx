import { type Application, listApps } from '../../../contract/resources.ts';
import { applicationAddress } from '../../../features/items.ts';
import type { Column } from '../../ui/table-column.ts';
import { Copyable } from '../Copyable.tsx';
import { ResourceList } from '../ResourceList.tsx';
import { ConnectDialog } from './ConnectDialog.tsx';

const columns: readonly Column<Application>[] = [
  {
    key: 'name',
    title: 'Name',
    sorts: true,
    width: '20%',
    phone: 'first',
    draw: app => app.friendlyName || app.name,
  },
  {
    key: 'description',
    title: 'Description',
    sorts: true,
    width: '24%',
    phone: 'hidden',
    draw: app => app.description,
  },
  {
    key: 'address',
    title: 'Address',
    mono: true,
    width: '24%',
    draw: app => <Copyable label="the address" text={applicationAddress(app)} />,
  },
];

/** Web applications that this person's roles select. */
export default function Apps() {
  return (
    <ResourceList<Application>
      noun="application"
      list={listApps}
      file="app.yaml"
      columns={columns}
      connect={(app, close) => <ConnectDialog app={app} onClose={close} />}
    />
  );
}
