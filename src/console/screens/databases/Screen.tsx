import { useMemo, useState } from 'react';
import type { Thing } from '../../../../commands/command.ts';
import { type Database, listDatabases } from '../../../contract/resources.ts';
import type { Column } from '../../ui/table-column.ts';
import { connectColumn } from '../connect-column.tsx';
import { EmptyResources } from '../EmptyResources.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { ConnectDialog } from './ConnectDialog.tsx';
import { databaseType } from './type.ts';

const thingOf = (database: Database): Thing => ({ kind: 'database', id: database.name, title: database.name });
const resources = { kind: 'database', labelsOf: (database: Database) => database.labels } as const;

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
    draw: database => databaseType(database.type, database.protocol),
  },
];

/** Databases that this person's roles select. */
export default function Databases() {
  const { api, clusterId } = usePage();
  const [open, setOpen] = useState<Database | null>(null);
  const shown = useMemo(() => [...columns, connectColumn<Database>(setOpen)], []);
  return (
    <>
      <PagedList<Database>
        title="Databases"
        noun="database"
        resources={resources}
        thingOf={thingOf}
        sort={{ key: 'name', down: false }}
        rowKey={database => database.name}
        fetchPage={query => api(listDatabases, { params: { clusterId }, query })}
        columns={shown}
        empty={<EmptyResources kind="databases" file="db.yaml" />}
      />
      {open !== null && <ConnectDialog database={open} onClose={() => setOpen(null)} />}
    </>
  );
}
