import type { Thing } from '../../../../commands/command.ts';
import { type Application, listApps } from '../../../contract/resources.ts';
import type { Column } from '../../ui/table-column.ts';
import { Copyable } from '../Copyable.tsx';
import { EmptyResources } from '../EmptyResources.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';

/** The address with the scheme that people use for it: tcp and cloud stay, everything else is reached over https. */
function addressOf({ uri, publicAddr }: Application): string {
  const scheme = /^(tcp|cloud):/.exec(uri)?.[1] ?? 'https';
  return publicAddr === '' ? uri : `${scheme}://${publicAddr}`;
}

const thingOf = (app: Application): Thing => ({
  kind: 'application',
  id: app.name,
  title: app.friendlyName || app.name,
});
const resources = { kind: 'application', labelsOf: (app: Application) => app.labels } as const;

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
    draw: app => <Copyable label="the address" isFirst text={addressOf(app)} />,
  },
];

/** Web applications that this person's roles select. */
export default function Apps() {
  const { api, clusterId } = usePage();
  return (
    <PagedList<Application>
      title="Applications"
      noun="application"
      resources={resources}
      thingOf={thingOf}
      sort={{ key: 'name', down: false }}
      rowKey={app => app.name}
      fetchPage={query => api(listApps, { params: { clusterId }, query })}
      columns={columns}
      empty={<EmptyResources kind="applications" file="app.yaml" />}
    />
  );
}
