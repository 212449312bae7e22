import { useEffect, useId, useState } from 'react';
import { getIntegration, type Integration, updateIntegration } from '../../../contract/integrations.ts';
import { enrolledTitle } from '../../../features/integrations.ts';
import { messageOf } from '../../palette/run.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { usePage } from '../page.tsx';
import styles from './integrations.module.css';

/** What an integration stands on; its name stays. */
export function IntegrationDialog({
  name,
  onDone,
  onCancel,
}: {
  readonly name: string;
  readonly onDone: (name: string) => void;
  readonly onCancel: () => void;
}) {
  const { api, clusterId } = usePage();
  const id = useId();
  const [kept, setKept] = useState<Integration | null>(null);
  const [roleArn, setRoleArn] = useState('');
  const [error, setError] = useState('');
  useEffect(() => {
    api(getIntegration, { params: { clusterId, name } }).then(
      found => {
        setKept(found);
        setRoleArn(found.awsoidc.roleArn);
      },
      (problem: unknown) => setError(messageOf(problem)),
    );
  }, [api, clusterId, name]);
  const save = async (): Promise<void> => {
    setError('');
    try {
      await api(updateIntegration, { params: { clusterId, name }, body: { awsoidc: { roleArn: roleArn.trim() } } });
      onDone(name);
    } catch (problem) {
      setError(messageOf(problem));
    }
  };
  return (
    <Dialog
      title={kept === null ? name : `Edit ${enrolledTitle({ kind: kept.subKind })} ${name}`}
      onEscape={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            form={id}
            disabled={kept === null || roleArn.trim() === kept.awsoidc.roleArn}
          >
            Save
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles.form}
        onSubmit={event => {
          event.preventDefault();
          void save();
        }}
      >
        {error !== '' && <Alert>{error}</Alert>}
        <Field label="Name" value={name} readOnly mono />
        <Field
          label="Role ARN"
          data-first
          mono
          autoComplete="off"
          spellCheck={false}
          value={roleArn}
          onChange={event => setRoleArn(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
