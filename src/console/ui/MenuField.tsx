import type { InputHTMLAttributes } from 'react';
import { joined } from './joined.ts';
import styles from './menu.module.css';

interface MenuFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'aria-label' | 'onChange'> {
  readonly label: string;
  readonly mono?: boolean;
  readonly onType: (text: string) => void;
}

/** The field inside a popup, which has the keys first: what is typed narrows or names what stands below it. */
export function MenuField({ label, mono, onType, placeholder = label, ...rest }: MenuFieldProps) {
  return (
    <input
      {...rest}
      data-menu-field
      className={joined(styles.field, mono && styles.mono)}
      aria-label={label}
      placeholder={placeholder}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      onChange={event => onType(event.target.value)}
    />
  );
}
