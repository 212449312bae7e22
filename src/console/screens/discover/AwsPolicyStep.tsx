import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { getDatabaseIamPolicy } from '../../../contract/database-changes.ts';
import type { Database } from '../../../contract/resources.ts';
import { shellWord } from '../../../features/shell-word.ts';
import { Snippet } from '../../ui/Snippet.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { usePage } from '../page.tsx';
import type { AwsPlace } from './AwsAccountStep.tsx';
import styles from './discover.module.css';
import { GuideStep } from './GuideFrame.tsx';

/** What lets a user of the database log in by IAM, by protocol (RDS user guide, "Creating a database account using IAM authentication"). */
const grants: Readonly<Record<string, string>> = {
  postgres: 'CREATE USER app; GRANT rds_iam TO app;',
  mysql: "CREATE USER app IDENTIFIED WITH AWSAuthenticationPlugin AS 'RDS';",
};

/** The policy by which the gateway's role logs in, and what a user of the database needs. */
export function AwsPolicyStep({
  place: { integration },
  database: { name, protocol },
  onNext,
  onBack,
  onSkip,
}: {
  readonly place: AwsPlace;
  readonly database: Database;
  readonly onNext: () => void;
  readonly onBack: () => void;
  readonly onSkip: () => void;
}) {
  const { api, clusterId } = usePage();
  const [policy, setPolicy] = useState<string | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    api(getDatabaseIamPolicy, { params: { clusterId, name } }).then(
      ({ aws }) => setPolicy(aws.policy_document),
      (error: unknown) => setProblem(toApiError(error).message),
    );
  }, [api, clusterId, name]);
  const role = integration.awsoidc.roleArn.split('/').at(-1) ?? '';
  const line = `aws iam put-role-policy --role-name ${shellWord(role)} --policy-name ${shellWord(`postern-${name}`)} --policy-document ${shellWord(policy ?? '')}`;
  return (
    <GuideStep title="Who may log in" problem={problem} next="Next" onNext={onNext} onBack={onBack} onSkip={onSkip}>
      <div className={styles.part}>
        <p>
          The gateway logs in by a password that AWS makes of its role for a quarter of an hour. IAM database
          authentication must be on for {name}. Run this in AWS CloudShell:
        </p>
        {policy === null && problem === '' && <Spinner />}
        {policy !== null && <Snippet prefix="$" label="the policy" text={line} />}
        <p>And in the database, for each user that people come as:</p>
        <Snippet label="the grant" text={grants[protocol] ?? ''} />
      </div>
    </GuideStep>
  );
}
