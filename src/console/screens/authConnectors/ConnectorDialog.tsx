import { useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { type ConnectorKind, connectorCalls, connectorKinds } from '../../../contract/connectors.ts';
import type { ResourceItem } from '../../../contract/roles.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { usePage } from '../page.tsx';
import styles from './connector.module.css';
import { lineOf, templates } from './templates.ts';

/** Writes a new connector or changes one, as YAML. What the gateway refuses is said above, with its line marked. */
export function ConnectorDialog({
  connector,
  refused,
  onDone,
  onCancel,
}: {
  /** Null: a new one. */
  readonly connector: ResourceItem | null;
  /** Why it may only be read. */
  readonly refused: string | undefined;
  readonly onDone: (connector: ResourceItem) => void;
  readonly onCancel: () => void;
}) {
  const { api, confirm } = usePage();
  const [kind, setKind] = useState<ConnectorKind>((connector?.kind as ConnectorKind | undefined) ?? 'oidc');
  const before = connector?.content ?? templates[kind](location.origin);
  const [text, setText] = useState(before);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const isSame = connector !== null && text === before;

  const save = async (): Promise<void> => {
    if (isBusy || isSame || refused !== undefined) return;
    setBusy(true);
    setError('');
    const { create, update } = connectorCalls[kind];
    const body = { content: text };
    try {
      onDone(
        await (connector === null ? api(create, { body }) : api(update, { params: { name: connector.name }, body })),
      );
    } catch (problem) {
      setError(toApiError(problem).message);
      setBusy(false);
    }
  };
  const discards = async (): Promise<boolean> =>
    text === before ||
    confirm({ title: 'Discard the changes?', text: 'What you have written here is not saved.', action: 'Discard' });
  const choose = async (chosen: ConnectorKind): Promise<void> => {
    if (chosen === kind || !(await discards())) return;
    setKind(chosen);
    setText(templates[chosen](location.origin));
    setError('');
  };
  const cancel = async (): Promise<void> => {
    if (await discards()) onCancel();
  };
  return (
    <Dialog
      title={connector === null ? 'New auth connector' : connector.name}
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
        {refused !== undefined && <Alert kind="info">{refused}. You can read this connector.</Alert>}
        {connector === null ? (
          <Select
            label="Kind"
            value={kind}
            choices={connectorKinds}
            onChange={event => void choose(event.target.value as ConnectorKind)}
          />
        ) : (
          <p>Secrets are not shown: those that are left out stay as they are.</p>
        )}
        <p>
          <ManualLink id="writeConnector" />
        </p>
        <CodeField
          key={kind}
          language="yaml"
          label={connector === null ? 'YAML of the new connector' : `YAML of the connector ${connector.name}`}
          value={text}
          readOnly={refused !== undefined}
          faultyLine={lineOf(error)}
          onChange={setText}
          onSubmit={() => void save()}
        />
      </div>
    </Dialog>
  );
}
