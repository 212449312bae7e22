import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { joined } from './joined.ts';
import styles from './menu.module.css';

/** An entry of a menu. A refused one stays visible, greyed, with its reason. */
export function MenuItem({
  onChoose,
  icon,
  children,
  detail,
  refused,
  danger,
  trailing,
}: {
  /** `byPointer`: a mouse or a finger did it, and not a key. */
  readonly onChoose: (byPointer: boolean) => void;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
  readonly detail?: ReactNode;
  readonly refused?: string | undefined;
  readonly danger?: boolean;
  readonly trailing?: ReactNode;
}) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={joined(styles.item, danger && styles.danger)}
      aria-disabled={refused === undefined ? undefined : true}
      title={refused}
      onClick={event => refused === undefined && onChoose(event.detail > 0)}
    >
      {icon}
      <span className={styles.words}>
        {children}
        {(refused ?? detail) !== undefined && <span className={styles.detail}>{refused ?? detail}</span>}
      </span>
      {trailing}
    </button>
  );
}

/** A plain row inside a menu that cannot be chosen, such as "No notifications". */
export function MenuNote({ children }: { readonly children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}

/** An entry that is on or off, or, with `isOne`, one of several of which one is on. It does not close the menu by itself. */
export function MenuCheck({
  isOn,
  isOne,
  onToggle,
  children,
}: {
  readonly isOn: boolean;
  readonly isOne?: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles carry aria-checked.
    <button
      type="button"
      role={isOne ? 'menuitemradio' : 'menuitemcheckbox'}
      aria-checked={isOn}
      tabIndex={-1}
      className={styles.item}
      onClick={onToggle}
    >
      <span className={styles.words}>{children}</span>
      {isOn && <Check aria-hidden="true" />}
    </button>
  );
}
