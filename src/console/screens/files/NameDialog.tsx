import { type FormEvent, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';

/** Asks for a name or a path. `onGive` does what it is for; what it throws is said at the field. */
export function NameDialog({
  title,
  label,
  value,
  action,
  onGive,
  onClose,
}: {
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly action: string;
  readonly onGive: (typed: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState(value);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (typed === '' || busy) return;
    setBusy(true);
    try {
      await onGive(typed);
      onClose();
    } catch (problem) {
      setError(toApiError(problem).message);
      setBusy(false);
    }
  }
  return (
    <Dialog title={title} onEscape={onClose}>
      <form onSubmit={event => void submit(event)}>
        <Field
          data-first
          label={label}
          error={error}
          mono
          spellCheck={false}
          autoComplete="off"
          value={typed}
          onFocus={event => event.target.setSelectionRange(typed.lastIndexOf('/') + 1, typed.length)}
          onChange={event => {
            setTyped(event.target.value);
            setError(undefined);
          }}
        />
        <Button kind="primary" type="submit" disabled={typed === '' || busy}>
          {action}
        </Button>{' '}
        <Button onClick={onClose}>Cancel</Button>
      </form>
    </Dialog>
  );
}
