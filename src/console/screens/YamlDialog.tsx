import { type ReactNode, useState } from 'react';
import { toApiError } from '../../client/errors.ts';
import type { ManualLinkId } from '../../features/manual.ts';
import { ManualLink } from '../manual/ManualLink.tsx';
import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { CodeField, type CodeFieldProps } from '../ui/CodeField.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { faultyLine } from './faulty-line.ts';
import { usePage } from './page.tsx';
import styles from './yaml-dialog.module.css';

/** Asks before what was written is lost, then begins with another text; false where it is kept. */
export type Restart = (text: string) => Promise<boolean>;

/** Writes something new or changes it, as YAML. What the gateway refuses is said above, with its line marked. */
export function YamlDialog<Saved>({
  title,
  noun,
  name,
  before,
  refused,
  line,
  manual,
  above,
  complete,
  check,
  review,
  save,
  onDone,
  onCancel,
}: {
  readonly title: string;
  /** What is written, in the words of a sentence: `role`. */
  readonly noun: string;
  /** Null: a new one. */
  readonly name: string | null;
  /** The text as it is kept, or what a new one begins with. */
  readonly before: string;
  /** Why it may only be read. */
  readonly refused: string | undefined;
  /** The line that it opens at, from 1. */
  readonly line?: number | undefined;
  /** Where the manual says how it is written. */
  readonly manual: ManualLinkId;
  /** What stands between the answer and the text. */
  readonly above?: (restart: Restart) => ReactNode;
  /** What may be written next. */
  readonly complete: CodeFieldProps['complete'];
  /** What is wrong while it is written. */
  readonly check: CodeFieldProps['check'];
  /** What is looked at before it is saved: what would come of it. Throws what the gateway refuses. */
  readonly review?: ((content: string) => Promise<ReactNode>) | undefined;
  /** Throws what the gateway refuses. */
  readonly save: (content: string) => Promise<Saved>;
  readonly onDone: (saved: Saved) => void;
  readonly onCancel: () => void;
}) {
  const { confirm } = usePage();
  const [text, setText] = useState(before);
  const [begun, setBegun] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [reviewed, setReviewed] = useState<ReactNode>(null);
  const isSame = name !== null && text === before;
  const submit = async (): Promise<void> => {
    if (isBusy || isSame || refused !== undefined) return;
    setBusy(true);
    setError('');
    try {
      if (review === undefined || reviewed !== null) return onDone(await save(text));
      setReviewed(await review(text));
    } catch (problem) {
      setReviewed(null);
      setError(toApiError(problem).message);
    }
    setBusy(false);
  };
  const discards = async (): Promise<boolean> =>
    text === before ||
    confirm({ title: 'Discard the changes?', text: 'What you have written here is not saved.', action: 'Discard' });
  const cancel = async (): Promise<void> => {
    if (await discards()) onCancel();
  };
  const restart: Restart = async other => {
    if (!(await discards())) return false;
    setText(other);
    setError('');
    setBegun(times => times + 1);
    return true;
  };
  return (
    <Dialog
      title={title}
      size="page"
      onEscape={() => (reviewed === null ? void cancel() : setReviewed(null))}
      actions={
        <>
          {reviewed !== null && <Button onClick={() => setReviewed(null)}>Back to the text</Button>}
          <Button onClick={() => void cancel()}>{refused === undefined ? 'Cancel' : 'Close'}</Button>
          {refused === undefined && (
            <Button
              // Another button than the one that led here: it takes the keys, so that Enter saves what was looked at.
              key={reviewed === null ? 'first' : 'last'}
              kind="primary"
              autoFocus={reviewed !== null}
              disabled={isBusy || isSame}
              onClick={() => void submit()}
            >
              {review === undefined || reviewed !== null ? 'Save' : 'Review…'}
            </Button>
          )}
        </>
      }
    >
      {reviewed}
      <div className={styles.whole} hidden={reviewed !== null}>
        {error !== '' && <Alert>{error}</Alert>}
        {refused !== undefined && (
          <Alert kind="info">
            {refused}. You can read this {noun}.
          </Alert>
        )}
        {above?.(restart)}
        <p>
          <ManualLink id={manual} />
        </p>
        <CodeField
          // Another text has a history of its own: what was left behind is not brought back by undoing.
          key={begun}
          label={name === null ? `YAML of the new ${noun}` : `YAML of the ${noun} ${name}`}
          value={text}
          readOnly={refused !== undefined}
          line={line}
          complete={complete}
          check={check}
          faultyLine={faultyLine(error)}
          onChange={setText}
          onSubmit={() => void submit()}
        />
      </div>
    </Dialog>
  );
}
