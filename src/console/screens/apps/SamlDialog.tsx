import { useEffect, useId, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { SAML_METADATA_PATH, SAML_SSO_PATH } from '../../../contract/saml-idp.ts';
import {
  createServiceProvider,
  getServiceProvider,
  updateServiceProvider,
} from '../../../contract/service-providers.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { usePage } from '../page.tsx';
import styles from './saml.module.css';
import { formOf, readForm, type SamlFaults, type SamlForm } from './saml-form.ts';

/** Adds an application that takes SAML, or changes one. */
export function SamlDialog({
  name,
  onSaved,
  onClose,
}: {
  /** Null: a new one. */
  readonly name: string | null;
  readonly onSaved: (name: string) => void;
  readonly onClose: () => void;
}) {
  const { api, clusterId } = usePage();
  const id = useId();
  const [form, setForm] = useState<SamlForm | null>(name === null ? formOf(null) : null);
  const [faults, setFaults] = useState<SamlFaults>({});
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (name === null) return;
    api(getServiceProvider, { params: { clusterId, name } }).then(
      provider => setForm(formOf(provider)),
      (error: unknown) => setProblem(toApiError(error).message),
    );
  }, [api, clusterId, name]);
  // The first field that is wrong has the keys.
  useEffect(() => {
    if (Object.keys(faults).length > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);

  const save = async (written: SamlForm): Promise<void> => {
    const { read, faults } = readForm(written);
    setFaults(faults);
    if (read === null) return;
    setProblem('');
    setBusy(true);
    try {
      const { name: own, ...body } = read;
      await (name === null
        ? api(createServiceProvider, { params: { clusterId }, body: read })
        : api(updateServiceProvider, { params: { clusterId, name: own }, body }));
      onSaved(own);
    } catch (error) {
      setProblem(toApiError(error).message);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={name === null ? 'Add an application that takes SAML' : `How ${name} takes SAML`}
      size="wide"
      onEscape={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} disabled={isBusy || form === null}>
            {name === null ? 'Add the application' : 'Save'}
          </Button>
        </>
      }
    >
      {problem !== '' && <Alert>{problem}</Alert>}
      {form === null ? (
        problem === '' && <Spinner />
      ) : (
        <form
          id={id}
          ref={element}
          className={styles.form}
          onSubmit={event => {
            event.preventDefault();
            void save(form);
          }}
        >
          <Fields form={form} faults={faults} isNew={name === null} onChange={to => setForm({ ...form, ...to })} />
        </form>
      )}
      <section className={styles.told} aria-label="What the application is told of this gateway">
        <h3>What the application is told of this gateway</h3>
        <span>Metadata, and our entity ID</span>
        <Snippet label="the address of the metadata" text={location.origin + SAML_METADATA_PATH} />
        <span>Where it sends people, by HTTP-Redirect</span>
        <Snippet label="the sign-in address" text={location.origin + SAML_SSO_PATH} />
        <ManualLink id="samlApplication" />
      </section>
    </Dialog>
  );
}

function Fields({
  form,
  faults,
  isNew,
  onChange,
}: {
  readonly form: SamlForm;
  readonly faults: SamlFaults;
  readonly isNew: boolean;
  readonly onChange: (to: Partial<SamlForm>) => void;
}) {
  const isMetadata = form.entityDescriptor.trim() !== '';
  const props = (field: keyof SamlForm) => ({
    mono: true,
    autoComplete: 'off',
    spellCheck: false,
    value: form[field],
    error: faults[field],
    onChange: (event: { readonly target: { readonly value: string } }) => onChange({ [field]: event.target.value }),
  });
  return (
    <>
      <div className={styles.both}>
        <Field
          label="Name"
          tip="Such as grafana: people open it with app grafana."
          readOnly={!isNew}
          {...props('name')}
        />
        <Field label="Address" tip="Where people find the application." {...props('uri')} />
      </div>
      <TextField
        label="Metadata of the application"
        tip="XML, as the application gives it. A file can be dropped here. Leave it empty where there is none."
        rows={5}
        maxLength={65_536}
        {...props('entityDescriptor')}
        onText={entityDescriptor => onChange({ entityDescriptor })}
      />
      <div className={styles.both}>
        <Field
          label="Entity ID"
          tip={isMetadata ? 'The metadata says it.' : 'By which the application calls itself.'}
          disabled={isMetadata}
          {...props('entityId')}
        />
        <Field
          label="Answers are posted to"
          tip={isMetadata ? 'The metadata says it.' : 'Its assertion consumer service (ACS).'}
          disabled={isMetadata}
          {...props('acsUrl')}
        />
      </div>
      <TextField
        label="What it is told of a person"
        tip="One a line, such as email: traits.email. user.name, user.roles and traits.NAME are known. Empty: uid and roles."
        rows={3}
        {...props('attributes')}
      />
      <div className={styles.both}>
        <Field
          label="Relay state"
          tip="Goes with a sign-in that begins here. Often a page of the application; may be empty."
          {...props('relayState')}
        />
        <Field label="Labels" tip="Such as env=prod team=docs: roles select by them." {...props('labels')} />
      </div>
    </>
  );
}
