import { Copy } from 'lucide-react';
import type { AuditEvent } from '../../../contract/audit.ts';
import { codeDescription } from '../../../contract/audit-codes.ts';
import { items } from '../../../features/items.ts';
import { nouns } from '../../../features/nouns.ts';
import { eventId } from '../../../features/recording.ts';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { copied } from '../Copyable.tsx';
import { usePage } from '../page.tsx';
import { useNamed } from '../use-named.ts';

/** The event that the address names, whole, as JSON. */
export function Details({ events }: { readonly events: readonly AuditEvent[] }) {
  const page = usePage();
  const { item: event, close } = useNamed<AuditEvent>({
    part: 'event',
    one: nouns.event.one,
    known: id => events.find(one => eventId(one) === id),
    ask: async id => {
      const asked = { clusterId: page.clusterId, search: id, limit: 1, startKey: '' };
      return (await items.event.list(page.api, asked)).items.find(one => eventId(one) === id);
    },
  });
  if (event === null) return null;
  const text = JSON.stringify(event, null, 2);
  return (
    <Dialog
      title={codeDescription(event.code)}
      size="page"
      onEscape={close}
      actions={
        <>
          <Button icon={<Copy aria-hidden="true" />} onClick={() => void copied(page, text)}>
            Copy
          </Button>
          <Button kind="primary" autoFocus onClick={close}>
            Close
          </Button>
        </>
      }
    >
      <CodeField label="The event as JSON" language="json" readOnly value={text} />
    </Dialog>
  );
}
