import { type InputHTMLAttributes, type Ref, useId } from 'react';
import styles from './field.module.css';
import { Help } from './Help.tsx';
import { joined } from './joined.ts';

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  readonly label: string;
  readonly tip?: string;
  /** Shown at a mark behind the tip: for who asks. */
  readonly help?: string;
  /** Replaces the label (specification section 5). */
  readonly error?: string | undefined;
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A text input with its label above and its tip below. */
export function Field({ label, tip, help, error, mono, className, ...rest }: FieldProps) {
  const id = useId();
  return (
    <div className={joined(styles.field, className)}>
      <label htmlFor={id} className={joined(styles.label, error !== undefined && styles.wrong)}>
        {error ?? label}
      </label>
      <input
        {...rest}
        id={id}
        className={joined(styles.input, mono && styles.mono, error !== undefined && styles.inputWrong)}
        aria-label={error === undefined ? undefined : label}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error !== undefined ? `${id}-error` : tip === undefined ? undefined : `${id}-tip`}
      />
      {error !== undefined && (
        <span id={`${id}-error`} className="visually-hidden" role="alert">
          {error}
        </span>
      )}
      {tip !== undefined && (
        <p id={`${id}-tip`} className={styles.tip}>
          {tip}
          {help !== undefined && <Help about={label} text={help} />}
        </p>
      )}
    </div>
  );
}
