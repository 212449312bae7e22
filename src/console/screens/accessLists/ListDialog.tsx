import { useCallback, useEffect, useId, useState } from 'react';
import { reviewDays, reviewFrequencyNames } from '../../../contract/access-list-documents.ts';
import {
  createAccessList,
  getAccessListYaml,
  listAccessLists,
  updateAccessList,
} from '../../../contract/access-lists.ts';
import { listRoles } from '../../../contract/roles.ts';
import { listUsers } from '../../../contract/users.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { messageOf } from '../../palette/run.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ChipField } from '../../ui/ChipField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { usePage } from '../page.tsx';
import { useYamlOf } from '../use-yaml.ts';
import { YamlDialog } from '../YamlDialog.tsx';
import styles from './access-lists.module.css';
import { documentOf, faultsOf, formOf, type ListDocument, type ListForm, nameOf } from './form.ts';

const fresh = (user: string): ListDocument => ({
  kind: 'access_list',
  version: 'v1',
  metadata: { name: '' },
  spec: { title: '', owners: [{ name: user }], grants: {} },
});
/** What there is to choose from; whoever may not list some of it types. */
interface Known {
  readonly users: readonly string[] | null;
  readonly roles: readonly string[] | null;
}

/** Writes a new access list or changes one, by a form or as YAML. */
export function ListDialog({
  name,
  onDone,
  onCancel,
}: {
  /** Null: a new one. */
  readonly name: string | null;
  readonly onDone: (name: string) => void;
  readonly onCancel: () => void;
}) {
  const { api, clusterId, who } = usePage();
  const [before, setBefore] = useState<ListDocument | null>(null);
  const [form, setForm] = useState<ListForm | null>(name === null ? formOf(fresh(who?.userName ?? '')) : null);
  const [yaml, setYaml] = useState<string | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    let isHere = true;
    if (name !== null)
      Promise.all([api(getAccessListYaml, { params: { clusterId, name } }), import('yaml')]).then(
        ([{ content }, { parse }]) => {
          if (!isHere) return;
          const document = parse(content) as ListDocument;
          setBefore(document);
          setForm(formOf(document));
        },
        (problem: unknown) => isHere && setError(messageOf(problem)),
      );
    return () => {
      isHere = false;
    };
  }, [api, clusterId, name]);
  const save = async (content: string): Promise<string> => {
    const params = { clusterId };
    const saved =
      name === null
        ? await api(createAccessList, { params, body: { content } })
        : await api(updateAccessList, { params: { ...params, name }, body: { content } });
    return saved.name;
  };
  const asYaml = async (): Promise<void> => {
    if (form === null) return;
    const { stringify } = await import('yaml');
    setYaml(stringify(documentOf(form, before), { lineWidth: 0 }));
  };
  if (yaml !== null) return <AsYaml {...{ name, yaml, save, onDone, onCancel }} />;
  return <AsForm {...{ name, form, setForm, before, error, save, onDone, onCancel }} onYaml={() => void asYaml()} />;
}

function AsYaml({
  name,
  yaml,
  save,
  onDone,
  onCancel,
}: {
  readonly name: string | null;
  readonly yaml: string;
  readonly save: (content: string) => Promise<string>;
  readonly onDone: (name: string) => void;
  readonly onCancel: () => void;
}) {
  const helped = useYamlOf(
    useCallback(async () => (await import('../../../contract/access-list-documents.ts')).accessListDocument, []),
  );
  return (
    <YamlDialog
      title={name ?? 'New access list'}
      noun="access list"
      name={null}
      before={yaml}
      refused={undefined}
      manual="accessLists"
      {...{ ...helped, save, onDone, onCancel }}
    />
  );
}

