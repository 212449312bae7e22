import { playerKeys } from './keys.ts';
import styles from './player.module.css';

/** The player's keys, from the rows that the handler reads. */
export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <aside className={styles.help} aria-label="Keys of the player">
      <dl>
        {playerKeys.map(({ shown, title }) => (
          <div key={title}>
            <dt>
              {shown.split(' ').map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className={styles.button} onClick={onClose}>
        Close
      </button>
    </aside>
  );
}
