import { type FormEvent, useState } from 'react';
import { filled, variablesOf } from '../../contract/snippet-text.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import styles from './paste-dialog.module.css';

const FORM = 'snippet-form';

/** Asks for the blanks of a snippet, one after another: Enter goes to the next, and behind the last puts the text in. */
export function SnippetDialog({
  name,
  text,
  onSettle,
}: {
  readonly name: string;
  readonly text: string;
  /** Null: it was given up. */
  readonly onSettle: (filled: string | null) => void;
}) {
  const variables = variablesOf(text);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(variables.map(({ name, value }) => [name, value])),
  );
  const [at, setAt] = useState(0);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const next = document.getElementById(FORM)?.querySelectorAll('input')[at + 1];
    if (next === undefined) onSettle(filled(text, values));
    else next.focus();
  };
  return (
    <Dialog
      title={`Snippet ${name}`}
      onEscape={() => onSettle(null)}
      actions={
        <>
          <Button onClick={() => onSettle(null)}>Cancel</Button>
          <Button kind="primary" onClick={() => onSettle(filled(text, values))}>
            Insert
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} onSubmit={submit}>
        {variables.map(({ name, choices }, index) => (
          <div key={name}>
            <Field
              label={name}
              mono
              autoComplete="off"
              data-first={index === 0 ? '' : undefined}
              list={choices.length > 0 ? `snippet-${name}` : undefined}
              tip={choices.length > 0 ? choices.join(', ') : ''}
              value={values[name] ?? ''}
              onFocus={event => {
                setAt(index);
                event.target.select();
              }}
              onChange={event => setValues({ ...values, [name]: event.target.value })}
            />
            {choices.length > 0 && (
              <datalist id={`snippet-${name}`}>
                {choices.map(choice => (
                  <option key={choice} value={choice} />
                ))}
              </datalist>
            )}
          </div>
        ))}
        <textarea className={styles.text} aria-label="What is put in" readOnly value={filled(text, values)} />
        {/* A form of several fields is sent by Enter only where it has a button. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}
