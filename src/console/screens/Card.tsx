import type { ReactNode } from 'react';
import styles from './card.module.css';

/** One card in the middle of the page: what signed-out pages are made of. */
export function Card({ title, detail, children }: { readonly title: string; readonly detail?: string; readonly children: ReactNode }) {
  return (
    <main className={styles.page}>
      <div className={styles.brand} aria-hidden="true">
        <svg viewBox="0 0 32 32" width="40" height="40">
          <path fill="var(--accent)" d="M5 30V14a11 11 0 0 1 22 0v16z" />
          <path fill="none" stroke="var(--accent-text)" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round" d="m11 15.5 4 4-4 4m7 0h4" />
        </svg>
      </div>
      <section className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        {detail !== undefined && <p className={styles.detail}>{detail}</p>}
        <div className={styles.body}>{children}</div>
      </section>
    </main>
  );
}
