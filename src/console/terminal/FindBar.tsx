import { CaseSensitive, ChevronDown, ChevronUp, Regex, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import styles from './pane.module.css';
import { FIND_FIELD, type Terminals } from './tabs.ts';

const isPattern = (text: string): boolean => {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false; // half-typed patterns are normal
  }
};

/** Finds text in the terminal in front: Enter goes on, Shift+Enter back, Escape ends it. */
export function FindBar({ terminals }: { readonly terminals: Terminals }) {
  const { state } = terminals;
  const { found, current } = useSnapshot(state);
  const [text, setText] = useState('');
  const [caseSensitive, setCase] = useState(false);
  const [regex, setRegex] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const bad = regex && !isPattern(text);

  const find = (back: boolean, typing: boolean): void => {
    if (!bad) terminals.handle(state.current)?.find(text, { back, caseSensitive, regex, typing });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: searches when what is looked for changes, not when `find` is made anew
  useEffect(() => find(false, true), [text, caseSensitive, regex]);
  useEffect(() => {
    input.current?.focus();
    return () => {
      terminals.handle(current)?.endFind();
      state.found = { index: -1, count: 0 };
    };
  }, [terminals, state, current]);

  const end = (): void => {
    state.finding = false;
    terminals.handle(state.current)?.focus();
  };
  const count =
    text === ''
      ? ''
      : bad
        ? 'Not a pattern'
        : found.count === 0
          ? 'None found'
          : `${found.index < 0 ? '–' : found.index + 1} of ${found.count}`;
  return (
    <search className={styles.find}>
      <input
        ref={input}
        id={FIND_FIELD}
        className={styles.field}
        aria-label="Find in the terminal"
        aria-invalid={bad}
        placeholder="Find"
        spellCheck={false}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') find(event.shiftKey, false);
          else if (event.key === 'Escape') end();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <output className={styles.count}>{count}</output>
      <button
        type="button"
        className={styles.icon}
        aria-pressed={caseSensitive}
        aria-label="Match case"
        title="Match case"
        onClick={() => setCase(!caseSensitive)}
      >
        <CaseSensitive size={14} aria-hidden />
      </button>
      <button
        type="button"
        className={styles.icon}
        aria-pressed={regex}
        aria-label="Regular expression"
        title="Regular expression"
        onClick={() => setRegex(!regex)}
      >
        <Regex size={14} aria-hidden />
      </button>
      <button
        type="button"
        className={styles.icon}
        aria-label="Previous match"
        title="Previous match (Shift+Enter)"
        onClick={() => find(true, false)}
      >
        <ChevronUp size={14} aria-hidden />
      </button>
      <button
        type="button"
        className={styles.icon}
        aria-label="Next match"
        title="Next match (Enter)"
        onClick={() => find(false, false)}
      >
        <ChevronDown size={14} aria-hidden />
      </button>
      <button
        type="button"
        className={styles.icon}
        aria-label="End the search"
        title="End the search (Escape)"
        onClick={end}
      >
        <X size={14} aria-hidden />
      </button>
    </search>
  );
}
