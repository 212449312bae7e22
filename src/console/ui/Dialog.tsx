import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './dialog.module.css';
import { joined } from './joined.ts';

export interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly size?: 'normal' | 'wide' | 'page';
  /** A dialog stays on Escape (specification section 9); one that only shows something may close. */
  readonly onEscape?: () => void;
  readonly role?: 'dialog' | 'alertdialog';
}

/** A modal. Focus goes in, to what is marked `data-first` or else to the first control, stays in, and returns to where it was. It closes neither on a click outside nor, by default, on Escape. */
export function Dialog({ title, children, actions, size = 'normal', onEscape, role = 'dialog' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    if (dialog !== null && !dialog.open) {
      dialog.showModal();
      // React's autoFocus comes before the dialog is shown, when nothing in it can take the focus.
      dialog.querySelector<HTMLElement>('[data-first]')?.focus();
    }
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      role={role}
      className={joined(styles.dialog, styles[size])}
      aria-labelledby={titleId}
      onCancel={event => event.preventDefault()}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onEscape?.();
      }}
    >
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <div className={styles.body}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </dialog>
  );
}
