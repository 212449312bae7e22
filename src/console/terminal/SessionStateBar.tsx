import type { SessionState } from '../../contract/terminal.ts';
import styles from './pane.module.css';
import type { Tab } from './tab.ts';
import type { Terminals } from './terminals.ts';

/** Says over the terminal why its session does not run, and what can be done. It takes no keys: the palette has all of it as commands. */
export function SessionStateBar({
  terminals,
  tab: { sessionState, mode },
}: {
  readonly terminals: Terminals;
  readonly tab: Pick<Tab, 'mode'> & { readonly sessionState: SessionState };
}) {
  if (sessionState.state === 'running') return null;
  const acts = [
    ...(sessionState.state === 'paused' && mode === 'moderator'
      ? [{ title: 'Resume', act: () => terminals.control({ action: 'resume', party: '' }) }]
      : []),
    ...(mode === 'peer' ? [{ title: 'Copy an invitation to moderate', act: () => terminals.invite('moderator') }] : []),
  ];
  return (
    <div className={styles.connection} data-kind="wait" role="status">
      <span>{sessionState.why}</span>
      {acts.map(({ title, act }) => (
        <button
          key={title}
          type="button"
          className={styles.action}
          // The terminal keeps the keys.
          onPointerDown={event => event.preventDefault()}
          onClick={act}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
