import { Download } from 'lucide-react';
import { useCallback } from 'react';
import { getUsage, type Usage, type UsageMonth } from '../../../contract/usage.ts';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Table } from '../../ui/Table.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { useAsked } from '../use-asked.ts';
import styles from './billing.module.css';

const sessionTitles: Readonly<Record<keyof UsageMonth['sessions'], string>> = {
  server: 'Servers',
  database: 'Databases',
  cluster: 'Containers',
  application: 'Applications',
  desktop: 'Desktops',
};
const resourceTitles: Readonly<Record<keyof Usage['resources'], string>> = {
  servers: 'Servers',
  databases: 'Databases',
  clusters: 'Kubernetes clusters',
  applications: 'Applications',
  desktops: 'Desktops',
};
const kinds = Object.keys(sessionTitles) as readonly (keyof UsageMonth['sessions'])[];
const all = ({ sessions }: UsageMonth): number => kinds.reduce((sum, kind) => sum + sessions[kind], 0);

/** The months as RFC 4180 has them. */
function csvOf(months: readonly UsageMonth[]): string {
  const head = ['month', 'complete', 'people', 'sessions', ...kinds.map(kind => `${kind}_sessions`)];
  const rows = months.map(one => [
    one.month,
    one.isOver,
    one.people,
    all(one),
    ...kinds.map(kind => one.sessions[kind]),
  ]);
  return `${[head, ...rows].map(row => row.join(',')).join('\r\n')}\r\n`;
}

/** What the cluster is used for, by the month. */
export default function Billing() {
  const { api, clusterId } = usePage();
  const { answer, error, again } = useAsked(
    useCallback(() => api(getUsage, { params: { clusterId } }), [api, clusterId]),
  );
  return (
    <ListPage
      title="Summary"
      error={error}
      actions={
        error === null ? (
          <Button
            kind="primary"
            icon={<Download aria-hidden="true" />}
            disabled={answer === null}
            onClick={() =>
              answer && saveFile(new Blob([csvOf(answer.months)], { type: 'text/csv' }), `usage-${clusterId}.csv`)
            }
          >
            Save as CSV
          </Button>
        ) : (
          <Button onClick={again}>Try again</Button>
        )
      }
    >
      {answer === null && error === null && <Spinner />}
      {answer !== null && (
        <>
          <p className={styles.about}>
            Counted from this cluster's audit log: people who signed in or began a session, and sessions that began.
            Months are those of UTC. The first of them still runs.
          </p>
          <Table<UsageMonth>
            label="Use by month"
            rows={answer.months}
            rowKey={({ month }) => month}
            empty={null}
            columns={[
              {
                key: 'month',
                title: 'Month',
                mono: true,
                phone: 'first',
                width: '160px',
                draw: ({ month, isOver }) => (isOver ? month : `${month}, so far`),
              },
              {
                key: 'people',
                title: 'People',
                mono: true,
                isNamed: true,
                width: '110px',
                draw: ({ people }) => people,
              },
              { key: 'sessions', title: 'Sessions', mono: true, isNamed: true, width: '110px', draw: all },
              ...kinds.map(kind => ({
                key: kind,
                title: sessionTitles[kind],
                mono: true,
                phone: 'hidden' as const,
                draw: ({ sessions }: UsageMonth) => sessions[kind],
              })),
            ]}
          />
          <section className={styles.card} aria-labelledby="billing-resources">
            <h2 id="billing-resources">Protected now</h2>
            <Facts
              rows={(Object.keys(resourceTitles) as (keyof Usage['resources'])[]).map(
                kind => [resourceTitles[kind], answer.resources[kind]] as const,
              )}
            />
          </section>
        </>
      )}
    </ListPage>
  );
}
