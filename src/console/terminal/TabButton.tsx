import { Eye, Users, X } from 'lucide-react';
import { joined } from '../ui/joined.ts';
import { companyText } from './company.ts';
import type { Tab } from './tab.ts';
import styles from './tab-bar.module.css';
import { middleCut } from './tab-text.ts';
import type { Terminals } from './terminals.ts';

/** A tab that is dragged, as browsers pass it on. */
const DRAGGED = 'application/x-postern-tab';
const statusTexts = {
  connecting: 'Connecting',
  connected: 'Connected',
  reconnecting: 'Reconnecting',
  refused: 'Not connected',
  away: 'In a window of its own',
} as const;

/** One tab: how its connection stands, what it is on, who takes part beside this person, and the way to close it. */
export function TabButton(props: {
  readonly tab: Readonly<Tab>;
  /** What the tab is called, and how that is written here. */
  readonly title: string;
  readonly text: string;
  /** Terminals in it. */
  readonly count: number;
  readonly index: number;
  readonly isCurrent: boolean;
  readonly terminals: Terminals;
}) {
  const { tab, title, text, count, index, isCurrent, terminals } = props;
  const close = (): void => void terminals.close(tab.key);
  const company = companyText(tab);
  const [head, tail] = middleCut(text);
  // Tabs that would be alike have a number, which is read as it is seen.
  const number = / \(\d+\)$/.exec(text)?.[0] ?? '';
  const name = [`${title}${number}`, company, count > 1 ? `${count} terminals` : '']
    .filter(part => part !== '')
    .join(', ');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has commands; this takes tabs that are dragged here.
    <div
      role="presentation"
      className={joined(styles.tab, isCurrent && styles.current)}
      data-status={tab.status}
      data-tab={tab.group}
      draggable
      onDragStart={event => event.dataTransfer.setData(DRAGGED, tab.group)}
      onDragOver={event => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
      onDrop={event => {
        const dragged = event.dataTransfer.getData(DRAGGED);
        if (dragged === '') return;
        event.preventDefault();
        terminals.moveGroup(dragged, index);
      }}
      // The press took the keys from the shell: the tab that was moved gets them, as one that was clicked.
      onDragEnd={event => event.dataTransfer.dropEffect !== 'none' && terminals.select(tab.key)}
      onAuxClick={event => event.button === 1 && close()}
    >
      {tab.bells > 0 && <span key={tab.bells} className={styles.flash} aria-hidden />}
      <button
        type="button"
        role="tab"
        aria-label={name}
        aria-keyshortcuts="Delete"
        id={`tab-${tab.key}`}
        aria-selected={isCurrent}
        aria-controls={`terminal-${tab.key}`}
        tabIndex={isCurrent ? 0 : -1}
        className={styles.title}
        title={`${name}: ${statusTexts[tab.status]}${index < 9 ? ` (Alt+${index + 1})` : ''}`}
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
        <span className={styles.text}>
          <span className={styles.head}>{head}</span>
          <span>{tail}</span>
        </span>
        {/* Spaces are read and not seen: what is read begins with what is seen, word for word. */}
        {company !== '' && ' '}
        {company !== '' && (
          <span className={styles.company}>
            {/watch|moderate/.test(company) ? <Eye size={12} aria-hidden /> : <Users size={12} aria-hidden />}
            <span className={styles.names}>{company}</span>
          </span>
        )}
        {count > 1 && ' '}
        {count > 1 && <span className={styles.count}>{count}</span>}
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
