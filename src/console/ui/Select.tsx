import { type SelectHTMLAttributes, useId } from 'react';
import styles from './field.module.css';
import { joined } from './joined.ts';

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id'> {
  readonly label: string;
  readonly choices: readonly string[];
  /** Replaces the label (specification section 5). */
  readonly error?: string | undefined;
}

/** One of a few, with its label above. Nothing is chosen while the value is ''. */
export function Select({ label, choices, error, ...rest }: SelectProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={joined(styles.label, error !== undefined && styles.wrong)}>
        {error ?? label}
      </label>
      <select
        {...rest}
        id={id}
        className={joined(styles.input, error !== undefined && styles.inputWrong)}
        aria-label={error === undefined ? undefined : label}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      >
        <option value="" disabled>
          Choose one
        </option>
        {choices.map(choice => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
      {error !== undefined && (
        <span id={`${id}-error`} className="visually-hidden" role="alert">
          {error}
        </span>
      )}
    </div>
  );
}
