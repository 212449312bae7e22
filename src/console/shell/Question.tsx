import { ManualLink } from '../manual/ManualLink.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import type { Notices } from './notices.ts';

/** The question that waits for an answer. */
export function Question({
  question,
  onSettle,
}: {
  readonly question: NonNullable<Notices['state']['question']>;
  readonly onSettle: Notices['settle'];
}) {
  return (
    <Dialog
      role="alertdialog"
      title={question.title}
      actions={
        <>
          <Button onClick={() => onSettle(false)} autoFocus>
            Cancel
          </Button>
          <Button kind={question.destroys ? 'danger' : 'primary'} onClick={() => onSettle(true)}>
            {question.action}
          </Button>
        </>
      }
    >
      <p style={{ whiteSpace: 'pre-wrap' }}>{question.text}</p>
      {question.manual !== undefined && (
        <p>
          <ManualLink id={question.manual} />
        </p>
      )}
    </Dialog>
  );
}
