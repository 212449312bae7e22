import { useSnapshot } from 'valtio';
import styles from './pane.module.css';
import type { SoftKey } from './ports.ts';
import type { Terminals } from './terminals.ts';

const keys: readonly { readonly key: SoftKey; readonly text: string; readonly name: string }[] = [
  { key: 'escape', text: 'Esc', name: 'Esc' },
  { key: 'tab', text: 'Tab', name: 'Tab' },
  { key: 'ctrl', text: 'Ctrl', name: 'Ctrl, for the next key' },
  { key: 'alt', text: 'Alt', name: 'Alt, for the next key' },
  { key: 'left', text: '←', name: 'Left' },
  { key: 'down', text: '↓', name: 'Down' },
  { key: 'up', text: '↑', name: 'Up' },
  { key: 'right', text: '→', name: 'Right' },
];

/** The keys that a phone's keyboard lacks; shown below 656 px and wherever fingers point. */
export function KeyRow({ terminals }: { readonly terminals: Terminals }) {
  const { modifiers, current } = useSnapshot(terminals.state);
  return (
    <div className={styles.keys} role="toolbar" aria-label="Terminal keys">
      {keys.map(({ key, text, name }) => (
        <button
          key={key}
          type="button"
          aria-label={name}
          aria-pressed={key === 'ctrl' || key === 'alt' ? modifiers[key] : undefined}
          // The terminal keeps the focus, and with it the phone keeps its keyboard.
          onPointerDown={event => event.preventDefault()}
          onClick={() => terminals.handle(current)?.type(key)}
        >
          {text}
        </button>
      ))}
      <button
        type="button"
        onPointerDown={event => event.preventDefault()}
        onClick={() => terminals.handle(current)?.paste()}
      >
        Paste
      </button>
    </div>
  );
}
