import { Copy } from 'lucide-react';
import type { AuditEvent } from '../../../contract/audit.ts';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { copied } from '../Copyable.tsx';
import { usePage } from '../page.tsx';

/** One event, whole, as JSON. */
export function Details({
  title,
  event,
  onClose,
}: {
  readonly title: string;
  readonly event: AuditEvent;
  readonly onClose: () => void;
}) {
  const page = usePage();
  const text = JSON.stringify(event, null, 2);
  return (
    <Dialog
      title={title}
      size="page"
      onEscape={onClose}
      actions={
        <>
          <Button icon={<Copy aria-hidden="true" />} onClick={() => void copied(page, text)}>
            Copy
          </Button>
          <Button kind="primary" autoFocus onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <CodeField label="The event as JSON" language="json" readOnly value={text} />
    </Dialog>
  );
}
