import { Plus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { type Enrolled, listEnrolled } from '../../../contract/integrations.ts';
import { enrolledThing, enrolledTitle, readEnrolledId, statusText } from '../../../features/integrations.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { NamedIcon } from '../../ui/NamedIcon.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import { IntegrationDialog } from './IntegrationDialog.tsx';
import styles from './integrations.module.css';
import { PluginDialog } from './PluginDialog.tsx';

const RUNNING = 1;
const dot = ({ statusCode }: Enrolled): string | undefined =>
  statusCode === 0 ? styles.unknown : statusCode === RUNNING ? styles.running : styles.failed;

/** Everything that is enrolled, integrations and plugins; the one that is edited is in the URL: `?edit=plugin/ops`. */
export default function Integrations() {
  const page = usePage();
  const { api, clusterId, query, onListChanged } = page;
  const [saved, setSaved] = useState(0);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Enrolled>(async () => (await api(listEnrolled, { params: { clusterId } })).items, {
        words: one => [one.name, enrolledTitle(one), one.details, statusText(one)].join(' '),
        sortBy: (one, key) => (key === 'status' ? statusText(one) : `${enrolledTitle(one)} ${one.name}`),
      }),
    [api, clusterId],
  );
  useEffect(() => onListChanged('plugins', () => setSaved(times => times + 1)), [onListChanged]);
  const edited = query.edit === undefined ? null : readEnrolledId(query.edit);
  const close = (): void => page.setQuery({ edit: undefined });
  const onDone = (name: string): void => {
    close();
    page.notify(`${name} has been saved`);
    setSaved(times => times + 1);
  };
  return (
    <>
      <PagedList<Enrolled>
        thingOf={enrolledThing}
        noun="integration"
        sort={{ key: 'name', down: false }}
        fetchPage={fetchPage}
        version={saved}
        rowKey={one => enrolledThing(one).id}
        copyOf={one => one.name}
        actions={
          <CommandButton id="goto.enrollIntegration" kind="primary" icon={<Plus aria-hidden="true" />}>
            Enroll New Integration
          </CommandButton>
        }
        columns={[
          {
            key: 'name',
            title: 'Integration',
            sorts: true,
            width: '34%',
            phone: 'first',
            draw: one => (
              <span className={styles.name}>
                <NamedIcon name={one.resourceType === 'plugin' ? 'MessageSquare' : 'Plug'} />
                <span>
                  {enrolledTitle(one)} <code>{one.name}</code>
                </span>
              </span>
            ),
          },
          {
            key: 'details',
            title: 'Details',
            draw: ({ details }) => <span title={details}>{details}</span>,
          },
          {
            key: 'status',
            title: 'Status',
            sorts: true,
            width: '240px',
            phone: 'second',
            draw: one => (
              <span className={styles.status} title={one.statusDetails || undefined}>
                <span className={dot(one)} aria-hidden="true" />
                {statusText(one)}
                {one.statusDetails !== '' && <span className="visually-hidden">: {one.statusDetails}</span>}
              </span>
            ),
          },
        ]}
        empty={
          <>
            <p>
              A plugin tells a channel, a mailbox or an issue tracker what happens here: access that is asked for,
              answers, locks, certificates that run out.
            </p>
            <p>
              <ManualLink id="plugins" />
            </p>
          </>
        }
      />
      {edited?.type === 'plugin' && (
        <PluginDialog key={edited.name} name={edited.name} onDone={onDone} onCancel={close} />
      )}
      {edited?.type === 'integration' && (
        <IntegrationDialog key={edited.name} name={edited.name} onDone={onDone} onCancel={close} />
      )}
    </>
  );
}
