import { useEffect, useState } from 'react';
import { getIntegration, type Integration, updateIntegration } from '../../../contract/integrations.ts';
import { enrolledTitle } from '../../../features/integrations.ts';
import { messageOf } from '../../palette/run.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { usePage } from '../page.tsx';

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
  // What is typed before it is here would be written over.
  if (kept === null && error === '') return null;
  return (
    <FormDialog
      title={kept === null ? name : `Edit ${enrolledTitle({ kind: kept.subKind })} ${name}`}
      submit="Save"
      isDisabled={kept === null || roleArn.trim() === kept.awsoidc.roleArn}
      problem={error}
      onSubmit={() => void save()}
      onCancel={onCancel}
    >
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
    </FormDialog>
  );
}
