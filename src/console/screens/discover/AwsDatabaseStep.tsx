import { useState } from 'react';
import { listAwsDatabases } from '../../../contract/aws-oidc.ts';
import type { BodyOf, ReplyOf } from '../../../contract/call.ts';
import { createDatabase } from '../../../contract/database-changes.ts';
import { type Database, listDatabases } from '../../../contract/resources.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { ChoiceTable } from '../ChoiceTable.tsx';
import { usePage } from '../page.tsx';
import type { AwsPlace } from './AwsAccountStep.tsx';
import styles from './discover.module.css';
import { GuideStep } from './GuideFrame.tsx';

type Found = ReplyOf<typeof listAwsDatabases>['databases'][number] & { readonly title: string };
/** What of RDS a tile is for. */
export type AwsDatabaseKind = Pick<BodyOf<typeof listAwsDatabases>, 'rdsType' | 'engines'>;
/** What the gateway says of where one is in AWS. */
interface InAws {
  readonly account_id: string;
  readonly status: string;
  readonly rds: { readonly resource_id: string; readonly subnets: string[]; readonly vpc_id: string };
}
const inAws = ({ aws }: Found): InAws => aws as unknown as InAws;

/** Those that there are in the region: one is taken, and added. */
export function AwsDatabaseStep({
  place: { integration, region },
  kind,
  database,
  onArrived,
  onNext,
  onBack,
}: {
  readonly place: AwsPlace;
  readonly kind: AwsDatabaseKind;
  readonly database: Database | null;
  readonly onArrived: (database: Database) => void;
  readonly onNext: () => void;
  readonly onBack: () => void;
}) {
  const { api, clusterId } = usePage();
  const { busy, problem, attempt } = useAttempt();
  const [chosen, setChosen] = useState<Found | null>(null);
  /** It was added, and no role of this person selects it. */
  const [isUnseen, setUnseen] = useState(false);
  const params = { clusterId };
  const add = (): Promise<void> =>
    attempt(async () => {
      if (chosen === null) return;
      const { name, protocol, uri, labels } = chosen;
      const { account_id: accountId, rds } = inAws(chosen);
      const awsRds = { accountId, resourceId: rds.resource_id, subnets: rds.subnets, vpcId: rds.vpc_id };
      if (!isUnseen) await api(createDatabase, { params, body: { name, protocol, uri, labels, awsRds } });
      const query = { query: `name == ${JSON.stringify(name)}`, limit: 1 };
      const [found] = (await api(listDatabases, { params, query })).items;
      if (found === undefined) return setUnseen(true);
      onArrived(found);
      onNext();
    });
  return (
    <GuideStep
      title="Which database?"
      problem={problem}
      next={database !== null ? 'Next' : isUnseen ? 'Look again' : 'Add it'}
      canGoOn={database !== null || chosen !== null}
      isBusy={busy}
      onNext={() => (database !== null ? onNext() : void add())}
      onBack={database === null ? onBack : undefined}
    >
      <div className={styles.part}>
        {database !== null ? (
          <Alert kind="success">{database.name} is in the list.</Alert>
        ) : (
          <>
            {isUnseen && (
              <Alert kind="warning">
                {chosen?.name} was added, and none of your roles selects it: their db_labels do not match its labels.
              </Alert>
            )}
            <ChoiceTable<Found>
              takesFocus
              label={`Databases in ${region}`}
              asked={`${integration.name} ${region}`}
              find={async startKey => {
                const body = { region, ...kind, ...(startKey !== '' && { nextToken: startKey }) };
                const found = await api(listAwsDatabases, { params: { clusterId, name: integration.name }, body });
                return {
                  items: found.databases.map(one => ({ ...one, title: one.name })),
                  startKey: found.nextToken ?? '',
                };
              }}
              nameWidth="34%"
              columns={[
                {
                  key: 'engine',
                  title: 'Engine',
                  width: '130px',
                  draw: one => one.labels.find(({ name }) => name === 'engine')?.value ?? one.protocol,
                },
                { key: 'labels', title: 'Labels', draw: one => <Pills labels={one.labels} /> },
                { key: 'status', title: 'Status', width: '100px', draw: one => inAws(one).status },
              ]}
              actions={{ add: 'Take', width: '100px' }}
              keyOf={one => one.name}
              chosen={chosen === null ? [] : [chosen]}
              onToggle={one => setChosen(before => (before?.name === one.name ? null : one))}
            />
          </>
        )}
      </div>
    </GuideStep>
  );
}
