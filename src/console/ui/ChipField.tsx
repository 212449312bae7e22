import { Plus, RotateCcw, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import styles from './chips.module.css';
import fieldStyles from './field.module.css';
import { joined } from './joined.ts';

/** Known values offered at once; typing narrows them. */
const OFFERED_MOST = 12;
/** How far each key goes among them: PageUp and PageDown go five (specification section 9: selectors). */
export const OFFER_STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 };

export interface ChipFieldProps {
  readonly label: string;
  readonly tip?: string;
  /** Replaces the label. */
  readonly error?: string | undefined;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** Values that somebody has used or defined; null while they are on their way. Others may be typed all the same. */
  readonly known: readonly string[] | null;
  /** What is kept now: what is added to it and taken from it is marked. Undefined: nothing is kept yet. */
  readonly before?: readonly string[] | undefined;
  readonly autoFocus?: boolean;
}

/** Several values as chips. Enter or a comma takes what was typed, Backspace the last chip away, the arrows choose among known values. */
export function ChipField({ label, tip, error, values, onChange, known, before, autoFocus }: ChipFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  /** How far the arrows have gone, from the first known value on; null: they choose none. */
  const [steps, setSteps] = useState<number | null>(null);
  /** Enter was pressed on a value that is on its way. */
  const [isAwaited, setAwaited] = useState(false);
  const wanted = typed.trim().toLowerCase();
  const offered = (known ?? [])
    .filter(value => !values.includes(value) && value.toLowerCase().includes(wanted))
    .slice(0, OFFERED_MOST);
  const isMoving = known === null || offered.length > 0;
  const at = steps === null || offered.length === 0 ? -1 : ((steps % offered.length) + offered.length) % offered.length;
  const removed = (before ?? []).filter(value => !values.includes(value));
  const add = (...more: readonly string[]): void => {
    const named = more.map(value => value.trim()).filter(value => value !== '');
    onChange([...new Set([...values, ...named])]);
    setTyped('');
    setSteps(null);
    setAwaited(false);
  };
  useEffect(() => {
    if (isAwaited && known !== null) add(offered[at] ?? typed);
  });
  const keep = (value: string): void => {
    add(value);
    input.current?.focus();
  };
  const take = (value: string): void => {
    onChange(values.filter(one => one !== value));
    input.current?.focus();
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const isEnter = event.key === 'Enter';
    const step = OFFER_STEPS[event.key];
    if (isEnter && known === null && steps !== null) setAwaited(true);
    else if (isEnter && (at >= 0 || wanted !== '')) add(offered[at] ?? typed);
    else if (event.key === ',') add(typed);
    else if (event.key === 'Backspace' && typed === '' && values.length > 0) take(values.at(-1) ?? '');
    else if (step !== undefined && isMoving) setSteps(steps === null && step > 0 ? step - 1 : (steps ?? 0) + step);
    else if (event.key === 'Escape' && steps !== null && isMoving) {
      setSteps(null);
      setAwaited(false);
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
            <button type="button" tabIndex={-1} aria-label={`Keep ${value}`} onClick={() => keep(value)}>
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
            setSteps(null);
            setAwaited(false);
          }}
          onKeyDown={handleKeyDown}
          onPaste={event => {
            const pasted = event.clipboardData.getData('text');
            if (!/[\s,]/.test(pasted.trim())) return;
            event.preventDefault();
            add(...pasted.split(/[\s,]+/));
          }}
          onBlur={() => {
            if (wanted === '' || isAwaited) return;
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
            onClick={() => keep(value)}
          >
            <Plus aria-hidden="true" />
            {value}
          </span>
        ))}
      </div>
      <p id={`${id}-tip`} className={fieldStyles.tip} role="status">
        {known === null && steps !== null
          ? 'The known ones are on their way.'
          : changes.length > 0
            ? `This ${changes.join(', ')}.`
            : tip}
      </p>
    </div>
  );
}
