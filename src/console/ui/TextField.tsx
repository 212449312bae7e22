import { type TextareaHTMLAttributes, useId } from 'react';
import fieldStyles from './field.module.css';
import { joined } from './joined.ts';
import styles from './text-field.module.css';

/** Several lines of text with their label above and their tip below, as `Field` has one. A file that is dropped on it becomes its text. */
export function TextField({
  label,
  tip,
  error,
  mono,
  onText,
  ...rest
}: Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id'> & {
  readonly label: string;
  readonly tip: string;
  readonly error?: string | undefined;
  readonly mono?: boolean;
  readonly onText?: (text: string) => void;
}) {
  const id = useId();
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id} className={joined(fieldStyles.label, error !== undefined && fieldStyles.wrong)}>
        {error ?? label}
      </label>
      <textarea
        {...rest}
        id={id}
        className={joined(styles.text, mono && fieldStyles.mono, error !== undefined && fieldStyles.inputWrong)}
        aria-label={error === undefined ? undefined : label}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-tip`}
        onDrop={event => {
          const [file] = event.dataTransfer.files;
          if (!file || !onText) return;
          event.preventDefault();
          void file.text().then(onText);
        }}
      />
      {error !== undefined && (
        <span className="visually-hidden" role="alert">
          {error}
        </span>
      )}
      <p id={`${id}-tip`} className={fieldStyles.tip}>
        {tip}
      </p>
    </div>
  );
}