function AsForm({
  name,
  form,
  setForm,
  before,
  error: problem,
  save,
  onDone,
  onCancel,
  onYaml,
}: {
  readonly name: string | null;
  /** Null while it is on its way. */
  readonly form: ListForm | null;
  readonly setForm: (form: ListForm) => void;
  readonly before: ListDocument | null;
  /** Why it could not be read. */
  readonly error: string;
  readonly save: (content: string) => Promise<string>;
  readonly onDone: (name: string) => void;
  readonly onCancel: () => void;
  readonly onYaml: () => void;
}) {
  const { api, clusterId } = usePage();
  const id = useId();
  const [known, setKnown] = useState<Known>({ users: null, roles: null });
  const [isNamed, setNamed] = useState(name !== null);
  const [tried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  useEffect(() => {
    let isHere = true;
    const keep = (more: Partial<Known>): void => {
      if (isHere) setKnown(held => ({ ...held, ...more }));
    };
    const none = () => [];
    void Promise.all([
      api(listUsers).then(found => found.map(user => user.name), none),
      api(listAccessLists, { params: { clusterId } }).then(
        ({ items }) => items.filter(one => one.name !== name).map(one => `list:${one.name}`),
        none,
      ),
    ]).then(([users, lists]) => keep({ users: [...users, ...lists] }));
    void api(listRoles)
      .then(found => found.map(role => role.name), none)
      .then(roles => keep({ roles }));
    return () => {
      isHere = false;
    };
  }, [api, clusterId, name]);
  const faults = form === null ? {} : faultsOf(form);
  const fault = (field: keyof ListForm): string | undefined => (tried ? faults[field] : undefined);
  const submit = async (): Promise<void> => {
    setTried(true);
    if (form === null || isBusy || Object.keys(faults).length > 0) return;
    setBusy(true);
    setError('');
    try {
      // JSON is YAML.
      onDone(await save(JSON.stringify(documentOf(form, before), null, 2)));
    } catch (refusal) {
      setError(messageOf(refusal));
      setBusy(false);
    }
  };
  const change = (changed: Partial<ListForm>): void => {
    if (form !== null) setForm({ ...form, ...changed });
  };
  const wanted = (field: 'grants' | 'members' | 'ownersMust', roles: string, traits: string, tip: string) =>
    form && (
      <>
        <ChipField
          label={roles}
          tip={tip}
          values={form[field].roles}
          known={known.roles}
          error={fault(field)}
          onChange={values => change({ [field]: { ...form[field], roles: values } })}
        />
        <ChipField
          label={traits}
          tip="A trait and its value, such as logins: root"
          values={form[field].traits}
          known={[]}
          onChange={values => change({ [field]: { ...form[field], traits: values } })}
        />
      </>
    );
  return (
    <Dialog
      title={name === null ? 'New access list' : `Edit ${form?.title ?? name}`}
      size="page"
      onEscape={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button onClick={onYaml} disabled={form === null}>
            As YAML
          </Button>
          <Button kind="primary" type="submit" form={id} disabled={isBusy || form === null}>
            {name === null ? 'Create' : 'Save'}
          </Button>
        </>
      }
    >
      {(problem || error) !== '' && <Alert>{problem || error}</Alert>}
      {form === null ? (
        problem === '' && <p>The access list is on its way…</p>
      ) : (
        <form
          id={id}
          className={styles.form}
          onSubmit={event => {
            event.preventDefault();
            void submit();
          }}
        >
          <div className={styles.row}>
            <Field
              label="Title"
              data-first
              autoFocus
              maxLength={255}
              value={form.title}
              error={fault('title')}
              onChange={event =>
                change({ title: event.target.value, ...(!isNamed && { name: nameOf(event.target.value) }) })
              }
            />
            <Field
              label="Name"
              mono
              autoComplete="off"
              spellCheck={false}
              readOnly={name !== null}
              value={form.name}
              error={fault('name')}
              onChange={event => {
                setNamed(true);
                change({ name: event.target.value });
              }}
            />
          </div>
          <Field
            label="What it is for"
            maxLength={4096}
            value={form.description}
            onChange={event => change({ description: event.target.value })}
          />
          <ChipField
            label="Owners"
            tip="Users, or list:NAME for the members of another list"
            values={form.owners}
            known={known.users}
            error={fault('owners')}
            onChange={owners => change({ owners })}
          />
          {wanted('grants', 'Roles that it grants', 'Traits that it grants', 'What members get while they are in it')}
          <div className={styles.row}>
            <Select
              label="Reviewed every"
              choices={reviewFrequencyNames}
              value={form.frequency}
              onChange={event =>
                change({
                  frequency: reviewFrequencyNames.find(one => one === event.target.value) ?? form.frequency,
                })
              }
            />
            <Select
              label="On day of the month"
              choices={reviewDays}
              value={form.day}
              onChange={event => change({ day: reviewDays.find(one => one === event.target.value) ?? form.day })}
            />
            <Field
              label="Owners are told, days before"
              inputMode="numeric"
              value={form.noticeDays}
              error={fault('noticeDays')}
              onChange={event => change({ noticeDays: event.target.value })}
            />
          </div>
          {wanted(
            'members',
            'Roles that members must have',
            'Traits that members must have',
            'Of their own; else they get nothing',
          )}
          {wanted(
            'ownersMust',
            'Roles that owners must have',
            'Traits that owners must have',
            'Of their own; else they are no owners',
          )}
          <p>
            <ManualLink id="accessLists" />
          </p>
        </form>
      )}
    </Dialog>
  );
}
