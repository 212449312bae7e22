import { useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { createIntegration } from '../../../contract/integrations.ts';
import { messageOf } from '../../palette/run.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { useGuard, usePage } from '../page.tsx';
import styles from './integrations.module.css';
import { useEnrolment } from './use-enrolment.ts';

const SCRIPT = '/v1/webapi/scripts/integrations/configure/awsoidc-idp.sh';
/** What the script calls the role; another name can be written into its address. */
const ROLE = 'postern';

/** An AWS account that this cluster acts in by a role. `onAnother` begins anew. */
export function EnrollIntegration({ onAnother }: { readonly onAnother: () => void }) {
  const { api, clusterId, go } = usePage();
  const [name, setName] = useState('');
  const [roleArn, setRoleArn] = useState('');
  const [error, setError] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [enrolled, setEnrolled] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const complete = useEnrolment('aws-oidc');
  useGuard(enrolled === null && !isBusy && (name !== '' || roleArn !== ''), 'What you typed is not enrolled yet.');
  const asked = new URLSearchParams({ integrationName: name.trim() || 'aws', role: ROLE });
  const script = `curl -fsSL '${location.origin}${SCRIPT}?${asked}' | sh`;
  const enroll = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    setErrors({});
    try {
      await api(createIntegration, {
        params: { clusterId },
        body: { name: name.trim(), subKind: 'aws-oidc', awsoidc: { roleArn: roleArn.trim() } },
      });
      complete();
      setEnrolled(name.trim());
    } catch (problem) {
      setErrors(toApiError(problem).fields ?? {});
      setError(messageOf(problem));
    }
    setBusy(false);
  };
  return (
    <form
      className={`${styles.form} ${styles.page}`}
      onSubmit={event => {
        event.preventDefault();
        void enroll();
      }}
    >
      {error !== '' && <Alert>{error}</Alert>}
      <Field
        label="Integration name"
        autoFocus
        mono
        error={errors.name}
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <p>
        Run this in AWS CloudShell. It makes the gateway an identity provider of the account, and the role that it
        becomes there, and prints the ARN of that role.
      </p>
      <Snippet prefix="$" label="the script" text={script} />
      <Field
        label="Role ARN"
        mono
        error={errors['awsoidc.roleArn']}
        tip="Such as arn:aws:iam::123456789012:role/postern"
        help="The name by which AWS knows the role. The script prints it at its end; in the console of AWS it stands on the page of the role, under IAM, Roles."
        autoComplete="off"
        spellCheck={false}
        value={roleArn}
        onChange={event => setRoleArn(event.target.value)}
      />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" disabled={isBusy}>
          Enroll
        </Button>
        <Button onClick={() => go('enrollIntegration')}>Back</Button>
      </div>
      {enrolled !== null && (
        <Dialog
          title={`${enrolled} has been enrolled`}
          actions={
            <>
              <Button onClick={onAnother}>Add another</Button>
              <Button kind="primary" autoFocus data-first onClick={() => go('integrations')}>
                Go to the list
              </Button>
            </>
          }
        >
          <p>The gateway acts in the account by this role whenever somebody who may use the integration asks for it.</p>
        </Dialog>
      )}
    </form>
  );
}
