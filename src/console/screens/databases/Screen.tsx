import { type Database, listDatabases } from '../../../contract/resources.ts';
import type { Column } from '../../ui/table-column.ts';
import { ResourceList } from '../ResourceList.tsx';
import { ConnectDialog } from './ConnectDialog.tsx';
import { databaseType } from './type.ts';

const columns: readonly Column<Database>[] = [
  {
    key: 'name',
    title: 'Name',
    sorts: true,
    mono: true,
    width: '24%',
    phone: 'first',
    draw: database => database.name,
  },
  {
    key: 'description',
    title: 'Description',
    sorts: true,
    width: '24%',
    phone: 'hidden',
    draw: database => database.desc,
  },
  {
    key: 'type',
    title: 'Type',
    sorts: true,
    width: '20%',
    draw: ({ type, protocol, offline }) => (
      <span title={offline}>
        {databaseType(type, protocol)}
        {offline !== undefined && ', offline'}
      </span>
    ),
  },
];

/** Databases that this person's roles select. */
export default function Databases() {
  return (
    <ResourceList<Database>
      noun="database"
      list={listDatabases}
      file="db.yaml"
      columns={columns}
      connect={(database, close) => <ConnectDialog database={database} onClose={close} />}
    />
  );
}
