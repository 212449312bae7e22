import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { getInvoiceSettings, type InvoiceSettings, updateInvoiceSettings } from '../../../contract/billing.ts';
import { features } from '../../../features/table.ts';
import { messageOf } from '../../palette/run.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { ListPage } from '../ListPage.tsx';
import { useGuard, usePage } from '../page.tsx';
import { useAsked } from '../use-asked.ts';
import styles from './invoice-settings.module.css';

/** To whom invoices are made out, and where they go. */
export default function InvoiceSettingsPage() {
  const { api, clusterId } = usePage();
  const { answer, error, again } = useAsked(
    useCallback(() => api(getInvoiceSettings, { params: { clusterId } }), [api, clusterId]),
  );
  return (
    <ListPage
      title={features.invoiceSettings.title}
      error={error}
      actions={error !== null && error.code !== 'not_found' && <Button onClick={again}>Try again</Button>}
    >
      {answer === null && error === null && <Spinner />}
      {answer !== null && error === null && <Form settings={answer} />}
    </ListPage>
  );
}

function Form({ settings }: { readonly settings: InvoiceSettings }) {
  const { api, clusterId, who, notify } = usePage();
  const [kept, setKept] = useState(settings);
  const [given, setGiven] = useState(settings);
  const [problem, setProblem] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => setKept(settings), [settings]);
  const mayEdit = who?.userAcl.billing.edit === true;
  const isChanged = (Object.keys(kept) as (keyof InvoiceSettings)[]).some(name => kept[name] !== given[name]);
  useGuard(isChanged, 'What you changed of the invoice settings is not saved.');
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem('');
    setErrors({});
    try {
      const next = await api(updateInvoiceSettings, { params: { clusterId }, body: given });
      setKept(next);
      setGiven(next);
      notify('The invoice settings have been saved');
    } catch (failure) {
      setErrors(toApiError(failure).fields ?? {});
      setProblem(messageOf(failure));
    }
  };
  const field = (name: Exclude<keyof InvoiceSettings, 'address'>, label: string, tip?: string) => (
    <Field
      label={label}
      {...(tip !== undefined && { tip })}
      error={errors[name]}
      autoFocus={name === 'company'}
      autoComplete="off"
      readOnly={!mayEdit}
      value={given[name]}
      onChange={event => setGiven({ ...given, [name]: event.target.value })}
    />
  );
  return (
    <form className={styles.form} onSubmit={event => void save(event)}>
      {problem !== '' && <Alert>{problem}</Alert>}
      {field('company', 'Company')}
      {field('email', 'E-mail', 'Where invoices are sent.')}
      <TextField
        label="Address"
        tip="As it is to stand on the invoice."
        error={errors.address}
        rows={4}
        readOnly={!mayEdit}
        value={given.address}
        onChange={event => setGiven({ ...given, address: event.target.value })}
      />
      {field('taxId', 'Tax number')}
      {field('reference', 'Reference', 'What you ask to have on each invoice, such as the number of an order.')}
      {mayEdit && (
        <div className={styles.acts}>
          <Button kind="primary" type="submit" disabled={!isChanged}>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}
