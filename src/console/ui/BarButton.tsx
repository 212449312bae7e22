import type { ReactNode } from 'react';
import styles from './bar-button.module.css';

/** A small icon in a bar; `isOn` makes it a switch. */
export function BarButton(props: {
  readonly name: string;
  readonly keys?: string;
  readonly isOn?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  const { name, keys, isOn, disabled, onClick, children } = props;
  return (
    <button
      type="button"
      className={styles.icon}
      aria-label={name}
      aria-pressed={isOn}
      title={keys === undefined ? name : `${name} (${keys})`}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
