import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { joined } from './joined.ts';

interface ButtonLinkProps extends ComponentProps<'a'> {
  readonly kind?: 'primary' | 'secondary';
  readonly size?: 'normal' | 'large';
  /** It replaces this page; otherwise it opens beside it. */
  readonly here?: boolean;
}

/** A link to another site that looks like a button. */
export function ButtonLink({
  kind = 'primary',
  size = 'large',
  here = false,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <a
      {...rest}
      {...(!here && { target: '_blank', rel: 'noopener noreferrer' })}
      className={joined(styles.button, styles[kind], styles[size], styles.link, className)}
    >
      <span className={styles.text}>{children}</span>
    </a>
  );
}
