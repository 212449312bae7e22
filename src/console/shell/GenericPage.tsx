import type { ReactNode } from 'react';
import styles from './generic.module.css';

/** A page with one card and nothing else: what is wrong, and the way on. */
export function GenericPage({
  title,
  children,
  actions,
  whole = false,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Nothing is drawn around it: it is the page's main part itself. */
  readonly whole?: boolean;
}) {
  const Part = whole ? 'main' : 'div';
  return (
    <Part className={styles.page}>
      <section className={styles.card} aria-labelledby="generic-title">
        <h1 id="generic-title">{title}</h1>
        <div className={styles.text}>{children}</div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </section>
    </Part>
  );
}
