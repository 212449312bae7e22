import { Trash2 } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { dateTime } from '../../../features/times.ts';
import { Button } from '../../ui/Button.tsx';
import { usePage } from '../page.tsx';
import styles from './assist.module.css';
import type { Assist } from './store.ts';

/** The conversations there are, the newest first. */
export function History({ assist, onOpen }: { readonly assist: Assist; readonly onOpen: (id: string) => void }) {
  const { confirm } = usePage();
  const { conversations, current } = useSnapshot(assist.state);
  const remove = async (id: string, title: string): Promise<void> => {
    const isSure = await confirm({
      title: `Delete "${title}"?`,
      text: 'What was said in this conversation is gone then. What was run stays in recordings and the audit log.',
      action: 'Yes, delete',
    });
    if (isSure) await assist.remove(id);
    if (isSure && current === id) onOpen('');
  };
  return (
    <nav className={styles.history} aria-label="Conversations">
      {conversations.length === 0 && <p className={styles.quiet}>No conversations yet.</p>}
      <ul>
        {conversations.map(({ id, title = 'New conversation', created_time }) => (
          <li key={id}>
            <button type="button" aria-current={id === current ? 'true' : undefined} onClick={() => onOpen(id)}>
              {title}
              <span>{dateTime(created_time)}</span>
            </button>
            <Button
              kind="quiet"
              size="dense"
              aria-label={`Delete ${title}`}
              icon={<Trash2 aria-hidden="true" />}
              onClick={() => void remove(id, title)}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}
