import styles from './pane.module.css';
import type { Tab } from './tab.ts';
import type { Terminals } from './terminals.ts';

/** In place of a terminal that another window has: that window has its keys, and here is the way back. */
export function Away({
  terminals,
  tab: { key, sid, title },
}: {
  readonly terminals: Terminals;
  readonly tab: Pick<Tab, 'key' | 'sid' | 'title'>;
}) {
  return (
    <div id={`terminal-${key}`} className={styles.blank} role="tabpanel" aria-label={`Terminal ${title}`}>
      <p>{title} is in a window of its own, which has its keys.</p>
      <button type="button" className={styles.action} onClick={() => terminals.bringBack(sid)}>
        Bring it back
      </button>
      <button type="button" className={styles.action} onClick={() => terminals.showWindow(sid)}>
        Show that window
      </button>
    </div>
  );
}
