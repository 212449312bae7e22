import { type KeyboardEvent, useEffect, useRef } from 'react';
import { joined } from '../../ui/joined.ts';
import styles from './roles.module.css';

/** YAML as plain text with numbered lines. Tab leaves the field, as everywhere; Mod+Enter saves. */
export function YamlField({
  label,
  value,
  readOnly,
  faultyLine,
  onChange,
  onSubmit,
}: {
  readonly label: string;
  readonly value: string;
  readonly readOnly: boolean;
  /** From 1: the line that could not be read. */
  readonly faultyLine: number | undefined;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const lines = value.split('\n');
  // After the dialog around it has opened, which moves the focus itself.
  useEffect(() => queueMicrotask(() => field.current?.focus({ preventScroll: true })), []);
  useEffect(() => {
    const area = field.current;
    if (faultyLine === undefined || area === null) return;
    // The caret goes to the line that is wrong, so that it can be mended at once.
    const before = area.value.split('\n').slice(0, faultyLine - 1);
    const at = before.reduce((sum, line) => sum + line.length + 1, 0);
    area.focus();
    area.setSelectionRange(at, at);
  }, [faultyLine]);
  const handleKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSubmit();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.nativeEvent.isComposing) {
      // A new line begins as deep as the one before.
      const { selectionStart, value: now } = event.currentTarget;
      const line = now.slice(now.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart);
      const indent = /^ */.exec(line)?.[0] ?? '';
      if (indent === '' || readOnly) return;
      event.preventDefault();
      document.execCommand('insertText', false, `\n${indent}`);
    }
  };
  return (
    <div className={styles.editor}>
      <div className={styles.numbers} aria-hidden="true">
        {lines.map((_line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line number is its place.
          <span key={index} className={joined(index + 1 === faultyLine && styles.faulty)}>
            {index + 1}
          </span>
        ))}
      </div>
      <textarea
        ref={field}
        className={styles.text}
        aria-label={label}
        aria-invalid={faultyLine !== undefined || undefined}
        rows={lines.length}
        wrap="off"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        readOnly={readOnly}
        value={value}
        onChange={event => onChange(event.target.value)}
        onKeyDown={handleKeyDown}
      />
    </div>
  );
}
