import { useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { type PluginKind, pluginKinds } from '../../../contract/plugin-kinds.ts';
import { createPlugin, tryPlugin } from '../../../contract/plugins.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { messageOf } from '../../palette/run.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { useGuard, usePage } from '../page.tsx';
import styles from './integrations.module.css';
import { PluginFields } from './PluginFields.tsx';
import { specOf, type Typed, typedOf } from './plugin-form.ts';
import { useEnrolment } from './use-enrolment.ts';

/** The form of a new plugin. Once it is kept a test message is sent, and what came of it is said. */
export function EnrollPlugin({ kind }: { readonly kind: PluginKind }) {
  const { api, clusterId, go, notify } = usePage();
  const enrolled = useEnrolment(kind);
  const fresh = typedOf(kind, {});
  const [name, setName] = useState<string>(kind);
  const [typed, setTyped] = useState<Typed>(fresh);
  const [error, setError] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const isDirty = JSON.stringify([name, typed]) !== JSON.stringify([kind, fresh]);
  useGuard(isDirty && !isBusy, 'What you typed is not enrolled yet.');
  const enroll = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    setErrors({});
    try {
      await api(createPlugin, { params: { clusterId }, body: { name: name.trim(), kind, spec: specOf(kind, typed) } });
    } catch (problem) {
      setErrors(toApiError(problem).fields ?? {});
      setError(messageOf(problem));
      setBusy(false);
      return;
    }
    enrolled();
    const said = await api(tryPlugin, { params: { clusterId, name: name.trim() } }).then(
      ({ statusCode, details }) =>
        statusCode === 1 ? 'a test message was taken' : `a test message was not taken: ${details}`,
      messageOf,
    );
    notify(`${name.trim()} has been enrolled; ${said}`);
    go('integrations');
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
      <p>
        {pluginKinds[kind].detail}. <ManualLink id="plugins" />
      </p>
      <Field
        label="Name"
        autoFocus
        mono
        error={errors.name}
        tip="By which it is found in the list and in the audit log"
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <PluginFields kind={kind} typed={typed} kept={[]} errors={errors} onType={setTyped} />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" disabled={isBusy}>
          Enroll and send a test
        </Button>
        <Button onClick={() => go('enrollIntegration')}>Back</Button>
      </div>
    </form>
  );
}
