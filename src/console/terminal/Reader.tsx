import { useEffect, useRef, useState } from 'react';
import styles from './pane.module.css';
import type { Terminals } from './terminals.ts';

/**
 * The output of the terminal in front as text: the arrows walk it line by line, Shift selects, and screen readers read it as any
 * other text. It stays as it was when it was opened; asked for again, it is read anew. Escape goes back to the terminal.
 */
export function Reader({ terminals, title }: { readonly terminals: Terminals; readonly title: string }) {
  const { state } = terminals;
  const [text] = useState(() => terminals.handle(state.current)?.text() ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const area = field.current;
    if (area === null) return;
    area.focus();
    // What came last is what was asked for most likely: the caret is at its beginning.
    const at = area.value.lastIndexOf('\n') + 1;
    area.setSelectionRange(at, at);
    area.scrollTop = area.scrollHeight;
    // Not readOnly, which would leave it without a caret to walk with: nothing that is typed, cut or dropped changes it.
    const keep = (event: InputEvent): void => event.preventDefault();
    area.addEventListener('beforeinput', keep);
    return () => area.removeEventListener('beforeinput', keep);
  }, []);
  return (
    <section className={styles.reader} aria-label={`Text of ${title}`}>
      <textarea
        ref={field}
        className={styles.text}
        aria-label={`Text of ${title}, ${text.split('\n').length} lines`}
        aria-describedby="reader-keys"
        aria-readonly="true"
        wrap="off"
        spellCheck={false}
        defaultValue={text}
        onKeyDown={event => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          state.reading = 0;
          terminals.handle(state.current)?.focus();
        }}
      />
      <p id="reader-keys" className={styles.readerKeys}>
        As it was when opened. <kbd>Esc</kbd> goes back to the terminal.
      </p>
    </section>
  );
}
