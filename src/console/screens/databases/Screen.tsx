import type { Thing } from '../../../../commands/command.ts';
import { type Database, listDatabases } from '../../../contract/resources.ts';
import { Pills } from '../../ui/Pills.tsx';
import { usePage } from '../page.tsx';
import { ServerList } from '../ServerList.tsx';
import { databaseType } from './type.ts';

const thingOf = (database: Database): Thing => ({ kind: 'database', id: database.name, title: database.name });
const labelsOf = (database: Database) => database.labels;

/** Databases that this person's roles select. */
export default function Databases() {
  const { api, clusterId } = usePage();
  return (
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
          width: '22%',
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
      ]}
      empty={<p>Databases that your roles select appear here.</p>}
    />
  );
}
