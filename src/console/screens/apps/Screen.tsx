import { type Application, listApps } from '../../../contract/resources.ts';
import type { Label } from '../../../contract/shapes.ts';
import { applicationAddress } from '../../../features/nouns.ts';
import type { Column } from '../../ui/table-column.ts';
import { Copyable } from '../Copyable.tsx';
import { EmptyResources } from '../EmptyResources.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';

const labelsOf = (app: Application): readonly Label[] => app.labels;

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
  const { api, clusterId } = usePage();
  return (
    <PagedList<Application>
      noun="application"
      labelsOf={labelsOf}
      sort={{ key: 'name', down: false }}
      rowKey={app => app.name}
      fetchPage={query => api(listApps, { params: { clusterId }, query })}
      columns={columns}
      empty={<EmptyResources kind="applications" file="app.yaml" />}
    />
  );
}
