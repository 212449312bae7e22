import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { BarButton } from './BarButton.tsx';
import styles from './find-bar.module.css';

/** What a find bar does, and with which keys. */
export interface FindBarProps {
  readonly id?: string;
  /** Names the field, also while it is empty. */
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** What was found, in words; '' before anything was looked for. */
  readonly found: string;
  /** The text cannot be looked for: a pattern that is half typed. */
  readonly isBad?: boolean;
  /** Enter, or with Shift the way back. */
  readonly onEnter: (isBack: boolean) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
  /** The keys of the buttons, as their titles say them. */
  readonly keys: { readonly previous: string; readonly next: string };
  /** Stands between what was found and the buttons. */
  readonly options?: ReactNode;
  /** Stands below the bar. */
  readonly children?: ReactNode;
}

/** Looks for text over a terminal or a recording: the field takes the keys as it comes, Escape closes it. */
export function FindBar(props: FindBarProps) {
  const { label, text, keys, onStep, onClose } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  return (
    <search className={styles.bar}>
      <div className={styles.row}>
        <input
          ref={input}
          id={props.id}
          className={styles.field}
          aria-label={label}
          aria-invalid={props.isBad === true}
          placeholder={label}
          maxLength={200}
          spellCheck={false}
          value={text}
          onChange={event => props.onText(event.target.value)}
          onKeyDown={event => {
            if (event.key === 'Enter') props.onEnter(event.shiftKey);
            else if (event.key === 'Escape') onClose();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <output className={styles.found}>{props.found}</output>
        {props.options}
        <BarButton name="Previous match" keys={keys.previous} onClick={() => onStep(-1)}>
          <ChevronUp size={14} aria-hidden />
        </BarButton>
        <BarButton name="Next match" keys={keys.next} onClick={() => onStep(1)}>
          <ChevronDown size={14} aria-hidden />
        </BarButton>
        <BarButton name="Close the search" keys="Escape" onClick={onClose}>
          <X size={14} aria-hidden />
        </BarButton>
      </div>
      {props.children}
    </search>
  );
}
