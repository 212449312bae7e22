import type { AnchorHTMLAttributes } from 'react';
import styles from './button.module.css';
import { joined } from './joined.ts';

/** A link to another site that looks like a button, for the one thing that a page is about. It opens beside this page. */
export function ButtonLink({ className, children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a
      {...rest}
      target="_blank"
      rel="noopener noreferrer"
      className={joined(styles.button, styles.primary, styles.large, styles.link, className)}
    >
      <span className={styles.text}>{children}</span>
    </a>
  );
}
