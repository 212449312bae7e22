import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { shownName } from '../../../contract/files.ts';
import { nameOf, type Place } from '../../terminal/files/place.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Diff } from '../../ui/Diff.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { usePage } from '../page.tsx';
import styles from './files.module.css';
import { readText, saveText, type TextFile, type TextPorts } from './text-file.ts';

/** JSON is YAML too. */
const languageOf = (path: string): 'yaml' | 'text' => (/\.(ya?ml|json)$/i.test(path) ? 'yaml' : 'text');

/** One text file to read, or to change. Saving asks when the file is not what was read: to overwrite it, look at what differs, or give up. */
export function FileDialog({
  ports,
  place,
  path,
  readOnly,
  onClose,
}: {
  readonly ports: TextPorts;
  readonly place: Place;
  readonly path: string;
  readonly readOnly: boolean;
  readonly onClose: (isSaved: boolean) => void;
}) {
  const { confirm } = usePage();
  const [file, setFile] = useState<TextFile | null>(null);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  /** It is not what was read any more; and what it is now, once that was looked at. */
  const [isOther, setOther] = useState(false);
  const [theirs, setTheirs] = useState<TextFile | null>(null);
  const name = shownName(nameOf(path));

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read once for each time it is opened.
  useEffect(() => {
    let isHere = true;
    readText(ports, place, path).then(
      read => {
        if (!isHere) return;
        setFile(read);
        setText(read.text);
      },
      (error: unknown) => isHere && setProblem(toApiError(error).message),
    );
    return () => {
      isHere = false;
    };
  }, []);

  /** One thing at a time; what goes wrong is said. */
  async function doing(act: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      await act();
    } catch (error) {
      const { code, message } = toApiError(error);
      if (code === 'changed') setOther(true);
      else setProblem(message);
    }
    setBusy(false);
  }
  const save = (ifTag: string | null): Promise<void> =>
    doing(async () => {
      if (file === null) return;
      await saveText(ports, place, path, { text, ends: file.ends }, ifTag);
      onClose(true);
    });
  const look = (): Promise<void> => doing(async () => setTheirs(await readText(ports, place, path)));
  const back = (): void => {
    setOther(false);
    setTheirs(null);
  };
  async function close(): Promise<void> {
    const discards =
      file === null ||
      readOnly ||
      text === file.text ||
      (await confirm({
        title: 'Discard the changes?',
        text: 'What you have written here is not saved.',
        action: 'Discard',
      }));
    if (discards) onClose(false);
  }
  const actions = isOther ? (
    <>
      <Button key="back" onClick={back}>
        Back to the text
      </Button>
      <Button onClick={() => onClose(false)}>Give up</Button>
      {theirs === null && (
        <Button disabled={busy} onClick={() => void look()}>
          Look at the difference
        </Button>
      )}
      <Button kind="danger" disabled={busy} onClick={() => void save(theirs?.tag ?? null)}>
        Overwrite
      </Button>
    </>
  ) : (
    <>
      <Button onClick={() => void close()}>{readOnly || file === null ? 'Close' : 'Cancel'}</Button>
      {!readOnly && file !== null && (
        <Button kind="primary" disabled={busy || text === file.text} onClick={() => void save(file.tag)}>
          Save
        </Button>
      )}
    </>
  );
  return (
    <Dialog
      title={`${readOnly ? 'View' : 'Edit'} ${name} of ${place.title}`}
      size="page"
      onEscape={() => (isOther ? back() : void close())}
      actions={actions}
    >
      <div className={styles.whole}>
        {problem !== '' && <Alert>{problem}</Alert>}
        {isOther && (
          <Alert kind="warning">
            {name} was changed on the server after it was opened here. Nothing is saved yet: overwrite it with your
            text, look at the difference first, or give up.
          </Alert>
        )}
        {theirs !== null && <Diff label="From the file as it is now to your text" before={theirs.text} after={text} />}
        {file === null && problem === '' && <Spinner />}
        {file !== null && (
          <div className={styles.whole} hidden={isOther}>
            <CodeField
              label={`Text of ${name}`}
              language={languageOf(path)}
              value={text}
              readOnly={readOnly}
              onChange={setText}
              onSubmit={() => void (text !== file.text && save(file.tag))}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}
