import { Copy } from 'lucide-react';
import type { AuditEvent } from '../../../contract/audit.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { copied } from '../Copyable.tsx';
import { usePage } from '../page.tsx';
import styles from './audit.module.css';

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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long events scroll, and scrolling must work by keyboard. */}
      <pre className={styles.json} tabIndex={0}>
        {text}
      </pre>
    </Dialog>
  );
}
