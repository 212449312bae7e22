// A filter with a language of its own: what may come next is offered while it is written, and a fault is marked where it stands.
import { CircleHelp } from 'lucide-react';
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react';
import type { ManualLinkId } from '../../features/manual.ts';
import { ManualLink } from '../manual/ManualLink.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import type { LabelsSeen } from './labels-seen.ts';
import { faultAt } from './list-query.ts';
import { type Suggestion, suggestionsAt, taken } from './query-completion.ts';
import styles from './query-field.module.css';

export interface QueryFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  /** Written into the field and not searched for: that takes Enter. */
  readonly draft?: string | undefined;
  readonly onSearch: (text: string) => void;
  /** What the manual says of the language. */
  readonly manual: ManualLinkId;
  /** What may stand at the caret, best first; absent: the parts of a predicate. */
  readonly suggest: ((text: string, caret: number) => readonly Suggestion[]) | undefined;
  /** Labels that a predicate can name. */
  readonly labels: LabelsSeen;
  /** What is wrong with the text. */
  readonly fault: string | undefined;
  /** It was asked for, and takes the keys as it comes. */
  readonly autoFocus: boolean;
  readonly ref?: Ref<HTMLInputElement> | undefined;
}

export function QueryField({
  label,
  placeholder,
  value,
  draft,
  onSearch,
  manual,
  suggest,
  labels,
  fault,
  autoFocus,
  ref,
}: QueryFieldProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState(value);
  const [offered, setOffered] = useState<readonly Suggestion[]>([]);
  const [at, setAt] = useState(-1);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (draft === undefined) return;
    setTyped(draft);
    place.current?.querySelector('input')?.focus();
  }, [draft]);
  const input = (): HTMLInputElement | null => place.current?.querySelector('input') ?? null;

  const offer = (text: string): void => {
    setAt(-1);
    const caret = input()?.selectionStart ?? text.length;
    setOffered(suggest?.(text, caret) ?? suggestionsAt(text, caret, labels));
  };
  const take = (suggestion: Suggestion): void => {
    const field = input();
    const next = taken(typed, field?.selectionStart ?? typed.length, suggestion);
    setTyped(next.text);
    // The field draws first; then the caret can stand where the text goes on.
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(next.caret, next.caret);
      offer(next.text);
    });
  };
  const takeFirst = (): void => {
    const chosen = offered[Math.max(0, at)];
    if (chosen !== undefined) take(chosen);
  };
  const close = (): void => {
    setOffered([]);
    setAt(-1);
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>): boolean => {
    const chosen = offered[at];
    if (event.key === 'ArrowDown' && offered.length === 0) offer(typed);
    else if (event.key === 'ArrowDown') setAt((at + 1) % offered.length);
    else if (event.key === 'ArrowUp' && offered.length > 0) setAt(at <= 0 ? offered.length - 1 : at - 1);
    else if (event.key === 'Enter' && chosen !== undefined) take(chosen);
    else if (event.key === 'Tab' && !event.shiftKey && offered.length > 0 && typed !== '') takeFirst();
    else if (event.key === 'Escape' && offered.length > 0) close();
    else {
      if (event.key === 'Enter') close();
      return false;
    }
    event.preventDefault();
    return true;
  };
  const broken = fault !== undefined && typed === value ? (faultAt(fault) ?? -1) : -1;
  return (
    <div className={styles.place} ref={place}>
      <SearchField
        ref={ref}
        mono
        label={label}
        placeholder={placeholder}
        value={typed}
        onSearch={text => {
          close();
          onSearch(text);
        }}
        onType={text => {
          setTyped(text);
          offer(text);
        }}
        onKeyDown={handleKeyDown}
        onFocus={() => offer(typed)}
        onBlur={close}
        field={{
          autoFocus,
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-expanded': offered.length > 0,
          'aria-controls': `${id}-list`,
          'aria-activedescendant': at >= 0 ? `${id}-${at}` : undefined,
          'aria-invalid': fault !== undefined || undefined,
          'aria-describedby': fault === undefined ? undefined : `${id}-fault`,
        }}
      >
        <ManualLink id={manual}>
          <CircleHelp aria-hidden="true" />
        </ManualLink>
      </SearchField>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Completions"
        hidden={offered.length === 0}
        className={styles.list}
      >
        {offered.map((suggestion, index) => (
          // biome-ignore lint/a11y: the field has the focus and hears the keys, as a combobox does.
          <div
            key={`${suggestion.title} ${suggestion.text}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={styles.option}
            onPointerDown={event => event.preventDefault()}
            onClick={() => take(suggestion)}
          >
            <code>{suggestion.title}</code>
            <span className={styles.detail}>{suggestion.detail}</span>
          </div>
        ))}
      </div>
      {fault !== undefined && (
        <div id={`${id}-fault`} role="alert" className={styles.fault}>
          {broken >= 0 && (
            <p className={styles.marked}>
              {value.slice(0, broken)}
              <mark>{value.slice(broken, broken + 1) || '␣'}</mark>
              {value.slice(broken + 1)}
            </p>
          )}
          <p>{fault}</p>
        </div>
      )}
    </div>
  );
}
