import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { pluginKinds } from '../../../contract/plugin-kinds.ts';
import { getPlugin, type Plugin, updatePlugin } from '../../../contract/plugins.ts';
import { messageOf } from '../../palette/run.ts';
import { Alert } from '../../ui/Alert.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { usePage } from '../page.tsx';
import styles from './integrations.module.css';
import { PluginFields } from './PluginFields.tsx';
import { specOf, type Typed, typedOf } from './plugin-form.ts';

/** Changes a plugin; its secrets are never shown, and stay unless they are typed anew. */
export function PluginDialog({
  name,
  onDone,
  onCancel,
}: {
  readonly name: string;
  readonly onDone: (name: string) => void;
  readonly onCancel: () => void;
}) {
  const { api, clusterId } = usePage();
  const [kept, setKept] = useState<Plugin | null>(null);
  const [typed, setTyped] = useState<Typed | null>(null);
  const [error, setError] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => {
    api(getPlugin, { params: { clusterId, name } }).then(
      found => {
        setKept(found);
        setTyped(typedOf(found.kind, found.spec));
      },
      (problem: unknown) => setError(messageOf(problem)),
    );
  }, [api, clusterId, name]);
  const save = async (): Promise<void> => {
    if (kept === null || typed === null) return;
    setError('');
    setErrors({});
    try {
      await api(updatePlugin, { params: { clusterId, name }, body: { spec: specOf(kept.kind, typed) } });
      onDone(name);
    } catch (problem) {
      setErrors(toApiError(problem).fields ?? {});
      setError(messageOf(problem));
    }
  };
  // Its first field has the keys when it opens: before there are fields, there is nothing to open.
  if (kept === null && error === '') return null;
  return (
    <FormDialog
      title={kept === null ? name : `Edit ${pluginKinds[kept.kind].title} ${name}`}
      size="side"
      submit="Save"
      isDisabled={typed === null}
      problem={error}
      className={styles.form}
      onSubmit={() => void save()}
      onCancel={onCancel}
    >
      {kept !== null && kept.statusDetails !== '' && (
        <Alert kind="info">It was tried last and not taken: {kept.statusDetails}</Alert>
      )}
      {kept !== null && typed !== null && (
        <PluginFields kind={kept.kind} typed={typed} kept={kept.secrets} errors={errors} onType={setTyped} />
      )}
    </FormDialog>
  );
}
