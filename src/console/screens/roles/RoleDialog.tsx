import { useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { createRole, type ResourceItem, updateRole } from '../../../contract/roles.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { usePage } from '../page.tsx';
import styles from './roles.module.css';
import { lineOf, NEW_ROLE } from './template.ts';

/** Writes a new role or changes one, as YAML. What the gateway refuses is said above, with its line marked. */
export function RoleDialog({
  role,
  refused,
  onDone,
  onCancel,
}: {
  /** Null: a new one. */
  readonly role: ResourceItem | null;
  /** Why it may only be read. */
  readonly refused: string | undefined;
  readonly onDone: (role: ResourceItem) => void;
  readonly onCancel: () => void;
}) {
  const { api, confirm } = usePage();
  const before = role?.content ?? NEW_ROLE;
  const [text, setText] = useState(before);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const isSame = role !== null && text === before;
  const save = async (): Promise<void> => {
    if (isBusy || isSame || refused !== undefined) return;
    setBusy(true);
    setError('');
    try {
      const body = { content: text };
      onDone(
        await (role === null ? api(createRole, { body }) : api(updateRole, { params: { name: role.name }, body })),
      );
    } catch (problem) {
      setError(toApiError(problem).message);
      setBusy(false);
    }
  };
  const cancel = async (): Promise<void> => {
    if (
      text === before ||
      (await confirm({
        title: 'Discard the changes?',
        text: 'What you have written here is not saved.',
        action: 'Discard',
      }))
    )
      onCancel();
  };
  return (
    <Dialog
      title={role === null ? 'New role' : role.name}
      size="page"
      onEscape={() => void cancel()}
      actions={
        <>
          <Button onClick={() => void cancel()}>{refused === undefined ? 'Cancel' : 'Close'}</Button>
          {refused === undefined && (
            <Button kind="primary" disabled={isBusy || isSame} onClick={() => void save()}>
              Save
            </Button>
          )}
        </>
      }
    >
      <div className={styles.whole}>
        {error !== '' && <Alert>{error}</Alert>}
        {refused !== undefined && <Alert kind="info">{refused}. You can read this role.</Alert>}
        <p>
          <ManualLink id="writeRole" />
        </p>
        <CodeField
          language="yaml"
          label={role === null ? 'YAML of the new role' : `YAML of the role ${role.name}`}
          value={text}
          readOnly={refused !== undefined}
          faultyLine={error === '' ? undefined : lineOf(error)}
          onChange={setText}
          onSubmit={() => void save()}
        />
      </div>
    </Dialog>
  );
}
