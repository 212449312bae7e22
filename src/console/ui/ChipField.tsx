import { Plus, RotateCcw, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import styles from './chips.module.css';
import fieldStyles from './field.module.css';
import { joined } from './joined.ts';

/** Known values offered at once; typing narrows them. */
const OFFERED_MOST = 12;

export interface ChipFieldProps {
  readonly label: string;
  readonly tip?: string;
  /** Replaces the label. */
  readonly error?: string | undefined;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** Values that somebody has used or defined. Others may be typed all the same. */
  readonly known: readonly string[];
  /** What is kept now: what is added to it and taken from it is marked. Undefined: nothing is kept yet. */
  readonly before?: readonly string[] | undefined;
  readonly autoFocus?: boolean;
}

/** Several values as chips. Enter or a comma takes what was typed, Backspace the last chip away, the arrows choose among known values. */
export function ChipField({ label, tip, error, values, onChange, known, before, autoFocus }: ChipFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(-1);
  const wanted = typed.trim().toLowerCase();
  const offered = known
    .filter(value => !values.includes(value) && value.toLowerCase().includes(wanted))
    .slice(0, OFFERED_MOST);
  const removed = (before ?? []).filter(value => !values.includes(value));
  const add = (...more: readonly string[]): void => {
    const named = more.map(value => value.trim()).filter(value => value !== '');
    onChange([...new Set([...values, ...named])]);
    setTyped('');
    setAt(-1);
    input.current?.focus();
  };
  const take = (value: string): void => {
    onChange(values.filter(one => one !== value));
    input.current?.focus();
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const chosen = offered[at];
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && (chosen !== undefined || wanted !== ''))
      add(chosen ?? typed);
    else if (event.key === ',') add(typed);
    else if (event.key === 'Backspace' && typed === '' && values.length > 0) take(values.at(-1) ?? '');
    else if (event.key === 'ArrowDown' && offered.length > 0) setAt((at + 1) % offered.length);
    else if (event.key === 'ArrowUp' && offered.length > 0) setAt(at <= 0 ? offered.length - 1 : at - 1);
    else if (event.key === 'Escape' && at !== -1) {
      setAt(-1);
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };
  const changes = [
    ...values.filter(value => before !== undefined && !before.includes(value)).map(value => `adds ${value}`),
    ...removed.map(value => `takes away ${value}`),
  ];
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id} className={joined(fieldStyles.label, error !== undefined && fieldStyles.wrong)}>
        {error ?? label}
      </label>
      <div className={styles.box}>
        {values.map(value => (
          <span key={value} className={joined(styles.chip, before?.includes(value) === false && styles.added)}>
            <code>{value}</code>
            <button type="button" tabIndex={-1} aria-label={`Take away ${value}`} onClick={() => take(value)}>
              <X aria-hidden="true" />
            </button>
          </span>
        ))}
        {removed.map(value => (
          <span key={value} className={joined(styles.chip, styles.removed)}>
            <s>
              <code>{value}</code>
            </s>
            <button type="button" tabIndex={-1} aria-label={`Keep ${value}`} onClick={() => add(value)}>
              <RotateCcw aria-hidden="true" />
            </button>
          </span>
        ))}
        <input
          ref={input}
          id={id}
          className={styles.input}
          role="combobox"
          aria-label={error === undefined ? undefined : label}
          aria-invalid={error === undefined ? undefined : true}
          aria-autocomplete="list"
          aria-expanded={offered.length > 0}
          aria-controls={`${id}-known`}
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          aria-describedby={`${id}-tip`}
          // biome-ignore lint/a11y/noAutofocus: the dialog around it gives its first field the keys.
          autoFocus={autoFocus}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          onChange={event => {
            setTyped(event.target.value);
            setAt(-1);
          }}
          onKeyDown={handleKeyDown}
          onPaste={event => {
            const pasted = event.clipboardData.getData('text');
            if (!/[\s,]/.test(pasted.trim())) return;
            event.preventDefault();
            add(...pasted.split(/[\s,]+/));
          }}
          onBlur={() => {
            if (wanted === '') return;
            onChange([...new Set([...values, typed.trim()])]);
            setTyped('');
          }}
        />
      </div>
      <div id={`${id}-known`} role="listbox" aria-label={`Known: ${label}`} className={styles.known}>
        {offered.map((value, index) => (
          // biome-ignore lint/a11y: the field has the focus and hears the keys, as a combobox does.
          <span
            key={value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={styles.offer}
            onPointerDown={event => event.preventDefault()}
            onClick={() => add(value)}
          >
            <Plus aria-hidden="true" />
            {value}
          </span>
        ))}
      </div>
      <p id={`${id}-tip`} className={fieldStyles.tip} role="status">
        {changes.length > 0 ? `This ${changes.join(', ')}.` : tip}
      </p>
    </div>
  );
}
