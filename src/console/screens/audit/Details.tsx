import { Copy } from 'lucide-react';
import type { AuditEvent } from '../../../contract/audit.ts';
import { codeDescription } from '../../../contract/audit-codes.ts';
import { describe } from '../../../contract/audit-text.ts';
import { nouns } from '../../../features/nouns.ts';
import { eventId } from '../../../features/recording.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { JsonTree } from '../../ui/JsonTree.tsx';
import { copied } from '../Copyable.tsx';
import { usePage } from '../page.tsx';
import { useNamed } from '../use-named.ts';
import styles from './audit.module.css';
import { iconOfCode } from './group-icons.ts';

/** The event that the address names, whole, as a tree of its fields. */
export function Details({ events }: { readonly events: readonly AuditEvent[] }) {
  const page = usePage();
  const { item: event, close } = useNamed<AuditEvent>({
    part: 'event',
    one: nouns.event.one,
    known: id => events.find(one => eventId(one) === id),
    ask: async id => {
      const asked = { clusterId: page.clusterId, search: id, limit: 1, startKey: '' };
      // Most events that an address names are among those on screen.
      const { items } = await import('../../../features/items.ts');
      return (await items.event.list(page.api, asked)).items.find(one => eventId(one) === id);
    },
  });
  if (event === null) return null;
  const { label: group } = iconOfCode(event.code);
  return (
    <Dialog
      title={codeDescription(event.code)}
      size="page"
      onEscape={close}
      actions={
        <>
          <span className={styles.hint}>Enter copies the field under the cursor</span>
          <Button icon={<Copy aria-hidden="true" />} onClick={() => void copied(page, JSON.stringify(event, null, 2))}>
            Copy as JSON
          </Button>
          <Button kind="primary" autoFocus onClick={close}>
            Close
          </Button>
        </>
      }
    >
      <p className={styles.said}>
        {group}: {describe(event)}
      </p>
      <JsonTree label="Fields of the event" value={event} onCopy={text => void copied(page, text)} />
    </Dialog>
  );
}
