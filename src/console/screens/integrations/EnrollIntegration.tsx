import { useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { createIntegration } from '../../../contract/integrations.ts';
import { messageOf } from '../../palette/run.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { usePage } from '../page.tsx';
import styles from './integrations.module.css';

const SCRIPT = '/v1/webapi/scripts/integrations/configure/awsoidc-idp.sh';
/** What the script calls the role; another name can be written into its address. */
const ROLE = 'postern';

/** An AWS account that this cluster acts in by a role. */
export function EnrollIntegration() {
  const { api, clusterId, go, notify } = usePage();
  const [name, setName] = useState('');
  const [roleArn, setRoleArn] = useState('');
  const [error, setError] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const asked = new URLSearchParams({ integrationName: name.trim() || 'aws', role: ROLE });
  const script = `curl -fsSL '${location.origin}${SCRIPT}?${asked}' | sh`;
  const enroll = async (): Promise<void> => {
    setError('');
    setErrors({});
    try {
      await api(createIntegration, {
        params: { clusterId },
        body: { name: name.trim(), subKind: 'aws-oidc', awsoidc: { roleArn: roleArn.trim() } },
      });
      notify(`${name.trim()} has been enrolled`);
      go('integrations');
    } catch (problem) {
      setErrors(toApiError(problem).fields ?? {});
      setError(messageOf(problem));
    }
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
        autoComplete="off"
        spellCheck={false}
        value={roleArn}
        onChange={event => setRoleArn(event.target.value)}
      />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit">
          Enroll
        </Button>
        <Button onClick={() => go('enrollIntegration')}>Back</Button>
      </div>
    </form>
  );
}
