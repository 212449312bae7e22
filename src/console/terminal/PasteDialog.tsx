import { type FormEvent, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { onOneLine, type Paste, readPaste, shownPaste } from './paste.ts';
import styles from './paste-dialog.module.css';
import type { PasteGuard, PasteQuestion } from './paste-guard.ts';

const titles: Readonly<Record<NonNullable<Paste['asks']>, string>> = {
  lines: 'Paste several lines?',
  end: 'Paste a line that runs at once?',
  size: 'Paste this much?',
};
/** Titles shown of the terminals that a paste goes to; more are counted. */
const TARGETS_SHOWN = 20;
const FORM = 'paste-form';

/** Shows what is about to be sent, and where. Letters answer it, except in production, where the host's name is typed. */
export function PasteDialog({
  question: { given, paste, titles: targets, proof, isRemembered },
  onSettle,
}: {
  readonly question: PasteQuestion;
  readonly onSettle: PasteGuard['settle'];
}) {
  const [edited, setEdited] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [remember, setRemember] = useState(false);
  const now = edited === null ? paste : readPaste(edited);
  const send = (text: string): void => {
    setWrong(typed !== proof);
    if (typed !== proof) return;
    onSettle({ text, remember });
  };
  const edit = (): void => setEdited(paste.text);
  const oneLine = (): void => send(onOneLine(now.text));
  const letters: Readonly<Record<string, () => void>> = { p: () => send(now.text), o: oneLine, e: edit };
  const host = targets.length === 1 ? targets[0] : `${targets.length} terminals`;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send(now.text);
  };
  return (
    <Dialog
      role="alertdialog"
      size="wide"
      title={`${titles[paste.asks ?? 'lines']} ${proof === '' ? '' : 'This is production.'}`}
      onEscape={() => onSettle(null)}
      actions={
        <>
          <Button data-first={proof === '' ? '' : undefined} onClick={() => onSettle(null)}>
            Cancel
          </Button>
          {edited === null && (
            <Button aria-keyshortcuts="e" onClick={edit}>
              Edit
            </Button>
          )}
          {now.lines > 1 && (
            <Button aria-keyshortcuts="o" onClick={oneLine}>
              Paste as one line
            </Button>
          )}
          <Button kind={proof === '' ? 'primary' : 'danger'} aria-keyshortcuts="p" type="submit" form={FORM}>
            Paste
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        className={styles.form}
        onSubmit={submit}
        ref={form => {
          // The dialog's buttons are outside the form, and have the letters as well.
          const dialog = form?.closest('dialog');
          if (!dialog) return;
          const hear = (event: KeyboardEvent): void => {
            const at = event.target;
            const isField = at instanceof HTMLTextAreaElement || at instanceof HTMLInputElement;
            if ((isField && !at.readOnly && at.type !== 'checkbox') || event.ctrlKey || event.altKey || event.metaKey)
              return;
            const act = letters[event.key];
            if (act === undefined) return;
            event.preventDefault();
            act();
          };
          dialog.addEventListener('keydown', hear);
          return () => dialog.removeEventListener('keydown', hear);
        }}
      >
        <p>
          To <strong>{host}</strong>: {now.lines} {now.lines === 1 ? 'line' : 'lines'}, {now.bytes.toLocaleString('en')}{' '}
          bytes. {now.asks === 'size' ? 'It goes to the shell in one piece.' : 'The shell may run each line at once.'}
        </p>
        {targets.length > 1 && (
          <p className={styles.targets}>
            {targets.slice(0, TARGETS_SHOWN).join(', ')}
            {targets.length > TARGETS_SHOWN && ` and ${targets.length - TARGETS_SHOWN} more`}
          </p>
        )}
        <textarea
          // Anew once it may be edited, so that it has the keys then.
          key={String(edited === null)}
          className={styles.text}
          aria-label="What is pasted"
          readOnly={edited === null}
          value={edited ?? shownPaste(given)}
          spellCheck={false}
          autoFocus={edited !== null}
          onChange={event => setEdited(event.target.value)}
        />
        {edited === null && paste.removed > 0 && (
          <p>Control characters and escape sequences, {paste.removed} characters in all, are left out.</p>
        )}
        {proof !== '' && (
          <Field
            label={`Type ${proof} to paste`}
            error={isWrong && typed !== proof ? `Type ${proof} to paste` : undefined}
            mono
            autoComplete="off"
            data-first=""
            value={typed}
            onChange={event => setTyped(event.target.value.trim())}
          />
        )}
        {isRemembered && (
          <label className={styles.remember}>
            <input type="checkbox" checked={remember} onChange={event => setRemember(event.target.checked)} />
            Paste several lines to {host} without asking from now on
          </label>
        )}
        {proof === '' && edited === null && (
          <p className={styles.keys}>
            <kbd>P</kbd> paste
            {now.lines > 1 && (
              <>
                , <kbd>O</kbd> as one line
              </>
            )}
            , <kbd>E</kbd> edit, <kbd>Esc</kbd> cancel
          </p>
        )}
      </form>
    </Dialog>
  );
}
