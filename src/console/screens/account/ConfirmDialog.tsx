import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';

/** Asks before something that cannot be undone; what goes wrong with it is said here. */
export function ConfirmDialog({
  title,
  text,
  action,
  onConfirm,
  onCancel,
}: {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  /** What it rejects with is said. */
  readonly onConfirm: () => Promise<void>;
  readonly onCancel: () => void;
}) {
  const { busy, problem, attempt } = useAttempt();
  return (
    <Dialog
      title={title}
      role="alertdialog"
      actions={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="danger" data-first disabled={busy} onClick={() => void attempt(onConfirm)}>
            {action}
          </Button>
        </>
      }
    >
      {problem !== '' && <Alert>{problem}</Alert>}
      <p>{text}</p>
    </Dialog>
  );
}
