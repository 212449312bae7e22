import { FileText } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useSnapshot } from 'valtio';
import { listRoles, type ResourceItem } from '../../../contract/roles.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useAgain } from '../again.ts';
import { ClientList } from '../ClientList.tsx';
import { usePage } from '../page.tsx';
import { createWhole } from '../whole.ts';
import styles from './roles.module.css';

/** What people may do here: every role, readable as the YAML it is kept in. */
export default function Roles() {
  const { api } = usePage();
  const list = useMemo(() => createWhole<ResourceItem>(() => api(listRoles)), [api]);
  const shown = useSnapshot(list.state);
  const [open, setOpen] = useState<ResourceItem | null>(null);
  useEffect(() => void list.load(), [list]);
  useAgain(list.load);
  return (
    <>
      <ClientList<ResourceItem>
        title="User Roles"
        noun="role"
        size={20}
        sort={{ key: 'name', down: false }}
        status={shown.status}
        error={shown.error}
        rows={shown.rows as readonly ResourceItem[]}
        rowKey={role => role.id}
        thingOf={role => ({ kind: 'role', id: role.name, title: role.name })}
        words={role => role.name}
        sortBy={role => role.name}
        columns={[
          { key: 'name', title: 'Name', sorts: true, mono: true, phone: 'first', draw: role => role.name },
          {
            key: 'actions',
            title: 'Actions',
            quiet: true,
            width: '110px',
            phone: 'action',
            draw: role => (
              <Button
                size="dense"
                tabIndex={-1}
                data-primary
                icon={<FileText aria-hidden="true" />}
                aria-label={`View ${role.name}`}
                onClick={() => setOpen(role)}
              >
                View
              </Button>
            ),
          },
        ]}
        empty={<p>Roles say who may reach what.</p>}
      />
      {open !== null && (
        <Dialog
          title={open.name}
          size="page"
          onEscape={() => setOpen(null)}
          actions={
            <Button kind="primary" autoFocus onClick={() => setOpen(null)}>
              Close
            </Button>
          }
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long roles scroll, and scrolling must work by keyboard. */}
          <pre className={styles.yaml} tabIndex={0}>
            {open.content}
          </pre>
        </Dialog>
      )}
    </>
  );
}
