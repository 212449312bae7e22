import type { ReactNode } from 'react';
import { Gate } from '../ui/Gate.tsx';
import { joined } from '../ui/joined.ts';
import styles from './card.module.css';

/** One card in the middle of the page: what signed-out pages are made of. */
export function Card({
  title,
  detail,
  isWide = false,
  children,
}: {
  readonly title: string;
  readonly detail?: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <main className={styles.page}>
      <div className={styles.brand} aria-hidden="true">
        <Gate size={40} />
      </div>
      <section className={joined(styles.card, isWide && styles.wide)}>
        <h1 className={styles.title}>{title}</h1>
        {detail !== undefined && <p className={styles.detail}>{detail}</p>}
        <div className={styles.body}>{children}</div>
      </section>
    </main>
  );
}
