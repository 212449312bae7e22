import { Search, X } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import styles from './search.module.css';

export interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  /** On Enter, and when cleared; with `live` on every change. */
  readonly onSearch: (text: string) => void;
  readonly live?: boolean;
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
  readonly children?: ReactNode;
}

/** A list's filter. Escape leaves it, and clears it when it is left already empty of changes. */
export function SearchField({ label, placeholder, value, onSearch, live, mono, ref, children }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it must be a form too, so that Enter submits.
    <form
      role="search"
      className={styles.search}
      onSubmit={event => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <Search aria-hidden="true" />
      <input
        ref={ref}
        aria-label={label}
        placeholder={placeholder}
        className={mono ? styles.mono : undefined}
        value={typed}
        spellCheck={false}
        autoComplete="off"
        onChange={event => {
          setTyped(event.target.value);
          if (live) onSearch(event.target.value);
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      {typed !== '' && (
        <button
          type="button"
          className={styles.clear}
          aria-label="Clear the filter"
          onClick={() => {
            setTyped('');
            onSearch('');
          }}
        >
          <X aria-hidden="true" />
        </button>
      )}
      {children}
    </form>
  );
}
