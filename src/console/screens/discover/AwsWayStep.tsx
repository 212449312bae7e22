import { useEffect, useRef, useState } from 'react';
import { deployAwsDatabaseService } from '../../../contract/aws-oidc.ts';
import type { ReplyOf } from '../../../contract/call.ts';
import { createJoinToken } from '../../../contract/new-join-token.ts';
import type { Database } from '../../../contract/resources.ts';
import { shellWord } from '../../../features/shell-word.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { usePage } from '../page.tsx';
import type { AwsPlace } from './AwsAccountStep.tsx';
import styles from './discover.module.css';
import { GuideStep } from './GuideFrame.tsx';
import type { Deployed } from './told.ts';

const ways = {
  address: 'By its address, which the gateway can dial',
  tunnel: 'Over a tunnel that a machine in its network dials',
  task: 'Over a tunnel that a task in Amazon ECS dials, in its network',
} as const satisfies Record<Deployed, string>;
const all = Object.keys(ways) as Deployed[];
const SCRIPT = '/v1/webapi/scripts/integrations/configure/deployservice-iam.sh';
/** Labels of what is found in AWS that say in which network it is. */
const NETWORK = ['account-id', 'vpc-id'] as const;

/** Databases of RDS are mostly reached from their own network alone: a machine there leads to them. */
export function AwsWayStep({
  place: { integration, region },
  database: { name, uri, labels, aws },
  onNext,
  onBack,
}: {
  readonly place: AwsPlace;
  readonly database: Database;
  readonly onNext: (way: Deployed) => void;
  readonly onBack: () => void;
}) {
  const { api, clusterId } = usePage();
  const { busy, problem, attempt } = useAttempt();
  const [way, setWay] = useState<Deployed>('address');
  const [line, setLine] = useState<string | null>(null);
  const [taskRole, setTaskRole] = useState('postern-task');
  const [deployed, setDeployed] = useState<ReplyOf<typeof deployAwsDatabaseService> | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (line !== null) frame.current?.querySelector<HTMLElement>('[aria-label="Copy the line"]')?.focus();
  }, [line]);
  const given = NETWORK.flatMap(label => labels.filter(one => one.name === label));
  const make = (): Promise<void> =>
    attempt(async () => {
      if (way === 'task') {
        const { subnets = [] } = (aws as { readonly rds?: { readonly subnets?: string[] } } | undefined)?.rds ?? {};
        const body = {
          ...{ region, subnetIds: subnets, taskRoleArn: taskRole.trim(), deploymentMode: 'database-service' as const },
          databaseAgentMatcherLabels: given,
        };
        setDeployed(await api(deployAwsDatabaseService, { params: { clusterId, name: integration.name }, body }));
        return;
      }
      const matchers = Object.fromEntries(given.map(one => [one.name, one.value]));
      const body = { roles: ['Db' as const], uses: 1, suggested_agent_matcher_labels: matchers };
      setLine((await api(createJoinToken, { body })).lines[0]?.line ?? '');
    });
  const isOpen = way === 'address' || (way === 'tunnel' ? line : deployed) !== null;
  const asked = new URLSearchParams({
    integrationName: integration.name,
    role: integration.awsoidc.roleArn.split('/').at(-1) ?? '',
    taskRole: taskRole.trim(),
  });
  const script = `curl -fsSL ${shellWord(`${location.origin}${SCRIPT}?${asked}`)} | sh`;
  return (
    <GuideStep
      title="How does the gateway reach it?"
      problem={problem}
      next={isOpen ? 'Next' : way === 'task' ? 'Deploy' : 'Make the line'}
      isBusy={busy}
      onNext={() => (isOpen ? onNext(way) : void make())}
      onBack={onBack}
    >
      <div ref={frame} className={styles.part}>
        <p>
          {name} is at {uri}.
        </p>
        <Select
          label="How the gateway reaches it"
          value={ways[way]}
          choices={Object.values(ways)}
          onChange={event => setWay(all.find(one => ways[one] === event.target.value) ?? 'address')}
        />
        {way === 'task' && deployed === null && (
          <>
            <Field
              label="Role of the task"
              tip="Its name; the script makes it where there is none. The task needs no rights"
              mono
              autoComplete="off"
              spellCheck={false}
              value={taskRole}
              onChange={event => setTaskRole(event.target.value)}
            />
            <p>Run this in AWS CloudShell first. It lets the gateway run services in ECS, with this role alone:</p>
            <Snippet prefix="$" label="the script" text={script} />
          </>
        )}
        {way === 'task' && deployed !== null && (
          <Alert kind="success">
            The service runs; its task needs a minute or two until the database can be reached.{' '}
            <a href={deployed.serviceDashboardUrl} target="_blank" rel="noopener">
              Look at it in AWS
            </a>
          </Alert>
        )}
        {way === 'tunnel' && line !== null && (
          <>
            <p>
              Paste this into a shell of a machine in the network of the database. It needs sh, curl and OpenSSH there,
              opens no port, and leads to all databases of this network in the list that no other machine leads to.
            </p>
            <Snippet prefix="$" label="the line" text={line} />
            <p className={styles.aside}>Go on once it says that it has joined.</p>
          </>
        )}
      </div>
    </GuideStep>
  );
}
