import { Check, X } from 'lucide-react';
import type { FileEvent } from '../../client/terminal-frames.ts';
import { requestText } from './approvals.ts';
import styles from './pane.module.css';
import type { Terminals } from './terminals.ts';

/** File transfers that somebody in a session asks for: one's own to take back, those of others to approve or to deny. */
export function FileRequests({
  terminals,
  tabKey,
  asked,
  user,
}: {
  readonly terminals: Terminals;
  readonly tabKey: string;
  readonly asked: readonly FileEvent[];
  /** Name of the person at this console. */
  readonly user: string;
}) {
  const decide = (id: string, approves: boolean) => terminals.handle(tabKey)?.decideFile(id, approves);
  return (
    <section className={styles.files} aria-label="File transfer requests">
      <h2>File transfer requests</h2>
      <ul>
        {asked.map(one => {
          const what = requestText(one);
          const isOwn = one.requester === user;
          return (
            <li key={one.requestID}>
              <span>
                {isOwn ? `Your ${what}` : `${one.requester}: ${what}`}
                {one.approvers.length > 0 && `, approved by ${one.approvers.join(', ')}`}
              </span>
              {!isOwn && (
                <button
                  type="button"
                  className={styles.action}
                  aria-label={`Approve the ${what}`}
                  disabled={one.approvers.includes(user)}
                  onClick={() => decide(one.requestID, true)}
                >
                  <Check size={14} aria-hidden /> Approve
                </button>
              )}
              <button
                type="button"
                className={styles.action}
                aria-label={`${isOwn ? 'Cancel' : 'Deny'} the ${what}`}
                onClick={() => decide(one.requestID, false)}
              >
                <X size={14} aria-hidden /> {isOwn ? 'Cancel' : 'Deny'}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
