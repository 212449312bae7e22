import { useState } from 'react';
import type { Thing } from '../../../../commands/command.ts';
import { type Database, listDatabases } from '../../../contract/resources.ts';
import { Pills } from '../../ui/Pills.tsx';
import { connectColumn } from '../connect-column.tsx';
import { EmptyResources } from '../EmptyResources.tsx';
import { usePage } from '../page.tsx';
import { ServerList } from '../ServerList.tsx';
import { ConnectDialog } from './ConnectDialog.tsx';
import { databaseType } from './type.ts';

const thingOf = (database: Database): Thing => ({ kind: 'database', id: database.name, title: database.name });
const labelsOf = (database: Database) => database.labels;

/** Databases that this person's roles select. */
export default function Databases() {
  const { api, clusterId } = usePage();
  const [open, setOpen] = useState<Database | null>(null);
  return (
    <>
      <ServerList<Database>
        title="Databases"
        noun="database"
        kind="database"
        thingOf={thingOf}
        labelsOf={labelsOf}
        sort={{ key: 'name', down: false }}
        rowKey={database => database.name}
        fetchPage={query => api(listDatabases, { params: { clusterId }, query })}
        columns={pick => [
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
          { key: 'labels', title: 'Labels', draw: database => <Pills labels={database.labels} onPick={pick} /> },
          connectColumn<Database>(setOpen),
        ]}
        empty={<EmptyResources kind="databases" file="db.yaml" />}
      />
      {open !== null && <ConnectDialog database={open} onClose={() => setOpen(null)} />}
    </>
  );
}
