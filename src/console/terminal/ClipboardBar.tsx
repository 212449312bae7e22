import styles from './pane.module.css';
import type { Terminals } from './terminals.ts';

/** Asks whether programs on a server may write the clipboard. It takes no keys: the palette has both answers as commands. */
export function ClipboardBar({ terminals, title }: { readonly terminals: Terminals; readonly title: string }) {
  const host = title.slice(title.indexOf('@') + 1);
  return (
    <div className={styles.connection} data-kind="wait" role="status">
      <span>A program on {host} wants to write your clipboard.</span>
      {[true, false].map(isAllowed => (
        <button
          key={String(isAllowed)}
          type="button"
          className={styles.action}
          // The terminal keeps the keys.
          onPointerDown={event => event.preventDefault()}
          onClick={() => terminals.allowClipboard(isAllowed)}
        >
          {isAllowed ? `Allow for ${host}` : 'Never'}
        </button>
      ))}
    </div>
  );
}
