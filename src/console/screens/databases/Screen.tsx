import { type Database, listDatabases } from '../../../contract/resources.ts';
import type { Label } from '../../../contract/shapes.ts';
import { nouns } from '../../../features/nouns.ts';
import type { Column } from '../../ui/table-column.ts';
import { EmptyResources } from '../EmptyResources.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { useConnecting } from '../use-named.ts';
import { ConnectDialog } from './ConnectDialog.tsx';
import { databaseType } from './type.ts';

const labelsOf = (database: Database): readonly Label[] => database.labels;

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
  const { open, fetchPage, close } = useConnecting<Database>(nouns.database.one, query =>
    api(listDatabases, { params: { clusterId }, query }),
  );
  return (
    <>
      <PagedList<Database>
        noun="database"
        labelsOf={labelsOf}
        sort={{ key: 'name', down: false }}
        rowKey={database => database.name}
        fetchPage={fetchPage}
        columns={columns}
        empty={<EmptyResources kind="databases" file="db.yaml" />}
      />
      {open !== null && <ConnectDialog database={open} onClose={close} />}
    </>
  );
}
