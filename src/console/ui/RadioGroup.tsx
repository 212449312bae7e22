import { useId } from 'react';
import styles from './radio.module.css';

export interface RadioOption<Value extends string> {
  readonly value: Value;
  readonly title: string;
}

/** One of a few, all visible. */
export function RadioGroup<Value extends string>({ label, options, value, onChange }: { readonly label: string; readonly options: readonly RadioOption<Value>[]; readonly value: Value; readonly onChange: (value: Value) => void }) {
  const name = useId();
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      {options.map(option => (
        <label key={option.value} className={styles.option}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.title}
        </label>
      ))}
    </fieldset>
  );
}
