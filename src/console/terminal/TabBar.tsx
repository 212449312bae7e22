import { Eye, Link, Plus, Users, Wifi, X } from 'lucide-react';
import { useSnapshot } from 'valtio';
import styles from './pane.module.css';
import { latencyGrade, type Tab } from './tab.ts';
import type { Terminals } from './tabs.ts';

const statusText = {
  connecting: 'Connecting',
  connected: 'Connected',
  reconnecting: 'Reconnecting',
  refused: 'Not connected',
} as const;

/** The tabs, 32 px high: who takes part, login@host, and how far away it is. */
export function TabBar({ terminals }: { readonly terminals: Terminals }) {
  const { tabs, current } = useSnapshot(terminals.state);
  const front = tabs.find(tab => tab.key === current);
  return (
    <div className={styles.bar}>
      <div role="tablist" aria-label="Open terminals" className={styles.tabs}>
        {tabs.map((tab, index) => (
          <OneTab key={tab.key} tab={tab} index={index} current={tab.key === current} terminals={terminals} />
        ))}
      </div>
      <button
        type="button"
        className={styles.icon}
        aria-label="Open a shell"
        title="Open a shell"
        onClick={() => terminals.ports.openPalette('Open a shell')}
      >
        <Plus size={14} aria-hidden />
      </button>
      <span className={styles.gap} />
      {front?.mode !== undefined && front.mode !== 'peer' && (
        <span className={styles.mark} title="You watch this session: nothing you type reaches it">
          <Eye size={14} aria-hidden /> Read-only
        </span>
      )}
      {front?.latency && <Latency latency={front.latency} />}
      {front && front.sid !== '' && (
        <button
          type="button"
          className={styles.icon}
          aria-label="Copy link to this session"
          title="Copy link to this session"
          onClick={terminals.copyLink}
        >
          <Link size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}

function OneTab(props: {
  readonly tab: Readonly<Omit<Tab, 'users'>> & { readonly users: readonly string[] };
  readonly index: number;
  readonly current: boolean;
  readonly terminals: Terminals;
}) {
  const { tab, index, current, terminals } = props;
  const close = (): void => void terminals.close(tab.key);
  return (
    <div
      role="presentation"
      className={current ? `${styles.tab} ${styles.current}` : styles.tab}
      data-status={tab.status}
      onAuxClick={event => event.button === 1 && close()}
    >
      {tab.bells > 0 && <span key={tab.bells} className={styles.flash} aria-hidden />}
      <button
        type="button"
        role="tab"
        aria-keyshortcuts="Delete"
        id={`tab-${tab.key}`}
        aria-selected={current}
        aria-controls={`terminal-${tab.key}`}
        tabIndex={current ? 0 : -1}
        className={styles.title}
        title={
          index < 9
            ? `${tab.title}: ${statusText[tab.status]} (Alt+${index + 1})`
            : `${tab.title}: ${statusText[tab.status]}`
        }
        onClick={() => terminals.select(tab.key)}
        onKeyDown={event => {
          if (event.key === 'Delete') close();
          else if (event.key === 'ArrowRight') terminals.step(1);
          else if (event.key === 'ArrowLeft') terminals.step(-1);
          else return;
          event.preventDefault();
        }}
      >
        <span className={styles.dot} aria-hidden />
        {tab.users.length > 1 && (
          <span className={styles.users} title={tab.users.join('\n')}>
            <Users size={12} aria-label={`${tab.users.length} participants: ${tab.users.join(', ')}`} />{' '}
            {tab.users.length}
          </span>
        )}
        {tab.title}
      </button>
      <button
        type="button"
        className={styles.close}
        tabIndex={-1}
        // A list of tabs holds tabs only: by keyboard and by ear, Delete and the command close one.
        aria-hidden
        title={`Close ${tab.title}`}
        onClick={close}
      >
        <X size={12} aria-hidden />
      </button>
    </div>
  );
}

/** You to gateway, gateway to server, and both together. */
function Latency({ latency }: { readonly latency: { readonly ws: number; readonly ssh: number } }) {
  const total = latency.ws + latency.ssh;
  return (
    <span
      className={styles.latency}
      data-grade={latencyGrade(latency)}
      title={`You – ${latency.ws} ms – gateway – ${latency.ssh} ms – server: ${total} ms`}
    >
      <Wifi size={14} aria-hidden /> {total} ms
    </span>
  );
}
