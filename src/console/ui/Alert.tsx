import type { ReactNode } from 'react';
import styles from './alert.module.css';
import { joined } from './joined.ts';

/** Something that happened, with its severity. Danger is spoken at once. */
export function Alert({
  kind = 'danger',
  children,
  action,
}: {
  readonly kind?: 'info' | 'warning' | 'danger' | 'success';
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={joined(styles.alert, styles[kind])} role={kind === 'danger' ? 'alert' : 'status'}>
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  );
}
