import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';
import { joined } from './joined.ts';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** One primary action per view; quiet ones carry no border. */
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly size?: 'dense' | 'normal' | 'large';
  readonly icon?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button. Its label says the verb. */
export function Button({
  kind = 'secondary',
  size = 'normal',
  icon,
  className,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button type={type} className={joined(styles.button, styles[kind], styles[size], className)} {...rest}>
      {icon}
      {children !== undefined && <span className={styles.text}>{children}</span>}
    </button>
  );
}
