import { Search, X } from 'lucide-react';
import { type InputHTMLAttributes, type KeyboardEvent, type ReactNode, type Ref, useEffect, useState } from 'react';
import styles from './search.module.css';

export interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  /** On Enter, and when cleared; with `live` on every change. */
  readonly onSearch: (text: string) => void;
  readonly live?: boolean;
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLInputElement> | undefined;
  readonly children?: ReactNode;
  /** Every change, whether it is searched for or not. */
  readonly onType?: (text: string) => void;
  /** Hears keys first; true: the key has been used. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => boolean;
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
  /** Further attributes of the input, such as those of a combobox. */
  readonly field?: InputHTMLAttributes<HTMLInputElement>;
}

/** A list's filter. Escape leaves it, and clears it when it is left already empty of changes. */
export function SearchField({
  label,
  placeholder,
  value,
  onSearch,
  live,
  mono,
  ref,
  children,
  ...more
}: SearchFieldProps) {
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
        {...more.field}
        ref={ref}
        aria-label={label}
        placeholder={placeholder}
        className={mono ? styles.mono : undefined}
        value={typed}
        spellCheck={false}
        autoComplete="off"
        onChange={event => {
          setTyped(event.target.value);
          more.onType?.(event.target.value);
          if (live) onSearch(event.target.value);
        }}
        onKeyDown={event => {
          if (more.onKeyDown?.(event) === true) return;
          if (event.key !== 'Escape') return;
          // Not to nobody: where the keys are is always seen.
          const page = event.currentTarget.closest('main');
          if (page === null) event.currentTarget.blur();
          else page.focus();
        }}
        onFocus={more.onFocus}
        onBlur={more.onBlur}
      />
      {typed !== '' && (
        <button
          type="button"
          className={styles.clear}
          aria-label="Clear the filter"
          onClick={() => {
            setTyped('');
            more.onType?.('');
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
