import styles from './pane.module.css';
import type { Tab } from './tab.ts';
import type { Terminals } from './terminals.ts';

/** Says over the terminal that it is not connected, why, and what can be done; the screen below stays readable. */
export function ConnectionBar({
  terminals,
  tab,
}: {
  readonly terminals: Terminals;
  readonly tab: Pick<Tab, 'status' | 'problem' | 'key' | 'since'>;
}) {
  if (tab.status === 'connected') return null;
  if (tab.status === 'connecting')
    return (
      <div className={styles.connection} data-kind="wait" role="status">
        Connecting…
      </div>
    );
  const reconnecting = tab.status === 'reconnecting';
  const again = tab.since > 0 ? 'Open a new session' : 'Try again';
  return (
    <div className={styles.connection} data-kind={reconnecting ? 'wait' : 'refused'} role="status">
      <span>{reconnecting ? `${tab.problem}. Reconnecting; what you type is kept.` : tab.problem}</span>
      <button type="button" className={styles.action} onClick={() => terminals.handle(tab.key)?.reconnect()}>
        {reconnecting ? 'Try now' : again}
      </button>
      {!reconnecting && (
        <button type="button" className={styles.action} onClick={() => void terminals.close(tab.key)}>
          Close
        </button>
      )}
    </div>
  );
}
